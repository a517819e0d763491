import type { PoolClient } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { database, inSqlTransaction, type Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { prisma } from './client';
import { inTransaction, type Transaction } from './transaction';

useDatabase();

const pidOf = async (tx: Transaction) => {
  const { rows } = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const [prismas] = await tx.prisma.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return { sql: rows[0]?.pid, prisma: prismas?.pid };
};
const insert = (tx: Transaction, id: string) => tx.prisma.organization.create({ data: { id, name: 'Acme' } });
const count = (id: string) => prisma().organization.count({ where: { id } });

describe('a transaction', () => {
  it('runs SQL and Prisma on one connection, also when thirty run at once', async () => {
    const pids = await Promise.all(Array.from({ length: 30 }, () => inTransaction(pidOf)));
    for (const { sql, prisma } of pids) expect(prisma).toBe(sql);
    expect(new Set(pids.map(({ sql }) => sql)).size).toBeGreaterThan(1);
  });

  it('shows SQL what Prisma wrote and Prisma what SQL wrote, and commits both', async () => {
    const first = newId();
    const second = newId();
    await inTransaction(async (tx) => {
      await insert(tx, first);
      expect((await tx.query('SELECT FROM organizations WHERE id = $1', [first])).rowCount).toBe(1);
      await tx.query(`INSERT INTO organizations (id, name) VALUES ($1, 'Acme')`, [second]);
      expect(await tx.prisma.organization.count({ where: { id: second } })).toBe(1);
      expect(await count(first), 'seen from outside before the commit').toBe(0);
    });
    expect([await count(first), await count(second)]).toEqual([1, 1]);
  });

  it('ends once when the work throws, whoever began it', async () => {
    const notices: (string | undefined)[] = [];
    const noteNotices = (client: PoolClient) => client.on('notice', ({ message }) => notices.push(message));
    database().on('acquire', noteNotices);
    onTestFinished(() => void database().off('acquire', noteNotices));
    const fault = new Error('refused');
    const fail = async (tx: Sql) => {
      await tx.query('SELECT 1');
      throw fault;
    };
    await expect(inTransaction(fail)).rejects.toBe(fault);
    await expect(inSqlTransaction(fail)).rejects.toBe(fault);
    expect(notices).toEqual([]);
  });

  it('rolls back both when the work throws, and throws the same error', async () => {
    const first = newId();
    const second = newId();
    const failure = new Error('stop');
    const work = inTransaction(async (tx) => {
      await insert(tx, first);
      await tx.query(`INSERT INTO organizations (id, name) VALUES ($1, 'Acme')`, [second]);
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    expect([await count(first), await count(second)]).toEqual([0, 0]);
  });

  it('gives a transaction inside another its own connection', async () => {
    const [outer, inner] = await inTransaction(async (tx) => [await pidOf(tx), await inTransaction(pidOf)]);
    expect(inner.sql).not.toBe(outer.sql);
    expect(inner.prisma).toBe(inner.sql);
  });

  it('replaces a connection that breaks, and returns every other one to the pool', async () => {
    const broken = inTransaction((tx) => tx.query('SELECT pg_terminate_backend(pg_backend_pid())'));
    await expect(broken).rejects.toThrow();
    await Promise.allSettled(Array.from({ length: 25 }, () => inTransaction(() => Promise.reject(new Error('stop')))));
    expect(await inTransaction(pidOf)).toMatchObject({ sql: expect.any(Number) });
    expect(database().totalCount).toBe(database().idleCount);
  });

  it('shares its connection with a second copy of this module, as the web process has one', async () => {
    vi.resetModules();
    const copy = await import('./transaction');
    expect(copy.inTransaction).not.toBe(inTransaction);
    const { sql, prisma: prismas } = await copy.inTransaction(pidOf);
    expect(prismas).toBe(sql);
  });

  it('is refused when it is opened through Prisma directly', async () => {
    await expect(prisma().$transaction((tx) => tx.organization.count())).rejects.toThrow('inTransaction');
  });
});
