import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { insertProject } from '@/tests/fixtures/deliveries';
import { waitFor } from '@/tests/http/receiver';
import { TcpProxy } from '@/tests/http/tcp-proxy';
import { endProcess, untilEnded, untilReady, useProcesses } from '@/tests/processes/entry-process';
import { dropAllPartitions } from '@/tests/retention/partitions';
import { readCounters } from '@/tests/retention/test-run';
import { testVariables } from '@/tests/setup/variables';
import { avoidMidnight } from '@/tests/time/midnight';

const { url } = useDatabase();
const start = useProcesses('scripts/retention.ts', () => ({ ...testVariables(), DATABASE_URL: url }));

const EVERY_SECOND = '* * * * * *';
const NEVER_SOON = '0 0 29 2 *';
/** Has fired within the last day, and fires again in half a day: not in the middle of a test. */
const HALF_A_DAY_AWAY = `0 ${(new Date().getUTCHours() + 12) % 24} * * *`;
const QUIET = {
  DATA_RETENTION_LIMIT_CRON: NEVER_SOON,
  DATA_RETENTION_BURST_CLEANUP_CRON: NEVER_SOON,
  DATA_RETENTION_TABLE_METRICS_INTERVAL_MS: '2000000000',
};

interface Run {
  job: string;
  started_at: Date;
  ended_at: Date | null;
  error: string | null;
  rows_removed: Record<string, number>;
}

async function listRuns(job: string): Promise<Run[]> {
  const { rows } = await database().query('SELECT * FROM retention_runs WHERE job = $1 ORDER BY id', [job]);
  return rows;
}

/** A run of each job that began so long ago and ended well. */
async function insertRuns(agesMs: Record<string, number>): Promise<void> {
  for (const [job, ageMs] of Object.entries(agesMs)) {
    const at = new Date(Date.now() - ageMs);
    await database().query(
      'INSERT INTO retention_runs (id, job, started_at, ended_at, created_at) VALUES ($1, $2, $3, $3, $3)',
      [newId(), job, at],
    );
  }
}

const untilRuns = (job: string, count: number) =>
  vi.waitFor(
    async () => {
      const runs = (await listRuns(job)).filter(({ ended_at }) => ended_at !== null);
      expect(runs.length, job).toBeGreaterThanOrEqual(count);
      return runs;
    },
    { timeout: 15_000, interval: 50 },
  );

beforeEach(async () => {
  await database().query('DELETE FROM retention_runs; DELETE FROM metric_counters');
});

describe('npm run retention', () => {
  it('runs each job on its schedule, never twice at once, and exits with 0 when it is stopped', async () => {
    const child = await untilReady(
      start([], {
        DATA_RETENTION_CRON: EVERY_SECOND,
        DATA_RETENTION_LIMIT_CRON: EVERY_SECOND,
        DATA_RETENTION_TABLE_METRICS_INTERVAL_MS: '1000',
      }),
    );
    for (const job of ['main', 'cap', 'metrics']) {
      const runs = await untilRuns(job, 3);
      expect(runs.map(({ error }) => error)).toEqual(runs.map(() => null));
      for (const [index, run] of runs.entries()) {
        const before = runs[index - 1]?.ended_at ?? new Date(0);
        expect(run.started_at.getTime(), job).toBeGreaterThanOrEqual(before.getTime());
      }
    }
    expect(await endProcess(child, 'SIGTERM')).toBe(0);
    expect(await database().query('SELECT FROM retention_runs WHERE ended_at IS NULL')).toMatchObject({ rowCount: 0 });
  });

  it('runs each firing once in two containers', async () => {
    const environment = { ...QUIET, DATA_RETENTION_CRON: EVERY_SECOND };
    const children = await Promise.all([1, 2].map(() => untilReady(start([], environment))));
    const runs = await untilRuns('main', 4);
    await Promise.all(children.map((child) => endProcess(child, 'SIGTERM')));
    // The first of all is of a database that was never cleaned, and may share its second with the firing after it.
    const firings = runs.slice(1).map(({ started_at }) => Math.floor(started_at.getTime() / 1000));
    expect(new Set(firings).size).toBe(firings.length);
  });

  it('is ready only when the partitions of the days ahead exist', async () => {
    await dropAllPartitions();
    await avoidMidnight(15_000);
    const child = start([], QUIET);
    await once(child, 'message');
    const { rows } = await database().query(
      `SELECT to_regclass('tunnel_request_log_p' || to_char(now() + interval '8 days', 'YYYYMMDD')) AS there`,
    );
    expect(rows[0].there).not.toBeNull();
    expect(await endProcess(child, 'SIGTERM')).toBe(0);
  });

  it('makes up once for a run that was missed while it was down', async () => {
    await insertRuns({ main: 3 * DAY_MS, cap: 60_000, burst: 3 * DAY_MS, metrics: 60_000, partitions: 60_000 });
    const crons = { DATA_RETENTION_CRON: HALF_A_DAY_AWAY, DATA_RETENTION_BURST_CLEANUP_CRON: HALF_A_DAY_AWAY };
    const child = await untilReady(start([], { ...crons, DATA_RETENTION_LIMIT_CRON: NEVER_SOON }));
    await untilRuns('main', 2);
    await sleep(300);
    expect(await endProcess(child, 'SIGTERM')).toBe(0);
    const counts = await Promise.all(
      ['main', 'cap', 'burst', 'metrics'].map(async (job) => (await listRuns(job)).length),
    );
    expect(counts).toEqual([2, 1, 1, 1]);
  });
});

