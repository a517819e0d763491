import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useDatabase } from '@/tests/database';
import { database, inTransaction } from './db';

useDatabase();

it('a transaction whose connection is cut between two statements fails, and the process goes on', async () => {
  const cut = inTransaction(async (tx) => {
    const { rows } = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await database().query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await sleep(50);
    await tx.query('SELECT 1');
  });
  await expect(cut).rejects.toThrow();
  expect((await database().query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

it('a transaction that throws leaves nothing behind, one that returns is kept', async () => {
  await database().query('CREATE TABLE kept (n int)');
  const refused = inTransaction(async (tx) => {
    await tx.query('INSERT INTO kept VALUES (1)');
    throw new Error('no');
  });
  await expect(refused).rejects.toThrow('no');
  await inTransaction((tx) => tx.query('INSERT INTO kept VALUES (2)'));
  expect((await database().query('SELECT n FROM kept')).rows).toEqual([{ n: 2 }]);
});
