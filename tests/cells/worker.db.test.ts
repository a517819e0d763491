import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { continueBulkRetries } from '@/lib/delivery/bulk-retries/continue-bulk-retries';
import { continueEventReplays } from '@/lib/delivery/event-replays/continue-event-replays';
import { continueReplays } from '@/lib/incoming/replays/continue-replays';
import type { Replay, Source } from '@/lib/incoming/schema';
import { inCell } from '@/lib/platform/cells/current-cell';
import { WakeListener } from '@/lib/platform/wake-listener';
import { rollUpStats } from '@/lib/stats/roll-up';
import { count, run, select } from '@/tests/database/rows';
import { useCells } from '@/tests/database/use-cells';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { useBulkRetries } from '@/tests/fixtures/bulk-retries';
import {
  insertEndpoint,
  insertEvents,
  readAttempts,
  readDeliveries,
  type TestEndpoint,
} from '@/tests/fixtures/deliveries';
import { useEventReplays } from '@/tests/fixtures/event-replays';
import { insertIncomingEvents } from '@/tests/fixtures/incoming-events';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { sumOfMinutes } from '@/tests/fixtures/stats';
import { call } from '@/tests/http/api-request';
import { type Receiver, respondWith, startReceiver, waitFor } from '@/tests/http/receiver';
import { endProcess, untilEnded, untilReady, useProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';

const variables = testVariables();
const { url } = useDatabase(variables);
const CELLS = useCells('cell_01');
const startProcess = useProcesses('scripts/worker.ts', () => ({ ...variables, DATABASE_URL: url }));

/** The project of an organization in each cell. */
const projects = new Map<string, TestProject>();
beforeAll(async () => {
  for (const cell of CELLS) projects.set(cell, await makeTestProject());
});

const otherThan = (cell: string) => CELLS.find((each) => each !== cell) as string;
const insertEndpointIn = (cell: string, to: Receiver, options: object = {}) =>
  inCell(cell, () => insertEndpoint({ url: to.url, ...options }));
const insertEventIn = (cell: string, { projectId }: TestEndpoint) => inCell(cell, () => insertEvents(projectId, 1));
const untilDelivered = (cell: string, { id }: TestEndpoint) =>
  waitFor(`a delivery in ${cell}`, () => inCell(cell, isSettled(id, 1)));

const JOBS = { continueBulkRetries, continueEventReplays, continueReplays, rollUpStats };

it('a worker fans out the events of each cell, delivers them, repeats what failed, and records it in that cell', async () => {
  await startWorker(JOBS);
  await Promise.all(
    CELLS.map(async (cell) => {
      const receiver = await startReceiver((response, index) => response.writeHead(index === 0 ? 500 : 200).end());
      const endpoint = await insertEndpointIn(cell, receiver, { retrySeconds: [1] });
      const [eventId] = await insertEventIn(cell, endpoint);
      await untilDelivered(cell, endpoint);
      expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
      const read = async () => [await readDeliveries(endpoint.id), await readAttempts(endpoint.id)] as const;
      const [deliveries, attempts] = await inCell(cell, read);
      expect(deliveries).toMatchObject([{ status: 'SUCCEEDED', attempt_count: 2, event_id: eventId }]);
      expect(attempts.map(({ succeeded }) => succeeded)).toEqual([false, true]);
      expect(await inCell(otherThan(cell), read)).toEqual([[], []]);
      await waitFor('the statistics', () => inCell(cell, async () => (await sumOfMinutes('succeeded')) === 1));
      expect(await inCell(cell, () => count('SELECT FROM outbox'))).toBe(0);
    }),
  );
});

it('a notification wakes the workers of its cell alone', async () => {
  const heard: string[] = [];
  const channels = ['eds_outbox', 'eds_outbox_cell_01'];
  const note = (channel: string) => (payload: string) => void (payload !== '' && heard.push(`${channel} ${payload}`));
  const listener = new WakeListener(Object.fromEntries(channels.map((channel) => [channel, note(channel)])));
  await listener.connect();
  onTestFinished(() => listener.close());
  // No worker runs, and the next test counts what arrives.
  for (const cell of CELLS) onTestFinished(() => inCell(cell, () => run('DELETE FROM outbox')).then(() => undefined));
  for (const [cell, { id, key: apiKey }] of projects) {
    const body = { type: 'order.paid', data: {} };
    expect((await call('POST', `/api/v1/projects/${id}/events`, { apiKey, body })).status, cell).toBe(202);
  }
  await waitFor('both notifications', () => heard.length >= 2);
  expect(heard).toEqual([...projects.values()].map(({ id }, index) => `${channels[index]} ${id}`));
});

describe('in the second cell', () => {
  const project = () => projects.get('cell_01') as TestProject;
  const bulkRetries = useBulkRetries(project);
  const eventReplays = useEventReplays(project);
  const sources = sourceTools(project);

  it('a bulk retry and an event replay are carried out', async () => {
    await startWorker(JOBS);
    let isUp = false;
    const receiver = await startReceiver((response) => response.writeHead(isUp ? 200 : 500).end());
    const { id: projectId } = project();
    const endpoint = await insertEndpointIn('cell_01', receiver, { projectId, retrySeconds: [] });
    await inCell('cell_01', () => insertEvents(projectId, 3));
    const sent = () => receiver.received.length;
    await waitFor('the failures', () => sent() === 3);
    await inCell('cell_01', async () => {
      const isRecorded = async () => (await readAttempts(endpoint.id)).length === 3;
      await waitFor('their records', isRecorded);
      await run(`UPDATE deliveries SET status = 'FAILED', next_attempt_at = NULL, completed_at = now()`);
    });
    isUp = true;
    await bulkRetries.start({ endpointId: endpoint.id });
    await waitFor('the retries', () => sent() === 6);
    await waitFor('their results', () => inCell('cell_01', isSettled(endpoint.id, 3)));
    await eventReplays.start({ endpointId: endpoint.id, select: 'ALL' });
    await waitFor('the replay', () => sent() >= 9);
  });

  it('a replay of incoming events is carried out', async () => {
    await startWorker(JOBS);
    const receiver = await startReceiver();
    const source: Source = await sources.makeSource();
    await sources.makeDestination(source, { url: receiver.url });
    await inCell('cell_01', () => insertIncomingEvents({ id: source.id, projectId: project().id }, 2));
    const started = await sources.send<Replay>('POST', '/incoming-event-replays', { sourceId: source.id });
    expect(started.status, started.text).toBe(202);
    await waitFor('the forwards', () => receiver.received.length === 2);
  });

  it('the deliveries of a worker that was killed are taken over by another one', async () => {
    const receiver = await startReceiver((response, index) => void (index > 0 && response.end()));
    const endpoint = await insertEndpointIn('cell_01', receiver);
    const killed = await untilReady(startProcess());
    await insertEventIn('cell_01', endpoint);
    await waitFor('the first attempt', () => receiver.received.length === 1);
    await endProcess(killed, 'SIGKILL');
    await startWorker();
    await inCell('cell_01', async () => {
      await run('UPDATE outbox SET available_at = now()');
      await run(`UPDATE deliveries SET next_attempt_at = now() WHERE status = 'PENDING'`);
    });
    await untilDelivered('cell_01', endpoint);
    expect(receiver.received).toHaveLength(2);
  });
});

it('a worker serves the cells that WORKER_CELLS names, and no others', async () => {
  const receiver = await startReceiver(respondWith(200));
  const worker = await untilReady(startProcess([], { WORKER_CELLS: 'cell_01,cell_later' }));
  const [left, served] = await Promise.all(CELLS.map((cell) => insertEndpointIn(cell, receiver)));
  await insertEventIn('cell_00', left as TestEndpoint);
  await insertEventIn('cell_01', served as TestEndpoint);
  await untilDelivered('cell_01', served as TestEndpoint);
  expect(await inCell('cell_00', () => select('SELECT attempts FROM outbox'))).toEqual([{ attempts: 0 }]);
  expect(receiver.received).toHaveLength(1);
  expect(await endProcess(worker, 'SIGTERM')).toBe(0);
  // Its permission.
  await startWorker({ cells: ['cell_00'] });
  await untilDelivered('cell_00', left as TestEndpoint);
});

it('a name that is none of a cell stops the start, with a line that names the variable', async () => {
  const { code, stderr } = await untilEnded(startProcess([], { WORKER_CELLS: 'cell_01,public' }));
  expect(code).toBe(1);
  expect(stderr).toBe('WORKER_CELLS: entry 2 must be the name of a cell, such as cell_00 (default: unset)\n');
});

it('the status of a worker is that of all of its cells', async () => {
  const receiver = await startReceiver(() => undefined);
  const worker = await startWorker();
  for (const cell of CELLS) {
    const endpoint = await insertEndpointIn(cell, receiver);
    await insertEventIn(cell, endpoint);
  }
  await waitFor('both attempts', () => receiver.received.length === 2);
  expect(worker.status()).toMatchObject({ underWay: 2, waiting: 0, lastPassMs: expect.any(Number) });
});
