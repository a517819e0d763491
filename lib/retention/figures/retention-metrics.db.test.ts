import type pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { inEachCell } from '@/lib/platform/cells/current-cell';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/clock';
import { makeMetricsText } from '@/lib/platform/collect-metrics';
import { config } from '@/lib/platform/config/config';
import { database, inSqlTransaction, storingDatabase } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { sharedCounters } from '@/lib/platform/shared-counters';
import { type BatchResult, countBatchResult, RETENTION_JOBS } from '@/lib/retention/jobs/job-run';
import { countRunFailed } from '@/lib/retention/jobs/run-record';
import { createPartitionsAhead } from '@/lib/retention/partitions/make-partitions';
import { useDatabase } from '@/tests/database/use-database';
import { parseExposition } from '@/tests/monitoring/exposition';
import { startTestRun, type TestRunOptions } from '@/tests/retention/test-run';
import { avoidMidnight } from '@/tests/time/midnight';
import { RETENTION_COLLECTORS, RETENTION_COUNTERS } from './retention-metrics';

useDatabase();

beforeEach(async () => {
  startProcess();
  setOnce('config', { ...config(), DATA_RETENTION_TABLE_METRICS_INTERVAL_MS: 900_000 });
  await write('TRUNCATE metric_counters, retention_runs');
  // Where they are stored: the statistics of a session that the coordinator opens there may arrive later, and would say that they are empty.
  await write('TRUNCATE delivery_attempts, tunnel_request_log', [], storingDatabase());
});

/** As a web process begins: with nothing remembered. */
function startProcess(): void {
  setOnce('metrics-registry', undefined);
  for (const { name } of RETENTION_COLLECTORS) setOnce(`metrics-collector-${name}`, undefined);
}

async function scrape() {
  const { content } = await makeMetricsText([sharedCounters(RETENTION_COUNTERS), ...RETENTION_COLLECTORS]);
  return parseExposition(content);
}

async function samplesOf(...names: string[]): Promise<Record<string, number>> {
  const metrics = await scrape();
  return Object.assign({}, ...names.map((name) => metrics.get(name)?.samples));
}

/** Runs a job as another process does. */
async function run(options: TestRunOptions, done: BatchResult) {
  const started = await startTestRun(options);
  await inSqlTransaction((tx) => countBatchResult(tx, started, done));
  return started;
}

/** Ends a run after so many seconds. */
async function end(id: string, seconds: number, error: string | null) {
  await database().query(
    `UPDATE retention_runs SET ended_at = started_at + $2 * interval '1 s', error = $3 WHERE id = $1`,
    [id, seconds, error],
  );
}

/** Writes, and has the session send its statistics at once. */
async function write(sql: string, values: unknown[] = [], pool: pg.Pool = database()): Promise<void> {
  const client = await pool.connect();
  await client.query(sql, values);
  await client.query('SELECT pg_stat_force_next_flush()');
  client.release();
}

const addAttempts = (count: number, createdAt: Date, succeeded = true) =>
  write(
    `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
     SELECT gen_random_uuid(), $1, $1, n, now(), 5, $4, $3::timestamptz FROM generate_series(1, $2) n`,
    [newId(), count, createdAt, succeeded],
    storingDatabase(),
  );

const SPECIFIED = {
  counter: [
    'delivery_attempts_cleanup_total',
    'events_cleanup_total',
    'incoming_events_cleanup_total',
    'partition_dropped_total',
  ],
  gauge: ['delivery_attempts_table_rows', 'events_table_rows', 'incoming_events_table_rows', 'partition_default_rows'],
};

