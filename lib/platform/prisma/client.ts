import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { database } from '@/lib/platform/db';
import { once, setOnce } from '@/lib/platform/globals';
import { type Prisma, PrismaClient } from './generated/client';

/** What a query function takes: the client, or the client of a transaction. */
export type Database = PrismaClient | Prisma.TransactionClient;

/** The connection that `inTransaction` lends to the transaction that Prisma opens in the same call. */
export const lentConnection = new AsyncLocalStorage<pg.PoolClient | null>();

/** Prisma must not end a transaction that PostgreSQL's own timeouts would let run (lib/platform/database-limits.ts). */
const TRANSACTION = { maxWait: 10_000, timeout: 10 * 60_000 };

/** The process's one Prisma client, on the pool that SQL uses too. Transactions: `inTransaction` of ./transaction.ts. */
export function prisma(): PrismaClient {
  return once(
    'prisma',
    () => new PrismaClient({ adapter: new PrismaPg(lendingPool()), transactionOptions: TRANSACTION }),
  );
}

/**
 * The pool as Prisma sees it: to open a transaction, Prisma takes the lent connection. Single statements go through
 * `pool.query`, which calls `connect` with a callback.
 */
function lendingPool(): pg.Pool {
  const pool = database();
  const connect = (...args: [] | Parameters<pg.Pool['connect']>) =>
    args.length === 0 ? takeLentConnection() : pool.connect(...args);
  return new Proxy(pool, {
    get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name)),
  });
}

async function takeLentConnection(): Promise<pg.PoolClient> {
  const client = lentConnection.getStore() ?? null;
  if (client !== null) return client;
  throw new Error('A transaction is opened with inTransaction of lib/platform/prisma/transaction.ts.');
}

/** Disconnects Prisma; the pool is closed by `closeDatabase`. */
export async function closePrisma(): Promise<void> {
  const client = once<PrismaClient | null>('prisma', () => null);
  setOnce('prisma', undefined);
  await client?.$disconnect();
}
