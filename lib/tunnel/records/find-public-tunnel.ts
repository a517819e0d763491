import { sha256 } from '@/lib/platform/crypto';
import { hotDatabase } from '@/lib/platform/db';
import type { PublicTunnel } from '@/lib/tunnel/types';
import { toPublicTunnel } from './to-public-tunnel';
import { findTunnelByToken } from './tunnels-sql';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Finds the tunnel of a URL's token. Null for an unknown token, and when the project or its organization is deleted. */
export async function findPublicTunnel(token: string): Promise<PublicTunnel | null> {
  if (!TOKEN.test(token)) return null;
  const row = await findTunnelByToken.first(hotDatabase(), sha256(token));
  return row === undefined ? null : toPublicTunnel(row);
}
