import { sha256 } from '@/lib/platform/crypto';
import { hotDatabase } from '@/lib/platform/db';
import type { PublicTunnel } from '@/lib/tunnel/types';
import { toPublicTunnel } from './to-public-tunnel';
import { findTunnelsByTokens } from './tunnels-sql';

/**
 * Finds the tunnels of URLs' tokens, by token. Without those whose project or organization is deleted.
 * @param tokens any texts
 */
export async function findPublicTunnels(tokens: readonly string[]): Promise<ReadonlyMap<string, PublicTunnel>> {
  const tokenOf = new Map(tokens.map((token) => [sha256(token).toString('hex'), token]));
  const hashes = [...tokenOf.keys()].map((hash) => Buffer.from(hash, 'hex'));
  const rows = await findTunnelsByTokens.all(hotDatabase(), hashes);
  return new Map(
    rows.map((row) => [tokenOf.get(row.token_hash.toString('hex')) as string, toPublicTunnel(row)] as const),
  );
}
