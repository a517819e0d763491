import { expect, it, onTestFinished, vi } from 'vitest';
import { readDatabaseSizes } from '@/lib/platform/database-sizes';
import { database, hotDatabase } from '@/lib/platform/db';
import { WakeListener } from '@/lib/platform/wake-listener';
import { useDatabase } from '@/tests/database/use-database';
import { waitFor } from '@/tests/http/receiver';
import { setCellNodes } from './cell-nodes';
import { currentSearchPath } from './current-cell';

const db = useDatabase();

const cellOfWork = () => currentSearchPath().split(',')[0] ?? '';

/** This server by another name, as another machine of a cluster. */
function placeElsewhere(): void {
  onTestFinished(() => setCellNodes([], false));
  setCellNodes([{ cell: cellOfWork(), host: 'localhost', port: Number(new URL(db.url).port) }], true);
}

it('statements of ingest and delivery go to the machine that has the cell, also when that changes; others do not', async () => {
  const before = hotDatabase();
  placeElsewhere();
  const elsewhere = hotDatabase();
  expect(elsewhere.options.connectionString).toContain('@localhost:');
  expect(database().options.connectionString).toBe(db.url);
  await expect(elsewhere.query('SELECT FROM events')).resolves.toMatchObject({ rows: [] });
  expect(before.ended).toBe(true);
  setCellNodes([], false);
  expect(hotDatabase().options.connectionString).toBe(db.url);
  await vi.waitFor(() => expect(elsewhere.ended).toBe(true));
});

it('the size of the database is that of each machine', async () => {
  expect(await readDatabaseSizes()).toEqual([expect.any(Number)]);
  placeElsewhere();
  expect(await readDatabaseSizes()).toEqual([expect.any(Number), expect.any(Number)]);
});

it('a listener hears what is sent on each machine, for as long as it has a cell', async () => {
  const heard = vi.fn();
  const listener = new WakeListener({ machines: heard });
  await listener.connect();
  onTestFinished(() => listener.close());
  const send = async (payload: string) => {
    await database().query(`SELECT pg_notify('machines', $1)`, [payload]);
    const times = () => heard.mock.calls.filter(([text]) => text === payload).length;
    await waitFor(payload, async () => times() > 0);
    // Both connections lead to the same server here: what is sent once is heard on each.
    await new Promise((resolve) => setTimeout(resolve, 300));
    return times();
  };
  expect(await send('one')).toBe(1);
  placeElsewhere();
  await waitFor('the second connection', async () => heard.mock.calls.filter(([text]) => text === '').length === 2);
  expect(await send('two')).toBe(2);
  setCellNodes([], false);
  // The second connection ends soon, not at once.
  let sent = 0;
  await vi.waitFor(async () => expect(await send(`one again ${sent++}`)).toBe(1), 20_000);
});
