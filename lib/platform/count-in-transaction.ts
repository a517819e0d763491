import { SECOND_MS } from '@/lib/platform/clock';
import type { Sql } from '@/lib/platform/db';
import { clientNetwork } from '@/lib/platform/net/client-network';
import { countAttempts } from '@/lib/platform/rate-limit-sql';
import { keyedHash } from './keyed-hash';

/** Allows a number of attempts per key in a window, which starts with the first attempt. */
export interface Limit {
  /** The kind of attempt, such as `login-ip`. Each kind has its own keys. */
  name: string;
  /** An IP address, a folded email address, or an id. Stored only as a keyed hash. IPv6 addresses count by their /64. */
  key: string;
  /** Attempts allowed in a window. */
  points: number;
  windowSeconds: number;
  /** Reported to the client only when it refuses, because the count reveals what others did. */
  isDiscreet?: true;
}

/**
 * Counts an attempt in a transaction: it counts if and only if the transaction commits.
 * @returns whether it is within the limit
 */
export async function consumeInTransaction(tx: Sql, { key, ...limit }: Limit): Promise<boolean> {
  return (await consumeEachInTransaction(tx, limit, [key])).length > 0;
}

/**
 * Counts an attempt for each of several keys in one statement, as `consumeInTransaction` does for one.
 * @param keys distinct
 * @returns the keys that are within the limit
 */
export async function consumeEachInTransaction(
  tx: Sql,
  limit: Omit<Limit, 'key'>,
  keys: readonly string[],
): Promise<string[]> {
  const now = Date.now();
  const byStored = new Map(keys.map((key) => [storedRateLimitKey({ ...limit, key }), key]));
  const windowEnd = now + limit.windowSeconds * SECOND_MS;
  const rows = await countAttempts.all(tx, { keys: [...byStored.keys()], windowEnd, now });
  return rows.filter(({ points }) => points <= limit.points).flatMap(({ key }) => byStored.get(key) ?? []);
}

/** Returns the value of the column `key`: it shows the kind of attempt, but not who made it. */
export function storedRateLimitKey({ name, key }: Pick<Limit, 'name' | 'key'>): string {
  return `${name}:${keyedHash(clientNetwork(key), 'rate limit').toString('base64url')}`;
}
