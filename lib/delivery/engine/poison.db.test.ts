import type { ChildProcess } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents, readDeliveries } from '@/tests/fixtures/deliveries';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { endProcess, useWorkerProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';

const variables = testVariables();
const { url } = useDatabase(variables);
const startWorkerProcess = useWorkerProcesses(() => ({ ...variables, DATABASE_URL: url }));

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
    let deaths: number;
    for (deaths = 1; (await readPoison()).status === 'PENDING'; deaths += 1) {
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
