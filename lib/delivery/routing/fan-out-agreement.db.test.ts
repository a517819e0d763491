import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import type { RoutingItem } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import { select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { insertCustomer, insertEvents } from '@/tests/fixtures/deliveries';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { makeTestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();

beforeEach(() => database().query('DELETE FROM outbox'));

const TYPES = ['order', 'order.paid', 'order.line.added', 'invoice.paid'];
const PATTERNS = [...TYPES, '*', 'order.*', 'order.line.*', 'invoice.*'];
const anEndpoint = fc.record({
  eventTypes: fc.uniqueArray(fc.constantFrom(...PATTERNS), { maxLength: 3 }),
  enabled: fc.boolean(),
  owner: fc.constantFrom('nobody', 'acme', 'globex'),
  receivesCustomerEvents: fc.boolean(),
  filter: fc.constantFrom(
    null,
    { path: 'data.amount', op: 'gte', value: 10 },
    { not: { path: 'data.amount', op: 'gte', value: 10 } },
    { path: 'type', op: 'startsWith', value: 'order' },
  ),
});
const anEvent = fc.record({
  type: fc.constantFrom(...TYPES),
  amount: fc.constantFrom(1, 10, 100),
  owner: fc.constantFrom('nobody', 'acme'),
});

it('tells of exactly the endpoints that a worker sends an event to, before and after it does', async () => {
  const receiver = await startReceiver();
  await fc.assert(
    fc.asyncProperty(
      fc.array(anEndpoint, { maxLength: 8 }),
      fc.array(anEvent, { minLength: 1, maxLength: 4 }),
      async (endpoints, events) => {
        Object.assign(projects.mine, await makeTestProject());
        const customers = {
          nobody: null,
          acme: await insertCustomer(projects.mine.id),
          globex: await insertCustomer(projects.mine.id),
        };
        for (const { owner, receivesCustomerEvents, ...body } of endpoints) {
          const ofOwner = owner === 'nobody' ? { receivesCustomerEvents } : { customer: customers[owner] };
          await makeEndpoint(projects.mine, { url: receiver.url, ...body, ...ofOwner });
        }
        const ids: string[] = [];
        for (const { type, amount, owner } of events) {
          const data = JSON.stringify({ amount });
          ids.push(...(await insertEvents(projects.mine.id, 1, { type, data, customerId: customers[owner] })));
        }
        const sentTo = async (eventId: string) => {
          const path = `${base()}/events/${eventId}/routing?all=true`;
          const { data } = (await call<Listing<RoutingItem>>('GET', path, asOwner())).json;
          expect(data).toHaveLength(endpoints.length);
          expect(data.filter(({ outcome }) => outcome === 'UNKNOWN')).toEqual([]);
          return data.flatMap(({ outcome, endpointId }) => (outcome === 'SENT' ? endpointId : [])).toSorted();
        };
        const foretold = await Promise.all(ids.map(sentTo));
        const worker = await startWorker();
        await waitFor('the fan-out', async () => (await select('SELECT FROM outbox')).length === 0);
        await worker.stop(3_000);
        for (const [index, id] of ids.entries()) {
          const made = await select<{ endpoint_id: string }>(
            'SELECT endpoint_id FROM deliveries WHERE event_id = $1',
            id,
          );
          expect(foretold[index]).toEqual(made.map(({ endpoint_id }) => endpoint_id).toSorted());
          expect(await sentTo(id)).toEqual(foretold[index]);
        }
      },
    ),
    { numRuns: 12 },
  );
});
