import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { waitFor } from '@/tests/http/receiver';
import { isDatabaseUnreachable, isStatementCanceled } from './database-errors';
import { database, inSqlTransaction } from './db';
import { prisma } from './prisma/client';
import { inTransaction, type Transaction } from './prisma/transaction';

const selectOne = (tx: Transaction) => tx.prisma.$queryRaw`SELECT 1`;

useDatabase();

it('a transaction is rolled back when it throws, and committed when it returns', async () => {
  await database().query('CREATE TABLE kept (n int)');
  const refused = inSqlTransaction(async (tx) => {
    await tx.query('INSERT INTO kept VALUES (1)');
    throw new Error('no');
  });
  await expect(refused).rejects.toThrow('no');
  await inSqlTransaction((tx) => tx.query('INSERT INTO kept VALUES (2)'));
  expect((await database().query('SELECT n FROM kept')).rows).toEqual([{ n: 2 }]);
});

describe('a connection that the server ends counts as an unreachable database', () => {
  const end = async (pid: number | undefined) => {
    await database().query('SELECT pg_terminate_backend($1::int)', [pid]);
    await sleep(50);
  };
  const PID = 'SELECT pg_backend_pid() AS pid';
  const faultOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  it.each([
    ['between two statements', true],
    ['before the commit', false],
  ])('%s of a transaction, Prisma’s too', async (_when, isFollowed) => {
    const plain = inSqlTransaction(async (tx) => {
      await end((await tx.query<{ pid: number }>(PID)).rows[0]?.pid);
      if (isFollowed) await tx.query('SELECT 1');
    });
    const byPrisma = inTransaction(async ({ prisma: tx }) => {
      await end((await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`)[0]?.pid);
      if (isFollowed) await tx.$queryRaw`SELECT 1`;
    });
    expect((await Promise.all([plain, byPrisma].map(faultOf))).map(isDatabaseUnreachable)).toEqual([true, true]);
  });

  it('in the middle of a statement, Prisma’s too', async () => {
    const running = [
      faultOf(database().query('SELECT pg_sleep(60)')),
      faultOf(prisma().$queryRaw`SELECT pg_sleep(60)`),
    ];
    const findSleepers = async () =>
      (
        await database().query<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event = 'PgSleep' AND pid <> pg_backend_pid()`,
        )
      ).rows;
    await waitFor('both to sleep', async () => (await findSleepers()).length === 2);
    for (const { pid } of await findSleepers()) await end(pid);
    expect((await Promise.all(running)).map(isDatabaseUnreachable)).toEqual([true, true]);
  });

  it('as does a connection that is not available in time, or whose transaction took too long', async () => {
    const held = await Promise.all(Array.from({ length: 10 }, () => database().connect()));
    const { options } = database();
    const { connectionTimeoutMillis } = options;
    options.connectionTimeoutMillis = 20;
    const waiting = [faultOf(inSqlTransaction((tx) => tx.query('SELECT 1'))), faultOf(inTransaction(selectOne))];
    expect((await Promise.all(waiting)).map(isDatabaseUnreachable)).toEqual([true, true]);
    Object.assign(options, { connectionTimeoutMillis });
    for (const client of held) client.release();
    expect(isDatabaseUnreachable(Object.assign(new Error('Transaction already closed'), { code: 'P2028' }))).toBe(true);
    // A raw query whose connection was cut before the server answered.
    const cut = { driverAdapterError: { name: 'DriverAdapterError', cause: { kind: 'ConnectionClosed' } } };
    expect(isDatabaseUnreachable({ code: 'P2010', message: 'Raw query failed', meta: cut })).toBe(true);
  });

  it('but a statement that the database rejects does not', async () => {
    const refused = [database().query('SELECT 1 / 0'), prisma().$queryRaw`SELECT 1 / 0`];
    expect((await Promise.all(refused.map(faultOf))).map(isDatabaseUnreachable)).toEqual([false, false]);
  });
});

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
