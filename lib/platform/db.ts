import type pg from 'pg';
import { nodeUrlOf } from '@/lib/platform/cells/cell-nodes';
import { currentSearchPath } from '@/lib/platform/cells/current-cell';
import { endRechecks, recheckStale, withoutShare } from '@/lib/platform/connection-shares';
import { IDLE_IN_TRANSACTION_MS, STATEMENT_MS } from '@/lib/platform/database-limits';
import { makeDirectPool, makePool, makeSharedPool, type SharedPool } from '@/lib/platform/database-pool';
import { once } from '@/lib/platform/globals';
import { type DatabaseClient, isDatabasePooled } from './database-client';

/** Anything that runs SQL: the pool, or the client of a transaction. */
export type Sql = Pick<pg.Pool, 'query'>;
/** A transaction of SQL alone. The API's domains use `Transaction` of ./prisma/transaction.ts. */
export type SqlTransaction = pg.PoolClient;

/** The pools for the tables of a cell, each made when it is first used. */
interface Pools {
  searchPath: string;
  /** URL of the pool `hot`; undefined for DATABASE_URL. */
  nodeUrl?: string | undefined;
  shared?: SharedPool;
  hot?: pg.Pool | undefined;
  direct?: pg.Pool;
}

/** By search path. One for each cell, and one for what is of all cells. */
const allPools = () => once('database-pools', () => new Map<string, Pools>());

function poolsOf(searchPath: string): Pools {
  let pools = allPools().get(searchPath);
  if (pools === undefined) {
    pools = { searchPath };
    allPools().set(searchPath, pools);
  }
  return pools;
}

async function endPools({ shared, hot, direct }: Pools): Promise<void> {
  await Promise.all([shared?.end(), hot?.end(), direct?.end()]);
  await shared?.reading.end();
}

/**
 * Returns the connection pool of this process for DATABASE_URL and the cell of the current work (./cells/current-cell.ts). Its sessions
 * use UTC and ISO dates. Within a request, a statement waits for a share of the connections, and those of readers end after two seconds
 * (./connection-shares.ts).
 */
export function database(): SharedPool {
  const pools = poolsOf(currentSearchPath());
  pools.shared ??= makeSharedPool(pools.searchPath);
  return pools.shared;
}

/**
 * Returns the pool for the statements of ingest and delivery, which run hundreds of times a second: PostgreSQL takes longer
 * to plan one than to run it. Use it only for named prepared statements whose best plan is the same for all parameters. They
 * never wait for connections that the dashboard uses, and lead to the machine that has the cell.
 */
export function hotDatabase(): pg.Pool {
  const pools = poolsOf(currentSearchPath());
  const nodeUrl = nodeUrlOf(pools.searchPath);
  if (pools.nodeUrl !== nodeUrl) {
    // The cell is on another machine now. What is under way ends on its connections.
    void pools.hot?.end();
    pools.hot = undefined;
    pools.nodeUrl = nodeUrl;
  }
  pools.hot ??= makePool(
    { plans: nodeUrl === undefined ? 'force_generic_plan' : 'auto', searchPath: pools.searchPath },
    nodeUrl,
  );
  return pools.hot;
}

/** As `hotDatabase`, for statements that also need tables that are in no cell: where the cell is on another machine, it is `database()`. */
export function hotDatabaseOfAllTables(): pg.Pool {
  return isCellElsewhere() ? database() : hotDatabase();
}

/** Whether the tables of the current cell are stored on another machine than that of DATABASE_URL. */
export const isCellElsewhere = (): boolean => nodeUrlOf(currentSearchPath()) !== undefined;

/** Returns the pool for the files and statistics of a cell's tables: only the machine that stores them knows these. */
export function storingDatabase(): pg.Pool {
  return isCellElsewhere() ? hotDatabase() : database();
}

/**
 * Returns the pool whose connections are sessions: settings and locks stay until the connection is released. Where
 * DATABASE_URL is no pooler, that is `database()`. See docs/decisions/050-what-needs-a-session.md.
 */
