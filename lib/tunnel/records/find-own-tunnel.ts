import { hotDatabase } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import type { PublicTunnel } from '@/lib/tunnel/types';
import { toPublicTunnel } from './to-public-tunnel';
import { findTunnelOfProject } from './tunnels-sql';

/** Reads the tunnel that a client of the project connects to. @throws AppError not_found */
export async function getTunnelForClient(projectId: string, tunnelId: string): Promise<PublicTunnel> {
  const row = await findTunnelOfProject.first(hotDatabase(), projectId, tunnelId);
  if (row === undefined) throw notFound('tunnel');
  return toPublicTunnel(row);
}
