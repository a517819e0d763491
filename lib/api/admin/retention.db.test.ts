import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runRetentionJob } from '@/lib/admin/run-retention';
import type { PartitionedTable, RetainedData, RetentionState } from '@/lib/admin/schema';
import type { OperatorCaller } from '@/lib/audit/caller';
import { abortLongTasks, settleBackground } from '@/lib/platform/background';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/clock';
import { type Config, config } from '@/lib/platform/config/config';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { sqlWithTimeout } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { tryJobLock } from '@/lib/retention/jobs/job-lock';
import { RETENTION_JOBS } from '@/lib/retention/jobs/job-run';
import { createPartitionsAhead } from '@/lib/retention/partitions/make-partitions';
import { DAYS_AHEAD, nameOfDay } from '@/lib/retention/partitions/partitions';
import type { DataClass } from '@/lib/retention/schema';
import { count, run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { insertProject } from '@/tests/fixtures/deliveries';
import { fillProject } from '@/tests/fixtures/full-project';
import { ADMIN_TOKEN, callAsOperator } from '@/tests/fixtures/operator';
import { registerPerson } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call, expectProblem } from '@/tests/http/api-request';
import { addPartition, branchOf } from '@/tests/retention/partitions';
import { avoidMidnight } from '@/tests/time/midnight';

useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN });

