import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { continueEventReplays } from '@/lib/delivery/event-replays/continue-event-replays';
import { count, run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { insertCustomer, insertEndpoint, insertEvents, readDeliveries } from '@/tests/fixtures/deliveries';
import { eventsSentTo, insertPastEvents, useEventReplays } from '@/tests/fixtures/event-replays';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { endProcess, useWorkerProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';

const variables = testVariables();
const { url } = useDatabase(variables);
const startWorkerProcess = useWorkerProcesses(() => ({ ...variables, DATABASE_URL: url }));

let project: TestProject;
beforeEach(async () => {
  await run(`UPDATE event_replays SET status = 'CANCELED' WHERE status = 'RUNNING'`);
  await run('DELETE FROM outbox');
  project = await makeTestProject();
});
const { start, read, runToEnd } = useEventReplays(() => project);
const isOver = async (id: string) => (await read(id)).status === 'COMPLETED';

describe('what is missing', () => {
  it('is sent once by two replays at once, beside workers that send new events', async () => {
    const receiver = await startReceiver();
    const endpoints = await Promise.all([1, 2].map(() => insertEndpoint({ url: receiver.url, projectId: project.id })));
    const past = await insertPastEvents(project.id, 150);
    const replays = [await start(), await start({ endpointId: endpoints[0]?.id })];
    await startWorker({ continueEventReplays });
    await startWorker({ continueEventReplays });
    const live = await insertEvents(project.id, 50);
    for (const { id } of replays) await waitFor('the end', () => isOver(id), 30_000);
    await waitFor('the deliveries', () => receiver.received.length >= 400, 30_000);
    const left = `SELECT FROM deliveries WHERE project_id = $1 AND status <> 'SUCCEEDED'`;
    await waitFor('the records', async () => (await count(left, project.id)) === 0);
    for (const { id } of endpoints) {
      const deliveries = await readDeliveries(id);
      expect(deliveries.map(({ event_id }) => event_id).sort()).toEqual([...past, ...live].sort());
      expect(deliveries.every(({ attempt_count }) => attempt_count === 1)).toBe(true);
    }
    expect(receiver.received).toHaveLength(400);
    const sent = await Promise.all(replays.map(async ({ id }) => (await read(id)).sent));
    expect(sent.reduce((sum, each) => sum + each, 0)).toBe(300);
  });

  it('is sent once each, and none is lost, when workers are killed', { timeout: 120_000 }, async () => {
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: receiver.url, projectId: project.id });
    const events = await insertPastEvents(project.id, 700);
    const { id } = await start();
    for (const sent of [100, 300]) {
      const worker = await startWorkerProcess();
      await waitFor('some batches', async () => (await read(id)).sent >= sent, 30_000);
      await endProcess(worker, 'SIGKILL');
      expect((await read(id)).status).toBe('RUNNING');
    }
    const last = await startWorkerProcess();
    await waitFor('the end', () => isOver(id), 60_000);
    const left = `SELECT FROM deliveries WHERE endpoint_id = $1 AND status <> 'SUCCEEDED'`;
    await waitFor('every delivery', async () => (await count(left, endpoint.id)) === 0, 60_000);
    await endProcess(last, 'SIGTERM');
    expect(await read(id)).toMatchObject({ total: 700, checked: 700, sent: 700 });
    expect(await eventsSentTo(endpoint.id)).toEqual(events);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(events));
  });

  it('is what the fan-out would have sent, for any subscriptions, customers and filters', {
    timeout: 120_000,
  }, async () => {
    const receiver = await startReceiver();
    await startWorker();
    const types = ['order', 'order.paid', 'order.item.added', 'invoice.sent'];
    const endpoint = fc.record({
      customer: fc.constantFrom(null, 0, 1),
      receivesCustomerEvents: fc.boolean(),
      enabled: fc.constantFrom(true, true, true, false),
      eventTypes: fc.uniqueArray(fc.constantFrom('*', 'order.*', 'order.item.*', ...types), {
        minLength: 1,
        maxLength: 3,
      }),
      total: fc.option(fc.integer({ min: 0, max: 2 })),
    });
    const event = fc.record({
      type: fc.constantFrom(...types),
      customer: fc.constantFrom(null, 0, 1),
      total: fc.integer({ min: 0, max: 3 }),
    });
    const pairs = async () =>
      (
        await select<{ pair: string }>(
          `SELECT event_id || ' ' || endpoint_id AS pair FROM deliveries WHERE project_id = $1 ORDER BY id`,
          project.id,
        )
      ).map(({ pair }) => pair);
    let sent = 0;
    const endpoints = fc.array(endpoint, { minLength: 2, maxLength: 5 });
    const events = fc.array(event, { minLength: 3, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(endpoints, events, async (givenEndpoints, givenEvents) => {
        project = await makeTestProject();
        const customers = [await insertCustomer(project.id), await insertCustomer(project.id)];
        for (const { customer, receivesCustomerEvents, enabled, eventTypes, total } of givenEndpoints) {
          const customerId = customer === null ? undefined : customers[customer];
          const { id } = await insertEndpoint({
            url: receiver.url,
            projectId: project.id,
            eventTypes,
            ...(customerId === undefined ? {} : { customerId }),
          });
          const receives = receivesCustomerEvents && customer === null;
          const filter = total === null ? null : JSON.stringify({ path: 'data.total', op: 'gte', value: total });
          await run(
            'UPDATE endpoints SET receives_customer_events = $2, enabled = $3, filter = $4 WHERE id = $1',
            id,
            receives,
            enabled,
            filter,
          );
          await run('UPDATE subscriptions SET receives_customer_events = $2 WHERE endpoint_id = $1', id, receives);
        }
        for (const { type, customer, total } of givenEvents) {
          const customerId = customer === null ? null : (customers[customer] ?? null);
          await insertEvents(project.id, 1, { type, customerId, data: JSON.stringify({ total }) });
        }
        const open = `SELECT FROM outbox WHERE project_id = $1 UNION ALL
          SELECT FROM deliveries WHERE project_id = $1 AND status = 'PENDING'`;
        await waitFor('the fan-out', async () => (await count(open, project.id)) === 0, 20_000);
        const expected = await pairs();
        await run('DELETE FROM deliveries WHERE project_id = $1', project.id);
        expect(await runToEnd((await start()).id)).toMatchObject({ status: 'COMPLETED', sent: expected.length });
        expect(await pairs()).toEqual(expected);
        expect(await runToEnd((await start()).id)).toMatchObject({ sent: 0 });
        sent += expected.length;
      }),
      { numRuns: 12 },
    );
    expect(sent).toBeGreaterThan(0);
  });
});
