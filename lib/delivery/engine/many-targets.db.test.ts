import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker, stopWorker } from '@/tests/delivery/worker';
import {
  insertCustomer,
  insertEndpoint,
  insertEvents,
  insertProject,
  readAttempts,
  readDeliveries,
} from '@/tests/fixtures/deliveries';
import { respondWith, startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase({ DELIVERY_RETRY_SECONDS: '3600' });

beforeEach(() => database().query('TRUNCATE deliveries, outbox'));

/** Measures how many milliseconds a worker takes to deliver events to a healthy endpoint without other load. */
async function timeAlone(url: string, count: number): Promise<number> {
  const endpoint = await insertEndpoint({ url });
  const worker = await startWorker();
  const startedAt = performance.now();
  await insertEvents(endpoint.projectId, count);
  await waitFor('deliveries without others', isSettled(endpoint.id, count));
  const tookMs = performance.now() - startedAt;
  await stopWorker(worker);
  return tookMs;
}

describe('a receiver that hangs', () => {
  it('delays no other receiver, however many deliveries are due for it', async () => {
    const hanging = await startReceiver(() => undefined);
    const healthy = await startReceiver();
    // On a busy machine they take long without the hanging receiver.
    const boundMs = Math.max(1_000, 4 * (await timeAlone(healthy.url, 50)));
    const flooded = await insertEndpoint({ url: hanging.url });
    const [eventId] = await insertEvents(flooded.projectId, 1);
    await sqlWithTimeout(LONG_STATEMENT_MS).query('DELETE FROM outbox');
    await sqlWithTimeout(LONG_STATEMENT_MS).query(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, next_attempt_at)
       SELECT gen_random_uuid(), $1, $2, $3, now() - interval '1 hour' FROM generate_series(1, 50000)`,
      [flooded.projectId, eventId, flooded.id],
    );
    await startWorker();
    await waitFor('the hanging attempts', () => hanging.received.length === 20);
    const endpoint = await insertEndpoint({ url: healthy.url });
    const started = performance.now();
    await insertEvents(endpoint.projectId, 50);
    await waitFor('the deliveries', isSettled(endpoint.id, 50));
    expect(performance.now() - started).toBeLessThan(boundMs);
    // The same for deliveries that are claimed.
    await database().query(`UPDATE deliveries SET status = 'PENDING', next_attempt_at = now() WHERE endpoint_id = $1`, [
      endpoint.id,
    ]);
    const again = performance.now();
    await database().query(`SELECT pg_notify('eds_delivery', '')`);
    await waitFor('the claimed ones', isSettled(endpoint.id, 50));
    expect(performance.now() - again).toBeLessThan(boundMs);
    expect(hanging.received.length).toBe(20);
  });
});

describe('a customer whose endpoints hang', () => {
  it('has its events taken in turn with those of another customer of the project', async () => {
    const hanging = await startReceiver(() => undefined);
    const healthy = await startReceiver();
    const projectId = await insertProject();
    const [busy, quick] = [await insertCustomer(projectId), await insertCustomer(projectId)];
    for (let count = 0; count < 20; count += 1) {
      await insertEndpoint({ url: `${hanging.url}/${count}`, projectId, customerId: busy });
    }
    await insertEndpoint({ url: healthy.url, projectId, customerId: quick });
    await insertEvents(projectId, 1_000, { customerId: busy });
    await insertEvents(projectId, 10, { customerId: quick });
    await startWorker();
    await waitFor('the deliveries of the other customer', () => healthy.received.length === 10);
    const { rows } = await database().query(
      'SELECT count(*)::int AS count FROM outbox WHERE customer_id = $1 AND attempts = 0',
      [busy],
    );
    expect(rows[0].count).toBeGreaterThan(0);
  });
});

describe('an endpoint', () => {
  it('gets each event once when more arrive than it can receive at once', async () => {
    const receiver = await startReceiver((response) => setTimeout(() => response.end(), 2));
    const endpoint = await insertEndpoint({ url: receiver.url });
    await startWorker({ targetConcurrency: 4 });
    for (let batch = 0; batch < 10; batch += 1) await insertEvents(endpoint.projectId, 50);
    await waitFor('the deliveries', isSettled(endpoint.id, 500), 120_000);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(500);
    expect(receiver.received).toHaveLength(500);
  });

  it('that is disabled gets no waiting delivery; they fail with the reason', async () => {
    const receiver = await startReceiver((response) => setTimeout(() => response.writeHead(410).end(), 150));
    const endpoint = await insertEndpoint({ url: receiver.url });
    await startWorker({ targetConcurrency: 1 });
    await insertEvents(endpoint.projectId, 30);
    await waitFor('the end of all', isSettled(endpoint.id, 30));
    const deliveries = await readDeliveries(endpoint.id);
    const unsent = deliveries.filter(({ last_error }) => last_error === 'Endpoint is disabled');
    expect(unsent.length).toBe(30 - receiver.received.length);
    expect(unsent.length).toBeGreaterThan(20);
    for (const delivery of unsent) expect(delivery).toMatchObject({ status: 'FAILED', attempt_count: 0 });
  });

  it('that is enabled again before a retry is due gets that retry', async () => {
    const receiver = await startReceiver((response, index, request) =>
      respondWith(index === 0 ? 500 : 200)(response, index, request),
    );
    const endpoint = await insertEndpoint({ url: receiver.url });
    await startWorker();
    await insertEvents(endpoint.projectId, 1);
    await waitFor('the failure', async () => (await readAttempts(endpoint.id)).length === 1);
    const setEnabled = (enabled: boolean) =>
      database().query('UPDATE endpoints SET enabled = $2 WHERE id = $1', [endpoint.id, enabled]);
    await setEnabled(false);
    await sleep(1_100);
    await setEnabled(true);
    await database().query('UPDATE deliveries SET next_attempt_at = now() WHERE endpoint_id = $1', [endpoint.id]);
    await waitFor('the retry', isSettled(endpoint.id, 1));
    expect(await readDeliveries(endpoint.id)).toMatchObject([{ status: 'SUCCEEDED', attempt_count: 2 }]);
  });

  it('gets its waiting deliveries at its new URL', async () => {
    const old = await startReceiver((response) => setTimeout(() => response.end(), 400));
    const changed = await startReceiver();
    const endpoint = await insertEndpoint({ url: old.url });
    await startWorker({ targetConcurrency: 1 });
    await insertEvents(endpoint.projectId, 40);
    await waitFor('the first', () => old.received.length > 0);
    await database().query('UPDATE endpoints SET url = $2 WHERE id = $1', [endpoint.id, changed.url]);
    await waitFor('the deliveries', isSettled(endpoint.id, 40));
    expect(old.received.length).toBeLessThan(12);
    expect(old.received.length + changed.received.length).toBe(40);
  });
});

describe('a worker that stops', () => {
  it('releases its queued work at once, lets attempts end, and records them', async () => {
    const underWay: ServerResponse[] = [];
    const receiver = await startReceiver((response) => void underWay.push(response));
    const endpoint = await insertEndpoint({ url: receiver.url });
    const worker = await startWorker({ targetConcurrency: 5 });
    await insertEvents(endpoint.projectId, 50);
    await waitFor('attempts', () => underWay.length === 5);
    const countDue = async () =>
      (await readDeliveries(endpoint.id)).filter(
        ({ next_attempt_at }) => next_attempt_at !== null && next_attempt_at.getTime() <= Date.now(),
      ).length;
    let hasStopped = false;
    const stopping = stopWorker(worker, 15_000).then(() => {
      hasStopped = true;
    });
    await waitFor('the rest to be released', async () => (await countDue()) === 45);
    expect(hasStopped).toBe(false);
    const started = performance.now();
    for (const response of underWay) response.end();
    await stopping;
    expect(performance.now() - started).toBeLessThan(5_000);
    const deliveries = await readDeliveries(endpoint.id);
    expect(deliveries.filter(({ status }) => status === 'SUCCEEDED')).toHaveLength(5);
    expect(await countDue()).toBe(45);
    expect(receiver.received).toHaveLength(5);
  });

  it('cuts off and releases attempts that do not end in time, and does not count them', async () => {
    const hanging = await startReceiver(() => undefined);
    const endpoint = await insertEndpoint({ url: hanging.url });
    const worker = await startWorker();
    await insertEvents(endpoint.projectId, 3);
    await waitFor('attempts', () => hanging.received.length === 3);
    const started = performance.now();
    await stopWorker(worker, 2_000);
    expect(performance.now() - started).toBeLessThan(2_000);
    for (const delivery of await readDeliveries(endpoint.id)) {
      expect(delivery).toMatchObject({ status: 'PENDING', attempt_count: 0 });
      expect(delivery.next_attempt_at?.getTime()).toBeLessThanOrEqual(Date.now());
    }
  });
});
