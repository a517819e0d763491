import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { currentSearchPath } from '@/lib/platform/cells/current-cell';
import { database, type Sql } from '@/lib/platform/db';
import { once } from '@/lib/platform/globals';
import { type Prisma, PrismaClient } from './generated/client';

/** Prisma's client, inside a transaction or outside. */
export type PrismaQueries = PrismaClient | Prisma.TransactionClient;

/**
 * The connection that `inTransaction` lends to the transaction that Prisma opens in the same call. Shared by both copies of
 * lib/ in the web process, as the client is.
 */
export function lentConnection(): AsyncLocalStorage<pg.PoolClient | null> {
  return once('lent-connection', () => new AsyncLocalStorage<pg.PoolClient | null>());
}

/** Prisma must not end a transaction before PostgreSQL's own timeouts do (lib/platform/database-limits.ts). */
const TRANSACTION = { maxWait: 10_000, timeout: 10 * 60_000 };

/**
 * Returns the Prisma client of this process for the cell of the current work, on its pool of SQL. Open transactions with `inTransaction`
 * (./transaction.ts).
 */
export function prisma(): PrismaClient {
  const searchPath = currentSearchPath();
  let client = clients().get(searchPath);
  if (client === undefined) {
    client = new PrismaClient({ adapter: new PrismaPg(lendingPool()), transactionOptions: TRANSACTION });
    clients().set(searchPath, client);
  }
  return client;
}

/** By search path: a client may answer several reads of one moment with one statement. */
const clients = () => once('prisma', () => new Map<string, PrismaClient>());

/**
 * The pool as Prisma sees it: to open a transaction, Prisma takes the lent connection. Single statements go through
 * `pool.query`, which calls `connect` with a callback.
 */
function lendingPool(): pg.Pool {
  const pool = database();
  const connect = (...args: [] | Parameters<pg.Pool['connect']>) =>
    args.length === 0 ? takeLentConnection() : pool.connect(...args);
  const query = queryOf(pool);
  return new Proxy(pool, {
    get: (target, name) => (name === 'connect' ? connect : name === 'query' ? query : Reflect.get(target, name)),
  });
}

/** Runs what Prisma writes, changed by `rewrite`. */
export function queryOf(sql: Sql): Sql['query'] {
  const rewritten = (query: unknown) =>
    typeof query === 'object' && query !== null && 'text' in query && typeof query.text === 'string'
      ? { ...query, text: rewrite(query.text) }
      : query;
  return ((query: unknown, ...rest: unknown[]) =>
    Reflect.apply(sql.query, sql, [rewritten(query), ...rest])) as Sql['query'];
}

/**
 * Prisma writes `"public"` before each table and type: without it, the search path finds those of the cell too. What a change returns has
 * casts of enumerations to text, which Citus refuses; they are read as text anyway, unlike arrays of them.
 */
function rewrite(text: string): string {
  const found = text.replaceAll('"public".', '');
  const returning = found.indexOf(' RETURNING ');
  return returning < 0 ? found : found.slice(0, returning) + found.slice(returning).replaceAll(/::text(?!\[)/g, '');
}

async function takeLentConnection(): Promise<pg.PoolClient> {
  const client = lentConnection().getStore() ?? null;
  if (client !== null) return client;
  throw new Error('Open transactions with inTransaction of lib/platform/prisma/transaction.ts.');
}

/** Disconnects Prisma. `closeDatabase` closes the pool. */
export async function closePrisma(): Promise<void> {
  const all = [...clients().values()];
  clients().clear();
  await Promise.all(all.map((client) => client.$disconnect()));
}
