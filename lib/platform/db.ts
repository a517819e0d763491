import type pg from 'pg';
import type { DatabaseClient } from '@/lib/platform/database-client';
import { STATEMENT_MS } from '@/lib/platform/database-limits';
import { makePool } from '@/lib/platform/database-pool';
import { once, setOnce } from '@/lib/platform/globals';

/** Anything that runs SQL: the pool, or the client of a transaction. */
export type Sql = Pick<pg.Pool, 'query'>;
export type Transaction = pg.PoolClient;

/** The connection pool of this process for DATABASE_URL. Its sessions use UTC and ISO dates. */
export function database(): pg.Pool {
  return once('database', () => makePool());
}

/**
 * The pool for the statements of ingest and delivery, which run hundreds of times a second: planning one takes PostgreSQL
 * longer than running it. Use it only for named prepared statements whose best plan is the same for all parameters. They
 * also never wait for a connection behind requests of the dashboard.
 */
export function hotDatabase(): pg.Pool {
  return once('hot-database', () => makePool({ keepsPlans: true }));
}

interface StatementLimit {
  /** Timeout of each statement in milliseconds; by default STATEMENT_MS, which suits all but maintenance. */
  statementMs?: number;
}

interface TransactionOptions extends StatementLimit {
  /** The pool of the connection; by default that of the process. */
  pool?: pg.Pool;
}

/** Runs `work` in a transaction, which is committed when it returns and rolled back when it throws. */
export async function inTransaction<T>(
  work: (tx: Transaction) => Promise<T>,
  { statementMs = STATEMENT_MS, pool = database() }: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    setAnswerLimit(client, statementMs);
    const limit = statementMs === STATEMENT_MS ? '' : `; SET LOCAL statement_timeout = ${statementMs}`;
    await client.query(`BEGIN${limit}`);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    setAnswerLimit(client, STATEMENT_MS);
    client.release(broken);
  }
}

/** Returns SQL outside a transaction with its own statement timeout, for statements that read or rewrite entire tables. */
export function sqlWithTimeout(statementMs: number): Sql {
  const query = async (...args: Parameters<pg.Pool['query']>) => {
    const client = await database().connect();
    let broken: Error | undefined;
    try {
      setAnswerLimit(client, statementMs);
      await client.query(`SET statement_timeout = ${statementMs}`);
      return await client.query(...args);
    } finally {
      // A connection that keeps the long timeout must not return to the pool.
      await client.query('RESET statement_timeout').catch((failure: Error) => {
        broken = failure;
      });
      setAnswerLimit(client, STATEMENT_MS);
      client.release(broken);
    }
  };
  return { query } as unknown as Sql;
}

/** Sets the client's deadline to the statement timeout of the server. */
function setAnswerLimit(client: pg.PoolClient, statementMs: number): void {
  (client as pg.PoolClient & Pick<DatabaseClient, 'statementMs'>).statementMs = statementMs;
}

/** Closes all connections. For shutdown and tests. */
export async function closeDatabase(): Promise<void> {
  const names = ['database', 'hot-database'];
  const pools = names.map((name) => once<pg.Pool | null>(name, () => null));
  for (const name of names) setOnce(name, undefined);
  await Promise.all(pools.map((pool) => pool?.end()));
}

/** Returns the SQLSTATE of an error from PostgreSQL, through pg or Prisma's adapter; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^P\d{4}$/.test(code)) return code;
  const original = (cause as { originalCode?: unknown } | undefined)?.originalCode;
  return typeof original === 'string' ? original : undefined;
}

/** The SQLSTATE of a statement that waited for a lock longer than lock_timeout. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** Whether the server cancelled a statement because it, or its wait for a lock, took too long. */
export function isStatementCancelled(error: unknown): boolean {
  const { meta } = (error ?? {}) as { meta?: { driverAdapterError?: unknown } };
  const state = sqlState(error) ?? sqlState(meta?.driverAdapterError);
  return state === QUERY_CANCELED || state === LOCK_NOT_AVAILABLE;
}

const QUERY_CANCELED = '57014';

/**
 * Whether a row could not be written because it, or a row that it references (foreign_key_violation), was deleted
 * concurrently.
 */
export function isReferenceGone(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return sqlState(error) === '23503' || code === 'P2003' || code === 'P2025';
}

const NETWORK_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH']);
/**
 * PostgreSQL's classes 08 (connection), 53 (resources) and 57P (shutdown), 25P03 for a transaction that was idle for too
 * long and lost its connection, Prisma's codes for an unreachable server, and P2028 for a transaction that got no
 * connection in time or took too long.
 */
const AWAY_CODE = /^(08...|53...|57P0.|25P03|P1001|P1002|P1017|P2028)$/;
const AWAY_MESSAGE =
  /connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|can't reach database server|database did not answer/i;

/** Whether an error means that the database is unreachable, and not that it rejected a statement. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, cause, meta } = error as Record<'code' | 'message' | 'cause' | 'meta', unknown>;
  const isAwayCode = typeof code === 'string' && (NETWORK_CODES.has(code) || AWAY_CODE.test(code));
  if (isAwayCode || (typeof message === 'string' && AWAY_MESSAGE.test(message))) return true;
  // The cause of an error of Prisma's adapter is not an Error, and Prisma wraps it in `meta`.
  return (
    isDatabaseUnreachable(cause) ||
    isDatabaseUnreachable((meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError)
  );
}
