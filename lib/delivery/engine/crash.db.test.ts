import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled } from '@/tests/delivery/worker';
import { insertEndpoint, insertEvents, readAttempts, readDeliveries } from '@/tests/fixtures/deliveries';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { endProcess, useWorkerProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';

const variables = testVariables();
const { url } = useDatabase(variables);
const startWorkerProcess = useWorkerProcesses(() => ({ ...variables, DATABASE_URL: url }));
describe('a worker process killed under load', () => {
  it('loses nothing: the next workers deliver each event, and record each attempt once', async () => {
    const receiver = await startReceiver((response) => setTimeout(() => response.end('ok'), 3));
    const endpoints = await Promise.all(Array.from({ length: 4 }, () => insertEndpoint({ url: receiver.url })));
    const eventIds: string[] = [];
    const send = async () => {
      for (let batch = 0; batch < 30; batch += 1) {
        for (const { projectId } of endpoints) eventIds.push(...(await insertEvents(projectId, 10)));
        await sleep(10);
      }
    };
    let worker = await startWorkerProcess();
    const sending = send();
    for (const received of [150, 500]) {
      await waitFor('some deliveries', () => receiver.received.length > received, 60_000);
      await endProcess(worker, 'SIGKILL');
      worker = await startWorkerProcess();
    }
    await sending;
    // The jobs of the killed workers are due again when their leases end.
    const left = `SELECT FROM outbox UNION ALL SELECT FROM deliveries WHERE status <> 'SUCCEEDED'`;
    await waitFor('every delivery', async () => (await database().query(left)).rowCount === 0, 90_000);
    expect(await endProcess(worker, 'SIGTERM')).toBe(0);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(eventIds));
    for (const { id } of endpoints) {
      const deliveries = await readDeliveries(id);
      expect(deliveries).toHaveLength(300);
      expect(await readAttempts(id)).toHaveLength(deliveries.reduce((sum, each) => sum + each.attempt_count, 0));
    }
  });

  it('releases its work within seconds after SIGTERM', async () => {
    const receiver = await startReceiver((response) => setTimeout(() => response.end('ok'), 100));
    const endpoint = await insertEndpoint({ url: receiver.url });
    const first = await startWorkerProcess();
    await insertEvents(endpoint.projectId, 300);
    await waitFor('some deliveries', () => receiver.received.length > 20);
    const second = await startWorkerProcess();
    expect(await endProcess(first, 'SIGTERM')).toBe(0);
    await waitFor('every delivery', isSettled(endpoint.id, 300));
    expect((await readDeliveries(endpoint.id)).every(({ status }) => status === 'SUCCEEDED')).toBe(true);
    expect(receiver.received).toHaveLength(300);
    await endProcess(second, 'SIGTERM');
  });
});
