import { beforeEach, describe, expect, it } from 'vitest';
import type { PartitionedTable, RetainedData, RetentionState } from '@/lib/admin/schema';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/clock';
import { type Config, config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { createPartitionsAhead } from '@/lib/retention/partitions/create-partitions';
import { DAYS_AHEAD } from '@/lib/retention/partitions/partitions';
import type { DataClass } from '@/lib/retention/schema';
import { useDatabase } from '@/tests/database/use-database';
import { fillProject } from '@/tests/fixtures/full-project';
import { ADMIN_TOKEN, callAsOperator } from '@/tests/fixtures/operator';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { avoidMidnight } from '@/tests/time/midnight';

useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN });

/** PostgreSQL may report inserted rows up to ten seconds late, and after an ANALYZE that has counted them. */
const STATISTICS = { timeout: 15_000, interval: 500 };

let project: TestProject;
let untouched: Config;

beforeEach(async () => {
  untouched ??= config();
  setOnce('config', untouched);
  project ??= await makeTestProject();
  await database().query('DELETE FROM retention_runs');
  await database().query('DELETE FROM metric_counters');
  await database().query('DELETE FROM events');
  await database().query('DELETE FROM delivery_attempts');
});

const read = async () => (await callAsOperator<RetentionState>('GET', '/retention')).json;
const tableOf = async (name: string): Promise<PartitionedTable | undefined> =>
  (await read()).tables.find(({ table }) => table === name);
const classOf = async (data: DataClass): Promise<RetainedData | undefined> =>
  (await read()).classes.find((candidate) => candidate.data === data);
const dayName = (offset: number) =>
  addMs(new Date(), offset * DAY_MS)
    .toISOString()
    .slice(0, 10);

async function addRun(job: string, fields: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(fields);
  await database().query(
    `INSERT INTO retention_runs (id, job, ${columns.join(', ')})
     VALUES ($1, $2, ${columns.map((_, index) => `$${index + 3}`).join(', ')})`,
    [newId(), job, ...Object.values(fields)],
  );
}

async function addEvent(daysAgo: number): Promise<void> {
  await database().query(
    `INSERT INTO events (id, project_id, type, payload, created_at)
     VALUES ($1, $2, 'old', '{}', now() - $3 * interval '1 day')`,
    [newId(), project.id, daysAgo],
  );
}

describe('the figures of retention', () => {
  it('show the rule of each class, its rows in all organizations, and its oldest row', async () => {
    await fillProject(project.id, { events: 3, attempts: 4 });
    await fillProject((await makeTestProject()).id, { events: 2, attempts: 2 });
    await addEvent(20);
    const rows = async () => {
      await database().query('ANALYZE');
      return Object.fromEntries((await read()).classes.map(({ data, estimatedRows }) => [data, estimatedRows]));
    };
    const expected = { succeededAttempts: 8, failedAttempts: 8, attemptsPerDelivery: null, events: 6 };
    await expect.poll(rows, STATISTICS).toMatchObject(expected);
    const { classes } = await read();
    const events = classes.find(({ data }) => data === 'events');
    expect(events).toMatchObject({ table: 'events', days: 90, variable: 'DATA_RETENTION_EVENTS_DAYS', warning: null });
    expect(Date.now() - Date.parse(events?.oldestAt ?? '')).toBeCloseTo(20 * DAY_MS, -5);
    expect(events?.sizeBytes).toBeGreaterThan(0);
  });

  it('show the rows removed in total, and by the last run of the job', async () => {
    await database().query(
      `INSERT INTO metric_counters (name, label, value) VALUES
         ('retention_rows_removed_total', 'events', 5000), ('retention_rows_removed_total', 'delivery_attempts', 70000)`,
    );
    const ended = (hours: number) => {
      const startedAt = addMs(new Date(), -hours * HOUR_MS);
      return { started_at: startedAt, ended_at: startedAt };
    };
    await addRun('main', { ...ended(20), rows_removed: { events: 40, delivery_attempts: 900 } });
    await addRun('burst', { ...ended(4), rows_removed: { events: 3 } });
    await addRun('cap', { ...ended(1), rows_removed: { delivery_attempts: 12 } });
    expect(await classOf('events')).toMatchObject({ removedRows: 5000, removedByLastRun: 3 });
    expect(await classOf('failedAttempts')).toMatchObject({ removedRows: 70000, removedByLastRun: 0 });
    expect(await classOf('attemptsPerDelivery')).toMatchObject({ removedRows: 70000, removedByLastRun: 12 });
    expect(await classOf('tunnelRequests')).toMatchObject({ removedRows: 0, removedByLastRun: 0 });
  });
});

