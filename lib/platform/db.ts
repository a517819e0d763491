import type pg from 'pg';
import type { DatabaseClient } from '@/lib/platform/database-client';
import { STATEMENT_MS } from '@/lib/platform/database-limits';
import { makePool } from '@/lib/platform/database-pool';
import { once, setOnce } from '@/lib/platform/globals';

/** Anything that runs SQL: the pool, or the client of a transaction. */
export type Sql = Pick<pg.Pool, 'query'>;
export type Transaction = pg.PoolClient;

/** The process's one pool of connections to DATABASE_URL. Sessions speak UTC, and write times as RFC 3339 does. */
export function database(): pg.Pool {
  return once('database', () => makePool());
}

/**
 * A pool for the statements of ingest and delivery, which run hundreds of times a second: planning one of them again takes
 * PostgreSQL longer than running it. Only for statements whose best plan is the same for all parameters, and which are
 * prepared by name. They also never wait for a connection behind the requests of people.
 */
export function hotDatabase(): pg.Pool {
  return once('hot-database', () => makePool({ keepsPlans: true }));
}

export interface StatementLimit {
  /** Milliseconds that each statement may take; by default STATEMENT_MS, which suits all but maintenance. */
  statementMs?: number;
}

export interface TransactionOptions extends StatementLimit {
  /** Where its connection comes from; by default the pool of the process. */
  pool?: pg.Pool;
}

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
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

/** SQL outside a transaction, each statement for up to `statementMs`: for what reads or rewrites whole tables. */
export function patientSql(statementMs: number): Sql {
  const query = async (...args: Parameters<pg.Pool['query']>) => {
    const client = await database().connect();
    let broken: Error | undefined;
    try {
      setAnswerLimit(client, statementMs);
      await client.query(`SET statement_timeout = ${statementMs}`);
      return await client.query(...args);
    } finally {
      // A connection that kept the long limit must not go back to the pool.
      await client.query('RESET statement_timeout').catch((failure: Error) => {
        broken = failure;
      });
      setAnswerLimit(client, STATEMENT_MS);
      client.release(broken);
    }
  };
  return { query } as unknown as Sql;
}

/** Has our side wait as long as the server was told to. */
function setAnswerLimit(client: pg.PoolClient, statementMs: number): void {
  (client as pg.PoolClient & Pick<DatabaseClient, 'statementMs'>).statementMs = statementMs;
}

/** Ends every connection. For shutdown and tests. */
export async function closeDatabase(): Promise<void> {
  const names = ['database', 'hot-database'];
  const pools = names.map((name) => once<pg.Pool | null>(name, () => null));
  for (const name of names) setOnce(name, undefined);
  await Promise.all(pools.map((pool) => pool?.end()));
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

/** Whether the server cancelled a statement that took, or waited for a lock, longer than it may. */
export function isStatementCancelled(error: unknown): boolean {
  const { meta } = (error ?? {}) as { meta?: { driverAdapterError?: unknown } };
  const state = sqlState(error) ?? sqlState(meta?.driverAdapterError);
  return state === QUERY_CANCELED || state === LOCK_NOT_AVAILABLE;
}

const QUERY_CANCELED = '57014';

/**
 * Whether a row could not be written because it, or what it points at (foreign_key_violation), was removed at the same
 * moment.
 */
export function isReferenceGone(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return sqlState(error) === '23503' || code === 'P2003' || code === 'P2025';
}

const NETWORK_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH']);
/**
 * PostgreSQL's classes 08 (connection), 53 (resources) and 57P (shutdown), its code for a transaction that paused for too
 * long and lost its connection, Prisma's codes for an unreachable server, and its one for a transaction that got no
 * connection in time, or took too long.
 */
const AWAY_CODE = /^(08...|53...|57P0.|25P03|P1001|P1002|P1017|P2028)$/;
const AWAY_MESSAGE =
  /connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|can't reach database server|database did not answer/i;

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
