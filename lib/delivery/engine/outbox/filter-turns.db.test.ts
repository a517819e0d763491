import { beforeEach, expect, it } from 'vitest';
import type { OutboxEntry } from '@/lib/delivery/engine/types';
import { SECOND_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents } from '@/tests/fixtures/deliveries';
import { takeFrom } from '@/tests/fixtures/outbox';
import { waitFor } from '@/tests/http/receiver';
import { FilterSlices, FilterTurns } from './filter-turns';

useDatabase();

beforeEach(() => database().query('DELETE FROM outbox'));

/** Takes two rows, whose leases then end in a second. */
async function takeTwo(): Promise<[OutboxEntry, OutboxEntry]> {
  const { projectId } = await insertEndpoint({ url: 'http://receiver.test/' });
  await insertEvents(projectId, 2);
  const { entries } = await takeFrom(projectId);
  for (const { entry } of entries) entry.leaseEndsAt = performance.now() + SECOND_MS;
  await database().query(`UPDATE outbox SET available_at = now() + interval '1 second'`);
  return entries.map(({ entry }) => entry) as [OutboxEntry, OutboxEntry];
}

const run = async (entries: readonly OutboxEntry[], entry: OutboxEntry) => {
  const turns = new FilterTurns('owner', entries, () => undefined);
  await turns.run(() => true, entry).finally(() => turns.end());
};

const countBlocked = async () =>
  (
    await database().query(
      `SELECT count(*)::int FROM pg_stat_activity
       WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
    )
  ).rows[0].count;

const countLeased = async () =>
  (await database().query(`SELECT count(*)::int FROM outbox WHERE available_at > now() + interval '5 seconds'`)).rows[0]
    .count;

it('keeps the leases of the rows that wait for the filters of the first one', async () => {
  const entries = await takeTwo();
  await run(entries, entries[0]);
  expect(await countLeased()).toBe(2);
  for (const { leaseEndsAt } of entries) expect(leaseEndsAt - performance.now()).toBeGreaterThan(5 * SECOND_MS);
});

it('does not keep the lease of a row whose deliveries are being stored: without them it is due again', async () => {
  const entries = await takeTwo();
  entries[1].unstored = 1;
  await run(entries, entries[0]);
  expect(await countLeased()).toBe(1);
});

it('ends at a row that another worker has taken, and does not take it back', async () => {
  const entries = await takeTwo();
  await database().query('UPDATE outbox SET attempts = attempts + 1 WHERE id = $1', [entries[1].id]);
  await run(entries, entries[0]);
  expect(await countLeased()).toBe(1);
  await expect(run(entries, entries[1])).rejects.toThrow('another worker has taken the row');
});

it('leaves the turn to other owners while it waits to keep a lease', async () => {
  const entries = await takeTwo();
  const client = await database().connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM outbox FOR UPDATE');
  const kept = run(entries, entries[0]);
  await waitFor('the statement', async () => (await countBlocked()) === 1);
  const other = new FilterSlices('other');
  await other.begin(AbortSignal.timeout(SECOND_MS)).finally(async () => {
    await client.query('ROLLBACK');
    client.release();
  });
  other.end();
  await kept;
  expect(await countLeased()).toBe(2);
});