describe('the warning', () => {
  const recordYesterday = (rows: number) =>
    addRun('metrics', {
      started_at: addMs(new Date(), -25 * HOUR_MS),
      ended_at: new Date(),
      table_rows: { events: rows },
    });
  const warning = async () => (await classOf('events'))?.warning;

  it('is `growing` when expired rows are not removed, and disappears with the first removal', async () => {
    await recordYesterday(1);
    for (const days of [1, 50, 92]) await addEvent(days);
    await database().query('ANALYZE events');
    expect(await warning()).toBe('growing');
    await addRun('main', { started_at: new Date(), ended_at: new Date(), rows_removed: { events: 1 } });
    expect(await warning()).toBe('overdue');
    await database().query(`DELETE FROM events WHERE created_at < now() - interval '90 days'`);
    expect(await warning()).toBeNull();
  });
});

describe('the partitions', () => {
  beforeEach(async () => {
    await avoidMidnight(15_000);
    await createPartitionsAhead(new Date());
  });

  it('show whether each day is ahead, today, kept or expired', async () => {
    for (const branch of ['delivery_attempts_succeeded', 'delivery_attempts_failed']) {
      await database().query(
        `CREATE TABLE partitions.${branch}_p${dayName(-25).replaceAll('-', '')} PARTITION OF partitions.${branch}
         FOR VALUES FROM ('${dayName(-25)}T00:00:00Z') TO ('${dayName(-24)}T00:00:00Z')`,
      );
    }
    const [succeeded, failed] = [
      await tableOf('delivery_attempts_succeeded'),
      await tableOf('delivery_attempts_failed'),
    ];
    const state = (table: PartitionedTable | undefined, offset: number) =>
      table?.days.find(({ day }) => day === dayName(offset))?.state;
    expect([succeeded?.keptDays, failed?.keptDays]).toEqual([14, 90]);
    expect([state(succeeded, 1), state(succeeded, DAYS_AHEAD)]).toEqual(['ahead', 'ahead']);
    expect(state(succeeded, 0)).toBe('today');
    expect([state(succeeded, -25), state(failed, -25)]).toEqual(['expired', 'kept']);
    expect(succeeded?.days[0]?.day).toBe(dayName(DAYS_AHEAD));
    setOnce('config', { ...config(), DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS: 60 });
    expect(state(await tableOf('delivery_attempts_succeeded'), -25)).toBe('kept');
  });

  it('show the rows of a day, and the exact rows of the default partition', async () => {
    await database().query(
      `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
       SELECT gen_random_uuid(), $1, $1, n, now(), 5, true, now() + CASE WHEN n > 7 THEN interval '90 days' ELSE '0' END
       FROM generate_series(1, 10) n`,
      [project.id],
    );
    const rowsOfToday = async () => {
      await database().query('ANALYZE');
      const { days } = (await tableOf('delivery_attempts_succeeded')) ?? {};
      return days?.find(({ day }) => day === dayName(0))?.estimatedRows;
    };
    await expect.poll(rowsOfToday, STATISTICS).toBe(7);
    const table = await tableOf('delivery_attempts_succeeded');
    const today = table?.days.find(({ day }) => day === dayName(0));
    expect(table?.defaultRows).toBe(3);
    expect(today?.sizeBytes).toBeGreaterThan(0);
    expect(table?.defaultSizeBytes).toBeGreaterThan(0);
  });
});

describe('the schedules', () => {
  it('show the next run of each job, by its cron or after its last run', async () => {
    await addRun('metrics', { started_at: addMs(new Date(), -60_000), ended_at: new Date() });
    const { schedules, jobs } = await read();
    expect(schedules.map(({ job }) => job)).toEqual(jobs);
    const of = (job: string) => schedules.find((schedule) => schedule.job === job);
    expect(of('main')).toMatchObject({ cron: '0 2 * * *', everyMs: null });
    expect(Date.parse(of('main')?.nextRunAt ?? '')).toBeGreaterThan(Date.now());
    expect(of('metrics')).toMatchObject({ cron: null, everyMs: 900_000 });
    expect(Date.parse(of('metrics')?.nextRunAt ?? '') - Date.now()).toBeCloseTo(14 * 60_000, -4);
    expect(of('partitions')).toMatchObject({ cron: null, nextRunAt: null });
  });

  it('show that partitions are never created while PARTITION_MAINTENANCE_ENABLED is false', async () => {
    setOnce('config', { ...config(), PARTITION_MAINTENANCE_ENABLED: false });
    const { schedules, partitionMaintenanceEnabled } = await read();
    expect(partitionMaintenanceEnabled).toBe(false);
    expect(schedules.find(({ job }) => job === 'partitions')).toMatchObject({ everyMs: null, nextRunAt: null });
  });

  it('follow the last run of each job, not earlier ones', async () => {
    await addRun('main', { started_at: addMs(new Date(), -DAY_MS), error: 'an old fault' });
    await addRun('main', { started_at: new Date(), ended_at: new Date(), rows_removed: { events: 7 } });
    await addRun('cap', { started_at: new Date() });
    const { lastRuns } = await read();
    expect(lastRuns.map(({ job }) => job)).toEqual(['cap', 'main']);
    expect(lastRuns[1]).toMatchObject({ error: null, rowsRemoved: { events: 7 } });
  });
});
