import { hotDatabase } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import type { PublicTunnel } from '@/lib/tunnel/types';
import { toPublicTunnel } from './to-public-tunnel';
import { findTunnelOfProject } from './tunnels-sql';

/** Reads the tunnel that a client of the project connects to. @throws AppError not_found; conflict for a test receiver */
export async function getTunnelForClient(projectId: string, tunnelId: string): Promise<PublicTunnel> {
  const row = await findTunnelOfProject.first(hotDatabase(), projectId, tunnelId);
  if (row === undefined) throw notFound('tunnel');
  if (row.test_status !== null) throw new AppError('conflict', 'A test receiver takes no client. Use another tunnel.');
  return toPublicTunnel(row);
}
