import { describe, expect, it } from 'vitest';
import type { Target } from '@/lib/delivery/engine/types';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { makeDispatcher } from '@/tests/delivery/dispatcher';
import { startWorker } from '@/tests/delivery/worker';
import { insertEndpoint, insertEvents } from '@/tests/fixtures/deliveries';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { claimBacklog } from './claim-backlog';
import { BEGINNING } from './low-watermarks';
import { permitsFor } from './permits';

useDatabase();

const limit = (id: string, requests: number, seconds: number) =>
  database().query('UPDATE endpoints SET rate_requests = $2, rate_seconds = $3 WHERE id = $1', [id, requests, seconds]);

/** Makes an endpoint with due deliveries. */
async function makeDue(count: number) {
  const { id, projectId } = await insertEndpoint({ url: 'http://receiver.test/' });
  for (const eventId of await insertEvents(projectId, count)) {
    await database().query(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, next_attempt_at, attempt_count, schedule_step)
       VALUES ($1, $2, $3, $4, 'PENDING', now(), 0, 0)`,
      [newId(), projectId, eventId, id],
    );
  }
  return id;
}
const take = async (id: string, room: number, requests: number, seconds: number) => {
  const target = { id, rateLimit: { requests, seconds } } as Target;
  const permit = (await permitsFor(database(), [target], new Map([[id, room]]), BEGINNING)).get(id);
  if (permit === undefined) throw new Error('no answer');
  return permit;
};

describe('permits of an endpoint with a rate limit', () => {
  it('are as many as are due, wanted, and left of the window, and say when to ask again', async () => {
    const id = await makeDue(8);
    expect(await take(id, 3, 5, 60)).toMatchObject({ count: 3, againInMs: null });
    const second = await take(id, 5, 5, 60);
    expect(second.count).toBe(2);
    // Not the whole window: the limit may be changed.
    expect(second.againInMs).toBe(2_000);
    expect((await take(id, 5, 5, 60)).count).toBe(0);
    expect((await take(id, 5, 6, 60)).count, 'with a higher limit').toBe(1);
    await database().query('DELETE FROM deliveries WHERE endpoint_id = $1', [id]);
    expect(await take(id, 5, 5, 60)).toMatchObject({ count: 0, againInMs: null });
  });

  it('never exceed the limit when many workers take them at the same time, also the first ones', async () => {
    const id = await makeDue(60);
    const taken = await Promise.all(Array.from({ length: 20 }, () => take(id, 3, 25, 60)));
    expect(taken.reduce((sum, { count }) => sum + count, 0)).toBe(25);
  });

  it('come back after the window', async () => {
    const id = await makeDue(4);
    expect((await take(id, 4, 2, 1)).count).toBe(2);
    await waitFor('the next window', async () => (await take(id, 4, 2, 1)).count === 2);
    const [row] = await select<{ sums: number }>(
      `SELECT cardinality(counts) AS sums FROM endpoint_permits WHERE endpoint_id = '${id}'`,
    );
    expect(row?.sums).toBeLessThanOrEqual(30);
  });
});

it('permits are given back for deliveries that another worker claims meanwhile, and kept for the others', async () => {
  const id = await makeDue(5);
  await limit(id, 10, 60);
  const [{ project_id: projectId } = { project_id: '' }] = await select<{ project_id: string }>(
    'SELECT project_id FROM endpoints WHERE id = $1',
    id,
  );
  const { dispatcher, sending } = makeDispatcher();
  dispatcher.backlog.set(id, projectId, true);
  await inSqlTransaction(async (tx) => {
    await tx.query('SELECT FROM deliveries WHERE endpoint_id = $1 LIMIT 3 FOR UPDATE', [id]);
    await claimBacklog(dispatcher, { deliveries: BEGINNING });
  });
  expect(sending).toHaveLength(2);
  expect(await select('SELECT counts FROM endpoint_permits WHERE endpoint_id = $1', id)).toEqual([{ counts: [2] }]);
});

describe('an endpoint with a rate limit', () => {
  it('gets no more than its limit in any window from two workers, in the end everything, and delays no other endpoint', async () => {
    const limited = await startReceiver();
    const other = await startReceiver();
    const { id, projectId } = await insertEndpoint({ url: limited.url });
    await limit(id, 6, 2);
    const free = await insertEndpoint({ url: other.url });
    await startWorker();
    await startWorker();
    await insertEvents(projectId, 18);
    await insertEvents(free.projectId, 18);
    await waitFor('the others', () => other.received.length === 18);
    expect(limited.received.length).toBeLessThanOrEqual(12);
    await waitFor('the limited ones', () => limited.received.length === 18, 20_000);
    const at = limited.received.map(({ at: time }) => time).sort((a, b) => a - b);
    const busiest = Math.max(...at.map((start) => at.filter((time) => time >= start && time < start + 1_800).length));
    expect(busiest).toBeLessThanOrEqual(6);
  });
});
