import { randomBytes } from 'node:crypto';
import type { Sql } from '@/lib/platform/db';
import { findLock, tryTransactionLock } from './same-database-sql';

/**
 * Returns whether two connections reach the same database of the same server, by whatever names: takes a lock in a transaction of the
 * one, and looks for it through the other. Names, addresses and numbers would not tell: a pooler hides them, and copies share them.
 *
 * A replica does not show the locks of its primary. It passes: writing to it fails anyway, and some poolers send reads to replicas.
 *
 * @param transaction of a session, which must still hold when this returns: then commit it
 * @param other may be a pooler
 */
export async function isSameDatabase(transaction: Sql, other: Sql): Promise<boolean> {
  const key = randomBytes(8).readBigInt64BE().toString();
  const { taken } = await tryTransactionLock.one(transaction, key);
  if (!taken) throw new Error('a random advisory lock is taken');
  const { is_found, is_replica } = await findLock.one(other, key);
  return is_found || is_replica;
}

/** Returns the line for a DATABASE_DIRECT_URL to another database than that of DATABASE_URL. */
export function describeOtherDatabase(directUrl: string, pooledUrl: string): string {
  return `DATABASE_DIRECT_URL: must be the database of DATABASE_URL (${nameOf(directUrl)} is not ${nameOf(pooledUrl)})`;
}

function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