describe('a database that goes away', () => {
  const { hostname, port } = new URL(url);
  const proxy = new TcpProxy({ host: hostname, port: Number(port) });
  afterEach(() => proxy.cut());

  it('is waited for: the schedules continue in the same process when it is back', async () => {
    await proxy.open();
    const through = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href;
    const child = await untilReady(start([], { ...QUIET, DATA_RETENTION_CRON: EVERY_SECOND, DATABASE_URL: through }));
    await untilRuns('main', 2);
    await proxy.cut();
    await sleep(1_500);
    const before = (await listRuns('main')).length;
    await proxy.open();
    const runs = await untilRuns('main', before + 2);
    expect(runs.at(-1)?.error).toBeNull();
    expect(child.exitCode).toBeNull();
    expect(await endProcess(child, 'SIGTERM')).toBe(0);
  });

  it('at the start is reported in one line, and the process ends for its supervisor to restart it', async () => {
    await proxy.open();
    const through = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href;
    await proxy.cut();
    const { code, stderr } = await untilEnded(start([], { DATABASE_URL: through }));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The database is unreachable: [^\n]*\n$/);
    await proxy.open();
  });
});

describe('SIGTERM in the middle of a large run', () => {
  const SLOWLY = { ...QUIET, DATA_RETENTION_BATCH_SIZE: '1' };
  const countEvents = async () => (await database().query('SELECT FROM events')).rowCount ?? 0;
  const untilSomeAreGone = (before: number) =>
    vi.waitFor(async () => expect(await countEvents()).toBeLessThan(before - 3), { timeout: 10_000, interval: 10 });

  beforeAll(async () => {
    const projectId = await insertProject();
    await database().query(
      `INSERT INTO events (id, project_id, type, payload, created_at)
       SELECT gen_random_uuid(), $1, 'order.paid', '{}', now() - interval '100 days' FROM generate_series(1, 3000)`,
      [projectId],
    );
  });

  it('ends the schedules within seconds; removed rows are counted, and the next start continues', async () => {
    const before = await countEvents();
    const child = await untilReady(start([], SLOWLY));
    await untilSomeAreGone(before);
    const startedAt = performance.now();
    expect(await endProcess(child, 'SIGTERM')).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const [stopped] = await listRuns('main');
    expect(stopped).toMatchObject({ error: 'stopped', ended_at: expect.any(Date) });
    const removed = before - (await countEvents());
    expect(stopped?.rows_removed.events).toBe(removed);
    expect((await readCounters())['retention_rows_removed_total events']).toBe(removed);
    const next = await untilReady(start([], QUIET));
    const [, caughtUp] = await untilRuns('main', 2);
    expect(caughtUp).toMatchObject({ error: null });
    expect(caughtUp?.rows_removed.events).toBeGreaterThan(0);
    expect(await endProcess(next, 'SIGTERM')).toBe(0);
  });
});

const countRuns = async () => (await database().query('SELECT FROM retention_runs')).rowCount;

it('the process starts and stops while a reader blocks the creation of partitions', async () => {
  await dropAllPartitions();
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query('BEGIN; SELECT count(*) FROM delivery_attempts');
  const child = start();
  child.stdout?.resume();
  child.stderr?.resume();
  const ready = once(child, 'message');
  await waitFor('it to be at the partitions', async () => (await countRuns()) === 1);
  const startedAt = performance.now();
  await ready;
  expect(performance.now() - startedAt).toBeLessThan(14_000);
  // With 0 only when it has stopped before its deadline.
  expect(await endProcess(child, 'SIGTERM')).toBe(0);
  await reader.end();
});

const countEvents = async () => (await database().query('SELECT FROM events')).rowCount ?? 0;

it('a job that is stopped while the network is silent ends in time, with its summary', async () => {
  const projectId = await insertProject();
  await database().query(
    `INSERT INTO events (id, project_id, type, payload, created_at)
     SELECT gen_random_uuid(), $1, 'order.paid', '{}', now() - interval '100 days' FROM generate_series(1, 2000)`,
    [projectId],
  );
  const { hostname, port } = new URL(url);
  const proxy = new TcpProxy({ host: hostname, port: Number(port) });
  await proxy.open();
  const through = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href;
  const child = start(['main'], { DATABASE_URL: through, DATA_RETENTION_BATCH_SIZE: '1' });
  const ended = untilEnded(child);
  await vi.waitFor(async () => expect(await countEvents()).toBeLessThan(1_990), { timeout: 30_000, interval: 10 });
  proxy.silence();
  child.kill('SIGTERM');
  const startedAt = performance.now();
  const { code, stdout, stderr } = await ended;
  expect(performance.now() - startedAt).toBeLessThan(9_500);
  expect([code, JSON.parse(stdout)], stderr).toMatchObject([1, { job: 'main', status: 'stopped' }]);
  await proxy.cut();
});