describe('the specified metrics', () => {
  it('exist with 0 and the right type before the first run', async () => {
    const metrics = await scrape();
    for (const [type, names] of Object.entries(SPECIFIED)) {
      for (const name of names) expect(metrics.get(name), name).toMatchObject({ type, samples: { [name]: 0 } });
    }
  });

  it('count the rows that any process has removed, the same in every web process', async () => {
    await run({ job: 'main' }, { rows: { delivery_attempts: 500, events: 20, deliveries: 30 }, partitionsDropped: 2 });
    await run({ job: 'cap' }, { rows: { delivery_attempts: 7 } });
    await run({ job: 'burst' }, { rows: { incoming_events: 4 }, partitionsDropped: 1 });
    const counted = await samplesOf(...SPECIFIED.counter);
    expect(counted).toEqual({
      delivery_attempts_cleanup_total: 507,
      events_cleanup_total: 20,
      incoming_events_cleanup_total: 4,
      partition_dropped_total: 3,
    });
    startProcess();
    expect(await samplesOf(...SPECIFIED.counter)).toEqual(counted);
    expect((await scrape()).get('retention_rows_removed_total')?.samples).toMatchObject({
      'retention_rows_removed_total{table="deliveries"}': 30,
      'retention_rows_removed_total{table="sessions"}': 0,
    });
  });

  it('do not fall when old runs are removed', async () => {
    await run({}, { rows: { events: 20 } });
    await inSqlTransaction((tx) => countRunFailed(tx, 'main'));
    const names = ['events_cleanup_total', 'retention_run_failures_total'];
    const before = await samplesOf(...names);
    await database().query('DELETE FROM retention_runs');
    expect(await samplesOf(...names)).toEqual(before);
    expect(before).toMatchObject({ events_cleanup_total: 20, 'retention_run_failures_total{retention_job="main"}': 1 });
    expect(Object.keys(before)).toHaveLength(1 + RETENTION_JOBS.length);
  });

  it('estimate rows and count those of default partitions once per interval', async () => {
    const now = new Date();
    await createPartitionsAhead(now);
    await addAttempts(300, now);
    await addAttempts(40, addMs(now, -800 * DAY_MS), false);
    const names = ['delivery_attempts_table_rows', 'partition_default_rows'];
    expect(await samplesOf(...names)).toEqual({ delivery_attempts_table_rows: 340, partition_default_rows: 40 });
    await addAttempts(60, addMs(now, -700 * DAY_MS), false);
    expect(await samplesOf(...names)).toEqual({ delivery_attempts_table_rows: 340, partition_default_rows: 40 });
    startProcess();
    expect(await samplesOf(...names)).toEqual({ delivery_attempts_table_rows: 400, partition_default_rows: 100 });
    expect((await scrape()).get('retention_partition_default_rows')?.samples).toEqual({
      'retention_partition_default_rows{table="delivery_attempts_succeeded"}': 0,
      'retention_partition_default_rows{table="delivery_attempts_failed"}': 100,
      'retention_partition_default_rows{table="tunnel_request_log"}': 0,
    });
  });

  it('use a changed interval at once', async () => {
    setOnce('config', { ...config(), DATA_RETENTION_TABLE_METRICS_INTERVAL_MS: 1 });
    await scrape();
    await addAttempts(40, addMs(new Date(), -800 * DAY_MS), false);
    expect(await samplesOf('partition_default_rows')).toEqual({ partition_default_rows: 40 });
  });
});

describe('the other metrics of retention', () => {
  it('tell when each job last started and succeeded, and how long it took', async () => {
    const at = new Date('2026-03-10T02:00:00.000Z');
    const good = await startTestRun({ job: 'main', now: at });
    await end(good.id, 42, null);
    const bad = await startTestRun({ job: 'main', now: addMs(at, DAY_MS) });
    await end(bad.id, 7, 'out of disk');
    await startTestRun({ job: 'main', now: addMs(at, 2 * DAY_MS) });
    const cap = await startTestRun({ job: 'cap', now: addMs(at, MINUTE_MS) });
    await end(cap.id, 1, 'no');
    const seconds = at.getTime() / 1000;
    expect(
      await samplesOf(
        'retention_last_run_timestamp_seconds',
        'retention_last_success_timestamp_seconds',
        'retention_last_run_duration_seconds',
      ),
    ).toEqual({
      'retention_last_run_timestamp_seconds{retention_job="main"}': seconds + 2 * 86_400,
      'retention_last_success_timestamp_seconds{retention_job="main"}': seconds + 42,
      'retention_last_run_duration_seconds{retention_job="main"}': 7,
      'retention_last_run_timestamp_seconds{retention_job="cap"}': seconds + 60,
      'retention_last_run_duration_seconds{retention_job="cap"}': 1,
    });
  });

  it('give the oldest row and the window of a class the same label', async () => {
    const at = new Date('2026-03-10T02:00:00.000Z');
    await addAttempts(1, at, false);
    setOnce('config', { ...config(), DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS: 3 });
    const { samples: oldest = {} } = (await scrape()).get('retention_oldest_row_timestamp_seconds') ?? {};
    const { samples: windows = {} } = (await scrape()).get('retention_window_seconds') ?? {};
    expect(oldest).toEqual({
      'retention_oldest_row_timestamp_seconds{table="delivery_attempts_failed"}': at.getTime() / 1000,
    });
    expect(windows).toEqual({
      'retention_window_seconds{table="delivery_attempts_succeeded"}': 3 * 86_400,
      'retention_window_seconds{table="delivery_attempts_failed"}': 90 * 86_400,
      'retention_window_seconds{table="events"}': 90 * 86_400,
      'retention_window_seconds{table="incoming_events"}': 30 * 86_400,
      'retention_window_seconds{table="outbox_dead"}': 90 * 86_400,
      'retention_window_seconds{table="tunnel_request_log"}': 7 * 86_400,
    });
  });

  it('count the days ahead with partitions in the branch that has the fewest, up to the first gap', async () => {
    await avoidMidnight(5_000);
    const { rows } = await database().query<{ now: Date }>('SELECT now()');
    const now = rows[0]?.now ?? new Date();
    const day = (ahead: number) =>
      addMs(now, ahead * DAY_MS)
        .toISOString()
        .slice(0, 10)
        .replaceAll('-', '');
    await inEachCell(() => createPartitionsAhead(now));
    expect(await samplesOf('retention_partitions_ahead')).toEqual({ retention_partitions_ahead: 8 });
    await database().query(`DROP TABLE tunnel_request_log_p${day(3)}`);
    startProcess();
    expect(await samplesOf('retention_partitions_ahead')).toEqual({ retention_partitions_ahead: 2 });
    await database().query(`DROP TABLE delivery_attempts_failed_p${day(1)}`);
    startProcess();
    expect(await samplesOf('retention_partitions_ahead')).toEqual({ retention_partitions_ahead: 0 });
  });
});
