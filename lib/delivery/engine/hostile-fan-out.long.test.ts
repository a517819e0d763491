import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoints, insertEvents } from '@/tests/fixtures/deliveries';
import { startCountingReceiver, waitFor } from '@/tests/http/receiver';
import { endProcess, useWorkerProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';

const ENDPOINTS = 1_600;
const SMALL_EVENTS = 3;
const LARGE_EVENTS = 4;
const HEAP_MB = 512;
const MAX_RESIDENT_MB = 350;

const variables = testVariables();
const { url } = useDatabase(variables);
const startWorkerProcess = useWorkerProcesses(() => ({
  ...variables,
  DATABASE_URL: url,
  NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
}));

const peakMb = (pid: number | undefined) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

describe('a project with more endpoints than a worker keeps jobs in memory', () => {
  it('gets large events at each of them, from a worker with little memory', async () => {
    const receiver = await startCountingReceiver();
    const urls = Array.from({ length: ENDPOINTS }, (_, index) => `http://127.0.0.1:${receiver.port}/${index}`);
    const projectId = await insertEndpoints(urls);
    await insertEvents(projectId, SMALL_EVENTS);
    await insertEvents(projectId, LARGE_EVENTS, { data: JSON.stringify({ text: 'x'.repeat(250 * 1024) }) });
    const expected = ENDPOINTS * (SMALL_EVENTS + LARGE_EVENTS);
    const worker = await startWorkerProcess();
    const countSucceeded = async () =>
      (await database().query(`SELECT count(*)::int FROM deliveries WHERE status = 'SUCCEEDED'`)).rows[0].count;
    await waitFor('every delivery', async () => (await countSucceeded()) === expected, 150_000);
    expect(receiver.count()).toBeGreaterThanOrEqual(expected);
    expect(peakMb(worker.pid)).toBeLessThan(MAX_RESIDENT_MB);
    expect(await endProcess(worker, 'SIGTERM')).toBe(0);
    expect((await database().query('SELECT FROM outbox')).rowCount).toBe(0);
  });
});