describe('the figures', () => {
  /** PostgreSQL may report inserted rows up to ten seconds late, and after an ANALYZE that has counted them. */
  const STATISTICS = { timeout: 15_000, interval: 500 };

  let project: TestProject;

  let untouched: Config;

  beforeEach(async () => {
    untouched ??= config();
    setOnce('config', untouched);
    project ??= await makeTestProject();
    await run('DELETE FROM retention_runs');
    await run('DELETE FROM metric_counters');
    await run('DELETE FROM events');
    await run('DELETE FROM delivery_attempts');
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
    await run(
      `INSERT INTO retention_runs (id, job, ${columns.join(', ')})
     VALUES ($1, $2, ${columns.map((_, index) => `$${index + 3}`).join(', ')})`,
      newId(),
      job,
      ...Object.values(fields),
    );
  }

  async function addEvent(daysAgo: number): Promise<void> {
    await run(
      `INSERT INTO events (id, project_id, type, payload, created_at)
     VALUES ($1, $2, 'old', '{}', now() - $3 * interval '1 day')`,
      newId(),
      project.id,
      daysAgo,
    );
  }

  describe('the figures of retention', () => {
    it('show the rule of each class, its rows in all organizations, and its oldest row', async () => {
      await fillProject(project.id, { events: 3, attempts: 4 });
      await fillProject((await makeTestProject()).id, { events: 2, attempts: 2 });
      await addEvent(20);
      const rows = async () => {
        await run('ANALYZE');
        return Object.fromEntries((await read()).classes.map(({ data, estimatedRows }) => [data, estimatedRows]));
      };
      const expected = { succeededAttempts: 8, failedAttempts: 8, attemptsPerDelivery: null, events: 6 };
      await expect.poll(rows, STATISTICS).toMatchObject(expected);
      const { classes } = await read();
      const events = classes.find(({ data }) => data === 'events');
      expect(events).toMatchObject({
        table: 'events',
        days: 90,
        variable: 'DATA_RETENTION_EVENTS_DAYS',
        warning: null,
      });
      expect(Date.now() - Date.parse(events?.oldestAt ?? '')).toBeCloseTo(20 * DAY_MS, -5);
      expect(events?.sizeBytes).toBeGreaterThan(0);
    });

    it('show the rows removed in total, and by the last run of the job', async () => {
      await run(`INSERT INTO metric_counters (name, label, value) VALUES
         ('retention_rows_removed_total', 'events', 5000), ('retention_rows_removed_total', 'delivery_attempts', 70000)`);
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
      await run('ANALYZE events');
      expect(await warning()).toBe('growing');
      await addRun('main', { started_at: new Date(), ended_at: new Date(), rows_removed: { events: 1 } });
      expect(await warning()).toBe('overdue');
      await run(`DELETE FROM events WHERE created_at < now() - interval '90 days'`);
      expect(await warning()).toBeNull();
    });
  });

  describe('the partitions', () => {
    beforeEach(async () => {
      await avoidMidnight(15_000);
      await createPartitionsAhead(new Date());
    });

    it('show whether each day is ahead, today, kept or expired', async () => {
      for (const name of ['succeeded', 'failed'] as const) {
        const day = { from: new Date(dayName(-25)), to: new Date(dayName(-24)) };
        await addPartition(branchOf(name), nameOfDay(branchOf(name), day.from), day);
      }
      const succeeded = await tableOf('delivery_attempts_succeeded');
      const failed = await tableOf('delivery_attempts_failed');
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
  });
});

describe('running a job by hand', () => {
  const runJob = (body: unknown) =>
    callAsOperator<{ code: string; detail: string }>('POST', '/retention/run', { body });

  const caller: OperatorCaller = { type: 'operator', client: { ipAddress: '198.51.100.7', userAgent: null } };

  async function listRuns() {
    const rows = await select('SELECT * FROM retention_runs ORDER BY id');
    return rows;
  }

  const countStarts = async () => await count(`SELECT FROM audit_log WHERE action = 'retention.started'`);

  /** Expired events: with batches of one, removing them takes long enough for a second request. */
  async function insertExpiredEvents(count: number): Promise<void> {
    await sqlWithTimeout(LONG_STATEMENT_MS).query(
      `INSERT INTO events (id, project_id, type, payload, created_at)
     SELECT gen_random_uuid(), $1, 'order.paid', '{}', now() - interval '100 days' FROM generate_series(1, $2::int)`,
      [await insertProject(), count],
    );
    setOnce('config', { ...config(), DATA_RETENTION_BATCH_SIZE: 1 });
  }

  let kept: ReturnType<typeof config>;

  beforeEach(async () => {
    kept = config();
    await run('DELETE FROM retention_runs');
  });

  afterEach(async () => {
    abortLongTasks();
    await settleBackground();
    setOnce('background', undefined);
    setOnce('config', kept);
    await run('DELETE FROM events');
  });

  describe('running a retention job', () => {
    it.each(RETENTION_JOBS)('%s answers 204 when it is done, and records a run and an audit entry', async (job) => {
      const response = await runJob({ job });
      expect([response.status, response.text]).toEqual([204, '']);
      const [row, ...more] = await listRuns();
      expect(more).toEqual([]);
      expect(row).toMatchObject({ job, error: null, ended_at: expect.any(Date) });
      expect(await auditOf(row.id)).toEqual([
        expect.objectContaining({ action: 'retention.started', actor_type: 'OPERATOR', details: { job } }),
      ]);
    });

    it('accepts known jobs only, from the operator only', async () => {
      for (const body of [{ job: 'everything' }, {}, { job: 'partitions', force: true }]) {
        expect((await runJob(body)).status).toBe(400);
      }
      const { accessToken } = await registerPerson();
      const path = '/api/v1/admin/retention/run';
      expect((await call('POST', path, { bearer: accessToken, body: { job: 'partitions' } })).status).toBe(401);
      expect(await listRuns()).toEqual([]);
    });
  });

  describe('a job that cannot be run', () => {
    it('answers 409 while it is already running, and records neither run nor audit entry', async () => {
      const starts = await countStarts();
      const lock = await tryJobLock('main');
      const responses = await Promise.all([runJob({ job: 'main' }), runJob({ job: 'burst' }), runJob({ job: 'cap' })]);
      await lock?.release();
      expect(responses.map(({ status }) => status)).toEqual([409, 409, 204]);
      expect(responses[0]?.json).toMatchObject({
        code: 'conflict',
        detail: expect.stringContaining('The job is already running'),
      });
      expect((await listRuns()).map(({ job }) => job)).toEqual(['cap']);
      expect(await countStarts()).toBe((starts ?? 0) + 1);
    });

    it('answers 409 while PARTITION_MAINTENANCE_ENABLED is false, for partitions only', async () => {
      setOnce('config', { ...config(), PARTITION_MAINTENANCE_ENABLED: false });
      expect((await runJob({ job: 'partitions' })).json).toMatchObject({
        code: 'conflict',
        detail: expect.stringContaining('PARTITION_MAINTENANCE_ENABLED'),
      });
      expect((await runJob({ job: 'main' })).status).toBe(204);
      expect((await listRuns()).map(({ job }) => job)).toEqual(['main']);
    });

    it('answers 500 with the reason when it fails', async () => {
      await run('ALTER TABLE user_tokens RENAME TO elsewhere');
      const response = await runJob({ job: 'main' });
      await run('ALTER TABLE elsewhere RENAME TO user_tokens');
      expectProblem(response, 500, 'internal_error');
      expect(response.json.detail).toContain('relation "user_tokens" does not exist');
      expect((await listRuns())[0].error).toContain('relation "user_tokens" does not exist');
    });
  });

  describe('a job that takes long', () => {
    it('continues after the request has been answered', async () => {
      await insertExpiredEvents(300);
      await runRetentionJob(caller, 'main', { waitMs: 300 });
      await vi.waitFor(async () => expect(await listRuns()).toMatchObject([{ ended_at: null }]), { timeout: 30_000 });
      await settleBackground();
      expect((await listRuns())[0]).toMatchObject({ error: null, rows_removed: { events: 300 } });
    });

    it('stops with its process: the request gets 503, and the run is recorded as stopped', async () => {
      await insertExpiredEvents(2000);
      const response = runJob({ job: 'main' });
      const countEvents = async () => await count('SELECT FROM events');
      await vi.waitFor(async () => expect(await countEvents()).toBeLessThan(2000), { timeout: 30_000 });
      abortLongTasks();
      expect((await response).status).toBe(503);
      await settleBackground();
      expect((await listRuns())[0]).toMatchObject({ error: 'stopped', ended_at: expect.any(Date) });
    });
  });
});
