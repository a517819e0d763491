import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents, readAttempts, readDeliveries } from '@/tests/fixtures/deliveries';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { endProcess, useWorkerProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';

const variables = testVariables();
const { url } = useDatabase(variables);
const startWorkerProcess = useWorkerProcesses(() => ({ ...variables, DATABASE_URL: url }));
describe('a worker process killed under load', () => {
  it('loses nothing: the next worker delivers each event, and records each attempt once', async () => {
    const receiver = await startReceiver((response) => setTimeout(() => response.end('ok'), 3));
    const endpoints = await Promise.all(Array.from({ length: 4 }, () => insertEndpoint({ url: receiver.url })));
    const eventIds: string[] = [];
    const send = async () => {
      for (let batch = 0; batch < 15; batch += 1) {
        for (const { projectId } of endpoints) eventIds.push(...(await insertEvents(projectId, 10)));
        await sleep(10);
      }
    };
    let worker = await startWorkerProcess();
    const sending = send();
    await waitFor('some deliveries', () => receiver.received.length > 150, 60_000);
    await endProcess(worker, 'SIGKILL');
    worker = await startWorkerProcess();
    await sending;
    // The jobs of the killed worker are due again when their leases end.
    const left = `SELECT FROM outbox UNION ALL SELECT FROM deliveries WHERE status <> 'SUCCEEDED'`;
    await waitFor('every delivery', async () => (await database().query(left)).rowCount === 0, 90_000);
    expect(await endProcess(worker, 'SIGTERM')).toBe(0);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(eventIds));
    for (const { id } of endpoints) {
      const deliveries = await readDeliveries(id);
      expect(deliveries).toHaveLength(150);
      expect(await readAttempts(id)).toHaveLength(deliveries.reduce((sum, each) => sum + each.attempt_count, 0));
    }
  });
});

/** Ends the leases of a dead worker. */
const endLeases = () => database().query(`UPDATE outbox SET available_at = now() WHERE status = 'PENDING'`);

describe('an event that crashes each worker that takes it', () => {
  it('becomes a dead letter, and all other events are delivered', async () => {
    let worker: ChildProcess | null = null;
    const receiver = await startReceiver((response, _, { body }) => {
      if (body.includes('"type":"poison"')) worker?.kill('SIGKILL');
      else response.end();
    });
    const endpoint = await insertEndpoint({ url: receiver.url });
    worker = await startWorkerProcess();
    const before = await insertEvents(endpoint.projectId, 20);
    const [poison] = await insertEvents(endpoint.projectId, 1, { type: 'poison' });
    const after = await insertEvents(endpoint.projectId, 20);
    await waitFor('the first death', () => worker?.signalCode === 'SIGKILL', 60_000);
    const readPoison = async () =>
      (await database().query('SELECT status, attempts, last_error FROM outbox WHERE event_id = $1', [poison])).rows[0];
    // It has crashed seven more.
    await database().query('UPDATE outbox SET attempts = attempts + 7 WHERE event_id = $1', [poison]);
    let deaths: number;
    for (deaths = 8; (await readPoison()).status === 'PENDING'; deaths += 1) {
      worker = await startWorkerProcess();
      await endLeases();
      const isOver = async () => worker?.signalCode === 'SIGKILL' || (await readPoison()).status === 'DEAD';
      await waitFor('the death of the worker or of the event', isOver, 60_000);
    }
    expect(await readPoison()).toMatchObject({ attempts: 10, last_error: expect.stringContaining('worker died') });
    expect(deaths).toBe(11);
    // The last worker survives and delivers new events.
    const later = await insertEvents(endpoint.projectId, 1);
    const isDelivered = async () =>
      (await readDeliveries(endpoint.id)).filter(({ status }) => status === 'SUCCEEDED').length === 41;
    await waitFor('every other event', isDelivered, 60_000);
    const delivered = new Set((await readDeliveries(endpoint.id)).map(({ event_id }) => event_id));
    expect(delivered).toEqual(new Set([...before, ...after, ...later]));
    expect(worker === null ? null : await endProcess(worker, 'SIGTERM')).toBe(0);
  });
});
