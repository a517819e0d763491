import { expect, it } from 'vitest';
import { isStatementCanceled } from '@/lib/platform/database-errors';
import { database } from '@/lib/platform/db';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { useDatabase } from '@/tests/database/use-database';

useDatabase();

/** Locks both rows in the opposite order of another transaction, at the same time. @returns the error of the one that was ended */
async function deadlock(query: (text: string) => Promise<unknown>, commit: () => Promise<unknown>): Promise<unknown> {
  const other = await database().connect();
  try {
    await other.query('BEGIN; SELECT FROM held WHERE n = 2 FOR UPDATE');
    await query('SELECT FROM held WHERE n = 1 FOR UPDATE');
    const [own, others] = await Promise.allSettled([
      query('SELECT FROM held WHERE n = 2 FOR UPDATE').then(commit),
      other.query('SELECT FROM held WHERE n = 1 FOR UPDATE').then(() => other.query('COMMIT')),
    ]);
    return own.status === 'rejected' ? own.reason : others.status === 'rejected' ? others.reason : null;
  } finally {
    other.release(true);
  }
}

it('a deadlock counts as a canceled statement, which the client may send again', async () => {
  await database().query('CREATE TABLE held (n int); INSERT INTO held VALUES (1), (2)');
  const own = await database().connect();
  await own.query('BEGIN');
  const fault = await deadlock(
    (text) => own.query(text),
    () => own.query('COMMIT'),
  );
  own.release(true);
  expect(fault).toMatchObject({ code: '40P01' });
  expect(isStatementCanceled(fault)).toBe(true);
});

it('so does a deadlock that Prisma reports', async () => {
  const faults: unknown[] = [];
  await inTransaction(async (tx) => {
    // The server ends the transaction that waits last, so both sides try.
    faults.push(
      await deadlock(
        (text) => tx.prisma.$executeRawUnsafe(text),
        async () => undefined,
      ),
    );
  }).catch((error: unknown) => faults.push(error));
  expect(faults.some(isStatementCanceled)).toBe(true);
});
