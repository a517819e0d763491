import { beforeEach, describe, expect, it } from 'vitest';
import type { EventSummary } from '@/lib/events/schema';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { useProjects } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { startTestRun } from '@/tests/retention/test-run';
import { cleanEvents } from './clean-events';

useDatabase();
const projects = useProjects();

beforeEach(() => database().query('TRUNCATE outbox, delivery_attempts, deliveries, events'));

const send = (data: object, key = 'order-1') =>
  call<EventSummary>('POST', '/api/v1/events', {
    apiKey: projects.mine.key,
    body: { type: 'order.paid', data },
    headers: { 'idempotency-key': key },
  });

/** Lets the window of every event pass, and cleans. */
async function expire(): Promise<void> {
  await cleanEvents.clean(await startTestRun({ now: addMs(new Date(), 91 * DAY_MS) }));
}

describe('an event that retention has removed', () => {
  it('frees its Idempotency-Key, also for another body', async () => {
    const first = await send({ total: 1 });
    await database().query('DELETE FROM outbox');
    expect((await send({ total: 2 })).status).toBe(409);
    await cleanEvents.clean(await startTestRun());
    expect((await send({ total: 1 })).json.id).toBe(first.json.id);
    await expire();
    const second = await send({ total: 2 });
    expect(second.status).toBe(202);
    expect(second.json.id).not.toBe(first.json.id);
  });

  it('is not found, nor are its deliveries, and lists omit them', async () => {
    const { json: event } = await send({ total: 1 });
    const endpoint = await insertEndpoint({ url: 'https://receiver.example/', projectId: projects.mine.id });
    const deliveryId = newId();
    await database().query('DELETE FROM outbox');
    await database().query(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status) VALUES ($1, $2, $3, $4, 'FAILED')`,
      [deliveryId, projects.mine.id, event.id, endpoint.id],
    );
    const base = `/api/v1/projects/${projects.mine.id}`;
    const get = (path: string) => call('GET', base + path, { bearer: projects.mine.owner.accessToken });
    const paths = [`/events/${event.id}`, `/deliveries/${deliveryId}`, `/deliveries/${deliveryId}/attempts`];
    for (const path of paths) expect((await get(path)).status, path).toBe(200);
    await expire();
    for (const path of paths) expect((await get(path)).status, path).toBe(404);
    const retry = await call('POST', `${base}/deliveries/${deliveryId}/retry`, {
      bearer: projects.mine.owner.accessToken,
    });
    expect(retry.status).toBe(404);
    for (const path of ['/events', '/deliveries', `/deliveries?eventId=${event.id}`]) {
      const response = await get(path);
      expect([response.status, response.json], path).toEqual([200, { data: [], nextCursor: null }]);
    }
  });

  it('answers only 200 or 404 while it is removed', async () => {
    const { json: event } = await send({ total: 1 });
    await database().query('DELETE FROM outbox');
    const path = `/api/v1/projects/${projects.mine.id}/events/${event.id}`;
    const asked = Array.from({ length: 20 }, () => call('GET', path, { bearer: projects.mine.owner.accessToken }));
    const [responses] = await Promise.all([Promise.all(asked), expire()]);
    for (const { status } of responses) expect([200, 404]).toContain(status);
  });
});
