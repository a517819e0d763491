import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isDatabaseUnreachable, isStatementCanceled } from '@/lib/platform/database-errors';
import { useDatabase } from '@/tests/database/use-database';
import { waitFor } from '@/tests/http/receiver';
import { openDatabaseProxy, type TcpProxy } from '@/tests/http/tcp-proxy';
import { setTestConfig } from '@/tests/setup/variables';
import { closeDatabase, database, inSqlTransaction, sqlWithTimeout } from './db';
import { closePrisma, prisma } from './prisma/client';
import { inTransaction } from './prisma/transaction';

const { url } = useDatabase();
let proxy: TcpProxy;

beforeAll(async () => {
  const opened = await openDatabaseProxy(url);
  proxy = opened.proxy;
  setTestConfig({ DATABASE_URL: opened.through });
  await closeDatabase();
});

afterEach(async () => {
  await closePrisma();
  await closeDatabase();
});

afterAll(() => proxy.cut());

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Opens idle connections. */
async function openIdle(count: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: count }, () => database().connect()));
  for (const client of clients) client.release();
}

describe('when the network drops the packets of open connections', () => {
  it('statements, transactions and Prisma calls fail as an unreachable database, and the next ones work', async () => {
    await openIdle(10);
    const inTheMiddle = inSqlTransaction(async (tx) => {
      await tx.query('SELECT 1');
      proxy.freeze();
      await tx.query('SELECT 2');
    });
    await waitFor('the freeze', async () => proxy.frozenCount > 0);
    const faults = await Promise.all(
      [
        inTheMiddle,
        database().query('SELECT 1'),
        prisma().$queryRaw`SELECT 1`,
        inTransaction((tx) => tx.prisma.$queryRaw`SELECT 1`),
      ].map(faultOf),
    );
    expect(faults.map(isDatabaseUnreachable)).toEqual([true, true, true, true]);
    // All idle connections were destroyed, also those on which nothing was tried.
    const next = await Promise.all(Array.from({ length: 20 }, () => database().query('SELECT 1 AS one')));
    expect(next.every(({ rows }) => rows[0].one === 1)).toBe(true);
    expect(await prisma().$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  });

  it('a connection that cannot be opened fails as an unreachable database', async () => {
    proxy.freeze({ andNew: true });
    expect(isDatabaseUnreachable(await faultOf(database().query('SELECT 1')))).toBe(true);
    proxy.thaw();
    expect((await database().query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('the server releases the row locks of a silent transaction', async () => {
    await database().query('CREATE TABLE held (n int); INSERT INTO held VALUES (1)');
    const holding = await database().connect();
    await holding.query('BEGIN; UPDATE held SET n = 2');
    proxy.freeze();
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query("SET lock_timeout = '30s'; UPDATE held SET n = 3");
    expect((await other.query('SELECT n FROM held')).rows).toEqual([{ n: 3 }]);
    await other.end();
    holding.release(true);
  });
});

describe('a statement that takes too long on the server', () => {
  it('is canceled without losing the connection, unless it has a longer timeout, which later statements do not have', async () => {
    const [fault, ...longer] = await Promise.all([
      faultOf(database().query('SELECT pg_sleep(60)')),
      inSqlTransaction((tx) => tx.query('SELECT pg_sleep(8)'), { statementMs: 60_000 }),
      sqlWithTimeout(60_000).query('SELECT pg_sleep(8)'),
    ]);
    expect([isStatementCanceled(fault), isDatabaseUnreachable(fault)]).toEqual([true, false]);
    expect(longer.map(({ rowCount }) => rowCount)).toEqual([1, 1]);
    const byPrisma = await faultOf(
      inTransaction((tx) => tx.prisma.$queryRaw`SELECT 1 FROM pg_sleep(9)`, { statementMs: 10 }),
    );
    expect(isStatementCanceled(byPrisma)).toBe(true);
    expect(isStatementCanceled(await faultOf(database().query('SELECT 1 / 0')))).toBe(false);
    const limits = await Promise.all(Array.from({ length: 10 }, () => database().query('SHOW statement_timeout')));
    expect(new Set(limits.map(({ rows }) => rows[0].statement_timeout))).toEqual(new Set(['7s']));
  });

  it('restores the short timeout when a statement with a long one fails', async () => {
    await faultOf(sqlWithTimeout(60_000).query('SELECT 1 / 0'));
    expect((await database().query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '7s' }]);
  });
});
