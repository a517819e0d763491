import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { continueBulkRetries } from '@/lib/delivery/bulk-retries/continue-bulk-retries';
import type { BulkRetry, Delivery, DeliveryCount, Endpoint } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { dueDeliveries, insertEndedDeliveries } from '@/tests/fixtures/ended-deliveries';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { call } from '@/tests/http/api-request';

useDatabase();
const { projects, base, makeEndpoint } = useEndpoints();
const HOUR_MS = 3_600_000;

let endpoints: Endpoint[];
beforeAll(async () => {
  endpoints = [await makeEndpoint(), await makeEndpoint()];
  let age = 0;
  for (const endpoint of endpoints) {
    for (const status of ['FAILED', 'SUCCEEDED', 'PENDING'] as const) {
      for (const [type, response] of [
        ['order.paid', 503],
        ['order.item.added', null],
        ['invoice.sent', 404],
      ] as const) {
        const wanted = { status, type, response, attempts: 2, agoMs: ++age * HOUR_MS };
        await insertEndedDeliveries({ projectId: projects.mine.id, endpointId: endpoint.id, count: 1, ...wanted });
      }
    }
  }
});

const option = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });
const time = option([0, 2, 5, 9, 20].map((hours) => new Date(Date.now() - hours * HOUR_MS - 60_000).toISOString()));
const filter = fc.record({
  status: fc.constantFrom('FAILED', 'RETRYING', 'SUCCEEDED'),
  eventType: option(['*', 'order.*', 'order.paid', 'invoice.*', 'order']),
  responseStatus: option(['503', '4xx', '2xx', 'none']),
  endpointNumber: option([0, 1]),
  from: time,
  to: time,
});

async function get<T>(path: string): Promise<T> {
  const { status, json, text } = await call<T>('GET', `${base()}${path}`, { apiKey: projects.mine.key });
  expect(status, text).toBe(200);
  return json;
}

it('a bulk retry, the list and the count agree on what matches, whatever the filter', { timeout: 60_000 }, async () => {
  let matched = 0;
  await fc.assert(
    fc.asyncProperty(filter, async ({ endpointNumber, ...given }) => {
      const endpointId = endpointNumber === undefined ? undefined : endpoints[endpointNumber]?.id;
      const chosen = Object.entries({ ...given, endpointId }).filter(([, value]) => value !== undefined);
      const query = new URLSearchParams(chosen as [string, string][]);
      const listed = (await get<Listing<Delivery>>(`/deliveries?limit=100&${query}`)).data.map(({ id }) => id).sort();
      expect(await get<DeliveryCount>(`/delivery-count?${query}`)).toEqual({ count: listed.length, isExact: true });
      const { json } = await call<BulkRetry>('POST', `${base()}/bulk-retries`, {
        apiKey: projects.mine.key,
        body: Object.fromEntries(chosen),
      });
      expect(json).toMatchObject({ total: listed.length, filter: Object.fromEntries(chosen) });
      const before = (await database().query('SELECT * FROM deliveries')).rows;
      await continueBulkRetries();
      expect(await dueDeliveries(projects.mine.id)).toEqual(listed);
      expect(await get<BulkRetry>(`/bulk-retries/${json.id}`)).toMatchObject({
        ...{ status: 'COMPLETED', retried: listed.length },
      });
      matched += listed.length;
      for (const { id, status, completed_at, next_attempt_at, schedule_step } of before) {
        await database().query(
          'UPDATE deliveries SET status = $2, completed_at = $3, next_attempt_at = $4, schedule_step = $5 WHERE id = $1',
          [id, status, completed_at, next_attempt_at, schedule_step],
        );
      }
    }),
    { numRuns: 50 },
  );
  expect(matched).toBeGreaterThan(10);
});
