import { PrismaPg } from '@prisma/adapter-pg';
import { database } from '@/lib/platform/db';
import { once, setOnce } from '@/lib/platform/globals';
import { type Prisma, PrismaClient } from './generated/client';

/** What a query function takes: the client, or the client of a transaction. */
export type Database = PrismaClient | Prisma.TransactionClient;

/** As long as the pool itself waits for a connection, and by far longer than any of our transactions takes. */
const TRANSACTION = { maxWait: 10_000, timeout: 30_000 };

/** The process's one Prisma client, on the pool that plain SQL uses too. */
export function prisma(): PrismaClient {
  return once('prisma', () => new PrismaClient({ adapter: new PrismaPg(database()), transactionOptions: TRANSACTION }));
}

/** Disconnects Prisma; the pool is closed by `closeDatabase`. */
export async function closePrisma(): Promise<void> {
  const client = once<PrismaClient | null>('prisma', () => null);
  setOnce('prisma', undefined);
  await client?.$disconnect();
}