export function directDatabase(): pg.Pool {
  if (!isDatabasePooled()) return database();
  const pools = poolsOf(currentSearchPath());
  pools.direct ??= makeDirectPool(pools.searchPath);
  return pools.direct;
}

/** Its deadline follows the statement timeout of the server. */
type LimitedClient = pg.PoolClient & Pick<DatabaseClient, 'statementMs'>;

interface StatementLimit {
  /** Timeout of each statement in milliseconds; by default STATEMENT_MS, which suits all but maintenance. */
  statementMs?: number;
}

interface TransactionOptions extends StatementLimit {
  /** The pool of the connection; by default that of the process. */
  pool?: pg.Pool;
}

/**
 * Runs `work` in a transaction of SQL alone, which is committed when it returns and rolled back when it throws. For the
 * engine, retention and the platform; the API's domains use `inTransaction` (docs/decisions/034-where-sql-is-written.md).
 */
export function inSqlTransaction<T>(
  work: (tx: SqlTransaction) => Promise<T>,
  { statementMs = STATEMENT_MS, pool = database() }: TransactionOptions = {},
): Promise<T> {
  return withConnection(pool, statementMs, async (client) => {
    await client.query(`BEGIN; ${transactionLimitsSql(statementMs)}`);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  });
}

/**
 * Returns SQL that sets the limits of a transaction; empty when its connection has them already. A pooler may lend any session,
 * with the limits of others.
 */
export function transactionLimitsSql(statementMs: number): string {
  if (isDatabasePooled()) {
    const idle = `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;
    return `SET LOCAL statement_timeout = ${statementMs}; ${idle}`;
  }
  return statementMs === STATEMENT_MS ? '' : `SET LOCAL statement_timeout = ${statementMs}`;
}

/** Takes a connection for a transaction. Rolls back when `work` throws, and destroys the connection if that fails. */
export async function withConnection<T>(
  pool: pg.Pool,
  statementMs: number,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  // Before it holds a connection: the check takes one.
  await recheckStale();
  const client = (await pool.connect()) as LimitedClient;
  const { statementMs: usualMs } = client;
  let broken: Error | undefined;
  try {
    client.statementMs = statementMs;
    endRechecks();
    return await withoutShare(() => work(client));
  } catch (error) {
    // Prisma has ended the transactions that it began; PostgreSQL would write a line for each that is ended twice.
    if (client.getTransactionStatus() !== 'I') {
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken = failure;
      });
    }
    throw error;
  } finally {
    client.statementMs = usualMs;
    client.release(broken);
  }
}

/** Returns SQL outside a transaction with its own statement timeout: longer, for what reads or rewrites entire tables, or shorter. */
export function sqlWithTimeout(statementMs: number): Sql {
  const query = async (...args: Parameters<pg.Pool['query']>) => {
    const client = (await directDatabase().connect()) as LimitedClient;
    const { statementMs: usualMs } = client;
    let broken: Error | undefined;
    try {
      client.statementMs = statementMs;
      await client.query(`SET statement_timeout = ${statementMs}`);
      return await client.query(...args);
    } finally {
      // A connection that keeps the long timeout must not return to the pool.
      await client.query('RESET statement_timeout').catch((failure: Error) => {
        broken = failure;
      });
      client.statementMs = usualMs;
      client.release(broken);
    }
  };
  return { query } as unknown as Sql;
}

/** Closes all connections. For shutdown and tests. */
export async function closeDatabase(): Promise<void> {
  const pools = [...allPools().values()];
  allPools().clear();
  await Promise.all(pools.map(endPools));
}

/** Returns the pools that this process has made, by kind, and makes those of the current work: their size is known from the start. */
export function madePools(): { general: pg.Pool[]; hot: pg.Pool[]; reading: pg.Pool[] } {
  database();
  hotDatabase();
  const pools = [...allPools().values()];
  const shared = pools.flatMap((each) => each.shared ?? []);
  return {
    general: shared,
    hot: pools.flatMap((each) => each.hot ?? []),
    reading: shared.map(({ reading }) => reading),
  };
}
