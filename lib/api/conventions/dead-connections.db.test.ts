import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { EventSummary } from '@/lib/events/schema';
import { closeDatabase } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { useProjects } from '@/tests/fixtures/projects';
import { call, type TestResponse } from '@/tests/http/api-request';
import { type Receiver, startReceiver, waitFor } from '@/tests/http/receiver';
import { openDatabaseProxy, type TcpProxy } from '@/tests/http/tcp-proxy';
import { endProcess, useWorkerProcesses } from '@/tests/processes/entry-process';
import { setTestConfig, testVariables } from '@/tests/setup/variables';

/*
 * The web process is this process, the worker another one. Both connect through a proxy that can drop all traffic. The
 * limits add up to 10 s: nine for the first overdue response, one for the rest. The tests allow more for a busy machine.
 */
const RECOVERY_MS = 40_000;

const variables = testVariables();
const { url } = useDatabase(variables);
const projects = useProjects();
let proxy: TcpProxy;
let through: string;
let receiver: Receiver;
const startWorker = useWorkerProcesses(() => ({ ...variables, DATABASE_URL: through }));

beforeAll(async () => {
  ({ proxy, through } = await openDatabaseProxy(url));
  setTestConfig({ ...variables, DATABASE_URL: through });
  await closeDatabase();
});
afterAll(async () => {
  await closeDatabase();
  await proxy.cut();
});
beforeEach(async () => {
  // Idle ones may be frozen since the last test.
  await closeDatabase();
  receiver = await startReceiver();
  await insertEndpoint({ url: receiver.url, projectId: projects.mine.id });
});

/** Sends events, several at once, until it is stopped. */
function startLoad() {
  const accepted: { id: string; at: number }[] = [];
  const statuses = new Set<number>();
  let isOver = false;
  const send = async () => {
    while (!isOver) {
      const body = { type: 'order.paid', data: { total: 1 } };
      const { status, json } = await call<EventSummary>('POST', '/api/v1/events', { apiKey: projects.mine.key, body });
      statuses.add(status);
      if (status === 202) accepted.push({ id: json.id, at: performance.now() });
      await sleep(20);
    }
  };
  const senders = Promise.all(Array.from({ length: 8 }, send));
  const stop = async () => {
    isOver = true;
    await senders;
  };
  return { accepted, statuses, stop };
}

const deliveredIds = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']));

/** Waits until an event that was accepted after `at` has been delivered. */
async function untilRecovered(load: ReturnType<typeof startLoad>, at: number): Promise<void> {
  const isThere = async () => {
    const delivered = deliveredIds();
    return load.accepted.some((event) => event.at > at + 100 && delivered.has(event.id));
  };
  await waitFor('an event to be taken and delivered again', isThere, RECOVERY_MS);
}

/** Waits for the expected readiness. No response may take long, whatever the database does. */
async function untilReadiness(
  expected: (response: TestResponse<{ parts: Record<string, string> }>) => boolean,
): Promise<void> {
  const isSo = async () => {
    const startedAt = performance.now();
    const response = await call<{ parts: Record<string, string> }>('GET', '/api/health/ready');
    expect(performance.now() - startedAt).toBeLessThan(6_000);
    return expected(response);
  };
  await waitFor('readiness', isSo, RECOVERY_MS);
}

async function runUnderLoad(disturb: (load: ReturnType<typeof startLoad>) => Promise<void>): Promise<void> {
  const worker = await startWorker();
  const load = startLoad();
  await waitFor('the first deliveries', async () => receiver.received.length > 50, 30_000);
  await untilReadiness(({ status }) => status === 200);
  await disturb(load);
  await load.stop();
  const missing = () => {
    const delivered = deliveredIds();
    return load.accepted.filter(({ id }) => !delivered.has(id)).length;
  };
  // Deliveries that a lost response had claimed are due again when their lease ends.
  await waitFor('every event that was answered 202', async () => missing() === 0, 90_000);
  expect([...load.statuses].filter((status) => status !== 202 && status !== 503)).toEqual([]);
  expect(await endProcess(worker, 'SIGTERM')).toBe(0);
}

it('frozen connections lose no accepted event, and the web process and the worker replace them on their own', async () => {
  await runUnderLoad(async (load) => {
    proxy.freeze();
    const at = performance.now();
    await untilReadiness(({ status, json }) => status === 503 && json.parts.database === 'failing');
    await untilRecovered(load, at);
    await untilReadiness(({ status, json }) => status === 200 && json.parts.worker === 'ok');
  });
});

it('a network outage that outlasts every limit loses no accepted event and needs no restart', async () => {
  await runUnderLoad(async (load) => {
    proxy.freeze({ andNew: true });
    await sleep(12_000);
    proxy.thaw();
    const at = performance.now();
    await untilRecovered(load, at);
  });
});
