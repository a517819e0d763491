import type { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { DatabaseClient } from './database-client';

const db = useDatabase();

const ROWS = 32;
const ROW_BYTES = 256 * 1024;

it('reads a large result in several turns of the event loop, and returns all of it', async () => {
  const client = new DatabaseClient({ connectionString: db.url });
  await client.connect();
  onTestFinished(() => client.end());
  let ofTurn = 0;
  let most = 0;
  let isDone = false;
  (client as unknown as { connection: { stream: Socket } }).connection.stream.on('data', (chunk: Buffer) => {
    ofTurn += chunk.length;
    most = Math.max(most, ofTurn);
  });
  const startTurn = () => {
    ofTurn = 0;
    // The result arrives faster than it is read.
    for (const end = performance.now() + 5; performance.now() < end; );
    if (!isDone) setImmediate(startTurn);
  };
  startTurn();
  const { rows } = await client.query(`SELECT repeat('x', ${ROW_BYTES}) AS text FROM generate_series(1, ${ROWS})`);
  isDone = true;
  expect(rows.map(({ text }) => text.length)).toEqual(Array(ROWS).fill(ROW_BYTES));
  expect(most).toBeLessThanOrEqual(512 * 1024);
});

it('waits for the result of a statement, and for none after the server has ended the connection', async () => {
  const client = new DatabaseClient({ connectionString: db.url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  const sleeping = expect(client.query('SELECT pg_sleep(60)')).rejects.toThrow();
  expect(client.isWaiting).toBe(true);
  await run('SELECT pg_terminate_backend($1)', rows[0].pid);
  await Promise.all([sleeping, ended]);
  await expect(client.query('ROLLBACK')).rejects.toThrow();
  expect(client.isWaiting).toBe(false);
});
