import { expect, it } from 'vitest';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { FEW_TRIES, isLockUnavailable, retryLockedTransaction } from './retry-locked-transaction';

useDatabase();

it('yields to the other transaction of a deadlock, and commits after it', async () => {
  await database().query('CREATE TABLE counters (id int PRIMARY KEY, value int NOT NULL)');
  await database().query('INSERT INTO counters VALUES (1, 0), (2, 0)');
  const add = (id: number) => `UPDATE counters SET value = value + 1 WHERE id = ${id}`;
  let firstHeld = () => {};
  const hasFirst = new Promise<void>((resolve) => {
    firstHeld = resolve;
  });
  const ordinary = inSqlTransaction(async (tx) => {
    await tx.query(add(2));
    await hasFirst;
    await tx.query(add(1));
  });
  const yielding = retryLockedTransaction(async (tx) => {
    await tx.query(add(1));
    firstHeld();
    await tx.query(add(2));
  });
  await Promise.all([ordinary, yielding]);
  const { rows } = await database().query('SELECT value FROM counters');
  expect(rows).toEqual([{ value: 2 }, { value: 2 }]);
});

it('gives up when a lock stays taken, with an error that allows a retry', async () => {
  await database().query('CREATE TABLE held (id int PRIMARY KEY)');
  await database().query('INSERT INTO held VALUES (1)');
  await inSqlTransaction(async (holder) => {
    await holder.query('SELECT FROM held FOR UPDATE');
    const refused = retryLockedTransaction((tx) => tx.query('SELECT FROM held FOR UPDATE'), FEW_TRIES);
    const error = await refused.catch((reason: unknown) => reason);
    expect(isLockUnavailable(error)).toBe(true);
    expect(error).toMatchObject({ code: 'unavailable', options: { retryAfterSeconds: 5 } });
  });
});

it('throws any other error at once', async () => {
  await expect(retryLockedTransaction((tx) => tx.query('SELECT 1 / 0'))).rejects.toMatchObject({ code: '22012' });
});
