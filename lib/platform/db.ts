import pg from 'pg';
import { config } from '@/lib/platform/config/config';
import { once, setOnce } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';

/** Anything that runs SQL: the pool, or the client of a transaction. */
export type Sql = Pick<pg.Pool, 'query'>;
export type Transaction = pg.PoolClient;

const POOL_SIZE = 10;

/** The process's one pool of connections to DATABASE_URL. Sessions speak UTC, and write times as RFC 3339 does. */
export function database(): pg.Pool {
  return once('database', () => {
    const pool = new pg.Pool({
      connectionString: config().DATABASE_URL,
      max: POOL_SIZE,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 30_000,
      application_name: 'event-delivery-service',
      options: '-c timezone=UTC -c datestyle=ISO',
    });
    // An idle connection that breaks is replaced on the next use; unheard, its error would end the process.
    pool.on('error', (error) => log().warn({ err: error }, 'idle database connection lost'));
    // The same goes for one that breaks between two statements of a transaction: the next statement tells of it.
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  });
}

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
export async function inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await database().connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Ends every connection. For shutdown and tests. */
export async function closeDatabase(): Promise<void> {
  const pool = once<pg.Pool | null>('database', () => null);
  setOnce('database', undefined);
  await pool?.end();
}

/** SQLSTATE of an error from PostgreSQL, through pg or Prisma's adapter; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^P\d{4}$/.test(code)) return code;
  const original = (cause as { originalCode?: unknown } | undefined)?.originalCode;
  return typeof original === 'string' ? original : undefined;
}

/** The SQLSTATE of a lock that was waited for in vain, for as long as lock_timeout says. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a row could not be written because what it points at was removed at the same moment (foreign_key_violation). */
export function isReferenceGone(error: unknown): boolean {
  return sqlState(error) === '23503' || (error as { code?: unknown } | null)?.code === 'P2003';
}

const NETWORK_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH']);
/**
 * PostgreSQL's classes 08 (connection), 53 (resources) and 57P (shutdown), Prisma's codes for an unreachable server, and its
 * one for a transaction that got no connection in time, or took too long.
 */
const AWAY_CODE = /^(08...|53...|57P0.|P1001|P1002|P1017|P2028)$/;
const AWAY_MESSAGE =
  /connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|can't reach database server/i;

/** Whether an error says that the database cannot be reached just now, as against what was asked of it. */
export function isDatabaseAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, cause, meta } = error as Record<'code' | 'message' | 'cause' | 'meta', unknown>;
  const isAwayCode = typeof code === 'string' && (NETWORK_CODES.has(code) || AWAY_CODE.test(code));
  if (isAwayCode || (typeof message === 'string' && AWAY_MESSAGE.test(message))) return true;
  // Prisma's adapter gives its cause as no Error, and a statement of Prisma's wraps that in its `meta`.
  return (
    isDatabaseAway(cause) || isDatabaseAway((meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError)
  );
}
