import { beforeAll, describe, expect, it } from 'vitest';
import type { Attempt, Delivery, Endpoint } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { call } from '@/tests/http/api-request';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();

describe('deliveries', () => {
  let endpoint: Endpoint;
  let deliveryId: string;
  let eventId: string;

  beforeAll(async () => {
    endpoint = await makeEndpoint();
    const sent = await call<{ id: string }>('POST', '/api/v1/events', {
      apiKey: projects.mine.key,
      body: { type: 'order.paid', data: {} },
    });
    eventId = sent.json.id;
    deliveryId = newId();
    await database().query(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, stored_attempts, completed_at, last_error)
       VALUES ($1, $2, $3, $4, 'FAILED', 12, 12, now(), 'HTTP 500')`,
      [deliveryId, projects.mine.id, eventId, endpoint.id],
    );
    await database().query(
      `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, response_status, succeeded)
       SELECT ('01900000-0000-7000-8000-0000000000' || lpad(n::text, 2, '0'))::uuid, $1, $2, n, now(), 5, 500, false
       FROM generate_series(1, 12) n`,
      [projects.mine.id, deliveryId],
    );
  });

  it('are listed by status, endpoint and event, and counted in the event', async () => {
    const list = async (query: string) =>
      (await call<Listing<Delivery>>('GET', `${base()}/deliveries${query}`, asOwner())).json.data.map(({ id }) => id);
    for (const query of ['', '?status=FAILED', `?endpointId=${endpoint.id}`, `?eventId=${eventId}`]) {
      expect(await list(query), query).toEqual([deliveryId]);
    }
    expect(await list('?status=PENDING')).toEqual([]);
    expect(await list(`?endpointId=${newId()}`)).toEqual([]);
    const event = await call<{ deliveries: Delivery[] }>('GET', `${base()}/events/${eventId}`, asOwner());
    expect(event.json.deliveries).toMatchObject([{ id: deliveryId, eventType: 'order.paid', lastError: 'HTTP 500' }]);
  });

  it('show the URL of their endpoint, also after it is deleted', async () => {
    const { id, url } = await makeEndpoint(projects.mine, { url: 'https://deleted.example/hook' });
    const ofDeleted = newId();
    await database().query(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status) VALUES ($1, $2, $3, $4, 'FAILED')`,
      [ofDeleted, projects.mine.id, eventId, id],
    );
    await call('DELETE', `${base()}/endpoints/${id}`, asOwner());
    const read = await call<Delivery>('GET', `${base()}/deliveries/${ofDeleted}`, asOwner());
    expect(read.json).toMatchObject({ targetUrl: url, sourceId: null });
    const path = `${base()}/deliveries?eventId=${eventId}`;
    const listed = (await call<Listing<Delivery>>('GET', path, asOwner())).json.data;
    expect(listed.map(({ targetUrl }) => targetUrl)).toEqual([url, endpoint.url]);
    const event = await call<{ deliveries: Delivery[] }>('GET', `${base()}/events/${eventId}`, asOwner());
    expect(event.json.deliveries).toEqual(listed);
    await database().query('DELETE FROM deliveries WHERE id = $1', [ofDeleted]);
  });

  it('list their attempts newest first, in pages', async () => {
    const path = `${base()}/deliveries/${deliveryId}/attempts?limit=10`;
    const first = await call<Listing<Attempt>>('GET', path, asOwner());
    const second = await call<Listing<Attempt>>('GET', `${path}&cursor=${first.json.nextCursor}`, asOwner());
    const numbers = [...first.json.data, ...second.json.data].map(({ attemptNumber }) => attemptNumber);
    expect(numbers).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('are due at once after a retry, whether they failed or succeeded', async () => {
    for (const status of ['FAILED', 'SUCCEEDED']) {
      await database().query(`UPDATE deliveries SET status = $2::"DeliveryStatus", schedule_step = 9 WHERE id = $1`, [
        deliveryId,
        status,
      ]);
      const retried = await call<Delivery>('POST', `${base()}/deliveries/${deliveryId}/retry`, asOwner());
      expect(retried.status).toBe(202);
      expect(retried.json).toMatchObject({ status: 'PENDING', completedAt: null });
      expect(Date.parse(retried.json.nextAttemptAt ?? '')).toBeLessThanOrEqual(Date.now() + 1_000);
    }
  });

  it('are not retried while their endpoint is disabled', async () => {
    const path = `${base()}/endpoints/${endpoint.id}`;
    await call('PATCH', path, { ...asOwner(), body: { enabled: false } });
    const refused = await call('POST', `${base()}/deliveries/${deliveryId}/retry`, asOwner());
    expect(refused.json).toMatchObject({ status: 409, code: 'conflict' });
    await call('PATCH', path, { ...asOwner(), body: { enabled: true } });
    expect((await call('POST', `${base()}/deliveries/${deliveryId}/retry`, asOwner())).status).toBe(202);
  });
});
