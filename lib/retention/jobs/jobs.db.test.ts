import pg from 'pg';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { lowestIdAt, newIdAt } from '@/lib/platform/ids';
import { STOP_DEADLINE_MS } from '@/lib/platform/process';
import { nameOfDay } from '@/lib/retention/partitions/partitions';
import { policyOf } from '@/lib/retention/retention-policy';
import { useDatabase } from '@/tests/database/use-database';
import { waitFor } from '@/tests/http/receiver';
import { branchOf, dropAllPartitions } from '@/tests/retention/partitions';
import { readCounters } from '@/tests/retention/test-run';
import { failing, makeEndless, readRuns, run, step } from '@/tests/retention/test-steps';
import { type CleanupStep, countBatchResult, RETENTION_JOBS } from './job-run';
import { stepsOf } from './jobs';
import { listLast } from './jobs-sql';
import { previewJob, runJob } from './run-job';
import { runSchedules } from './schedule';

/** None of them fires in the middle of the test. */
const NEVER_SOON = '0 0 29 2 *';

const { url } = useDatabase({
  DATA_RETENTION_CRON: NEVER_SOON,
  DATA_RETENTION_LIMIT_CRON: NEVER_SOON,
  DATA_RETENTION_BURST_CLEANUP_CRON: NEVER_SOON,
});

const namesOf = (job: (typeof RETENTION_JOBS)[number], maintainsPartitions: boolean) =>
  stepsOf(job, { ...policyOf(config()), maintainsPartitions }).map(({ name }) => name);

it.each(RETENTION_JOBS)('%s creates partitions first, unless PARTITION_MAINTENANCE_ENABLED is false', (job) => {
  expect(namesOf(job, true)[0]).toBe('make partitions');
  expect(namesOf(job, false)).not.toContain('make partitions');
});

describe('the metrics job', () => {
  beforeEach(dropAllPartitions);

  it('creates and counts the partitions of the days ahead, and records the rows of each table', async () => {
    const { partitionsToCreate } = await previewJob('metrics');
    expect(await runJob('metrics')).toMatchObject({
      status: 'done',
      partitionsCreated: partitionsToCreate.length,
      tableRows: { events: 0 },
    });
    expect(partitionsToCreate.length).toBeGreaterThan(20);
    expect((await previewJob('metrics')).partitionsToCreate).toEqual([]);
  });

  it('records the rows of each table although a partition cannot be created, and says why', async () => {
    const name = nameOfDay(branchOf('failed'), addMs(new Date(), 2 * DAY_MS));
    await database().query(`CREATE TABLE ${name} (something_else int)`);
    const summary = await runJob('metrics');
    await database().query(`DROP TABLE ${name}`);
    expect(summary).toMatchObject({ status: 'failed', error: expect.stringContaining(name), tableRows: { events: 0 } });
  });
});

describe('a job', () => {
  beforeEach(async () => {
    await database().query('DELETE FROM retention_runs; DELETE FROM metric_counters');
  });

  /** Counts rows as removed, as a real step does. */
  const removing = (name: string, rows: Record<string, number>) =>
    step(name, (run) => inSqlTransaction((tx) => countBatchResult(tx, run, { rows, partitionsDropped: 1 })));

  describe('a run', () => {
    it('records one row, which its summary repeats', async () => {
      const summary = await run({ steps: [removing('a', { events: 3, outbox: 1 }), removing('b', { events: 2 })] });
      expect(summary).toEqual({
        job: 'main',
        runId: expect.any(String),
        status: 'done',
        startedAt: '2026-05-01T02:00:00.000Z',
        durationMs: expect.any(Number),
        rowsRemoved: { events: 5, outbox: 1 },
        partitionsCreated: 0,
        partitionsDropped: 2,
        error: null,
      });
      const [row, ...more] = await readRuns();
      expect(more).toEqual([]);
      expect(row).toMatchObject({ job: 'main', error: null, rows_removed: { events: 5, outbox: 1 } });
      expect(row.ended_at - row.started_at).toBe(summary.durationMs);
    });

    it("uses the database's time unless it is given one, the same for every step", async () => {
      const times: Date[] = [];
      const note = step('note', async ({ now }) => void times.push(now));
      const summary = await runJob('cap', { steps: [note, note] });
      expect(times.map((time) => time.toISOString())).toEqual([summary.startedAt, summary.startedAt]);
      expect(Math.abs(Date.now() - (times[0]?.getTime() ?? 0))).toBeLessThan(60_000);
    });

    it('begins only if the rows that are written alongside its own can be written', async () => {
      const alongside = () => Promise.reject(new Error('the audit log is full'));
      await expect(run({ alongside, steps: [removing('a', { events: 1 })] })).rejects.toThrow('the audit log is full');
      expect(await readRuns()).toEqual([]);
      expect((await run({ steps: [] })).status).toBe('done');
    });
  });

  describe('a step that fails', () => {
    it('does not stop the others; the run names it with the reason and counts as failed', async () => {
      const steps = [failing('events', 'a\n  lock'), removing('sessions', { sessions: 4 }), failing('outbox', 'no')];
      const summary = await run({ steps });
      expect(summary).toMatchObject({
        status: 'failed',
        error: 'events: a lock; outbox: no',
        rowsRemoved: { sessions: 4 },
      });
      expect((await readRuns())[0]).toMatchObject({ error: summary.error, ended_at: expect.any(Date) });
      expect(await readCounters()).toMatchObject({ 'retention_run_failures_total main': 1 });
    });

    it('ends the run when the database is unreachable', async () => {
      let tried = 0;
      const away = step('events', () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })));
      await run({ steps: [away, step('next', async () => void tried++)] });
      expect(tried).toBe(0);
    });
  });

  describe('a run that ends before its work is done', () => {
    it('stops between two batches, and keeps what it has counted', async () => {
      const stopping = new AbortController();
      const { endless, untilBegun } = makeEndless();
      const running = run({
        signal: stopping.signal,
        steps: [removing('a', { events: 7 }), endless, failing('c', 'c')],
      });
      await untilBegun();
      stopping.abort();
      expect(await running).toMatchObject({ status: 'stopped', error: 'stopped', rowsRemoved: { events: 7 } });
      expect((await readRuns())[0]).toMatchObject({ error: 'stopped', rows_removed: { events: 7 } });
      expect(await readCounters()).not.toHaveProperty('retention_run_failures_total main');
    });

    it('does not begin after it is told to stop', async () => {
      const summary = await run({ signal: AbortSignal.abort(), steps: [removing('a', { events: 7 })] });
      expect(summary).toMatchObject({ status: 'stopped', rowsRemoved: {} });
    });

    it('waits for a hanging batch only as long as a stopping process may', async () => {
      const stopping = new AbortController();
      let hasBegun = false;
      const hanging = step('hanging', () => {
        hasBegun = true;
        return new Promise(() => undefined);
      });
      const running = run({ signal: stopping.signal, steps: [hanging] });
      await waitFor('the step that hangs', () => hasBegun);
      const startedAt = performance.now();
      stopping.abort();
      expect((await running).status).toBe('stopped');
      expect(performance.now() - startedAt).toBeLessThan(STOP_DEADLINE_MS);
    });

    it('by its time limit is done, and says that there is more to do', async () => {
      const { endless } = makeEndless();
      const summary = await run({ timeLimitMs: 100, steps: [endless, removing('b', { events: 1 })] });
      expect(summary).toMatchObject({ status: 'done', error: null, outOfTime: true, rowsRemoved: {} });
      expect(await run({ timeLimitMs: 5_000, steps: [] })).not.toHaveProperty('outOfTime');
    });
  });

  describe('a run of a process whose clock is ahead', () => {
    it('removes nothing when it is ahead by more than an hour: the database may be the one that is wrong', async () => {
      const cleaned = vi.fn();
      const steps = [step('a', cleaned)];
      const runAhead = async (ms: number) => {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
        return runJob('main', { steps }).finally(() => vi.useRealTimers());
      };
      for (const ms of [2 * HOUR_MS, -2 * HOUR_MS]) {
        const { status, error } = await runAhead(ms);
        expect([status, error]).toEqual(['failed', expect.stringContaining('one of them is wrong')]);
      }
      expect(cleaned).not.toHaveBeenCalled();
      expect((await runAhead(HOUR_MS / 2)).status).toBe('done');
      expect(cleaned).toHaveBeenCalledOnce();
    });

    it("has an id of the database's time, so that later runs sort after it", async () => {
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + DAY_MS);
      await runJob('main', { steps: [] });
      vi.restoreAllMocks();
      expect((await readRuns())[0]?.id < lowestIdAt(addMs(new Date(), HOUR_MS))).toBe(true);
    });
  });

  describe('a dry run', () => {
    it('adds up what the steps would do, and changes nothing', async () => {
      const previewing = (name: string, preview: object): CleanupStep => ({
        ...step(name, () => Promise.reject(new Error('It was not to clean.'))),
        preview: async () => preview,
      });
      const steps = [
        previewing('a', { rows: { events: 2, outbox: 0 }, partitionsToDrop: ['p1'] }),
        previewing('b', { rows: { events: 3, deliveries: 1 }, partitionsToCreate: ['p2'], partitionsToDrop: ['p3'] }),
      ];
      const now = new Date('2026-05-01T02:00:00Z');
      expect(await previewJob('main', { now, steps })).toEqual({
        job: 'main',
        dryRun: true,
        at: now.toISOString(),
        rowsToRemove: { events: 5, deliveries: 1 },
        partitionsToCreate: ['p2'],
        partitionsToDrop: ['p1', 'p3'],
      });
      expect(await readRuns()).toEqual([]);
    });
  });
});

describe('the schedule', () => {
  beforeEach(() => database().query('DELETE FROM retention_runs; DELETE FROM metric_counters'));

  const countRuns = async () =>
    (await database().query('SELECT FROM retention_runs WHERE ended_at IS NOT NULL')).rowCount;

  it('runs in the future, from a wrong clock, neither keep jobs from running nor hide later runs from metrics', async () => {
    const at = addMs(new Date(), 365 * DAY_MS);
    for (const job of RETENTION_JOBS) {
      await database().query(
        `INSERT INTO retention_runs (id, job, started_at, ended_at, created_at)
       VALUES (overlay($1 placing substr(gen_random_uuid()::text, 25) from 25)::uuid, $2, $3, $3, $3)`,
        [lowestIdAt(at), job, at],
      );
    }
    const stopping = new AbortController();
    const schedules = runSchedules(stopping.signal);
    // All but burst, because main counts as one.
    await vi.waitFor(async () => expect(await countRuns()).toBe(2 * RETENTION_JOBS.length - 1), { timeout: 30_000 });
    stopping.abort();
    await schedules;
    const main = await listLast.one(database(), { jobs: ['main'] });
    expect(main.started_at?.getTime()).toBeLessThan(Date.now() + 60_000);
    expect(main.good_ended_at?.getTime()).toBeLessThan(Date.now() + 60_000);
  });
});

describe('the lock of a job', () => {
  beforeEach(async () => {
    await database().query('DELETE FROM retention_runs; DELETE FROM metric_counters');
  });

  /** Breaks the connections that hold locks of jobs, as a restart of the database does. */
  async function breakLockConnections(): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name LIKE 'event-delivery-service retention%' AND datname = current_database()`);
    await client.end();
  }

  describe('the lock', () => {
    it('lets one of many simultaneous runs work; the others say that the job is already running', async () => {
      let working = 0;
      let ended = 0;
      const jobs = ['main', 'burst', 'main', 'burst', 'main'] as const;
      const slow = step('slow', async () => {
        working += 1;
        await waitFor('all the others to have asked', () => ended === jobs.length - 1);
      });
      const runs = jobs.map((job) => runJob(job, { steps: [slow] }).finally(() => void ended++));
      const summaries = await Promise.all(runs);
      expect(working).toBe(1);
      expect(summaries.filter(({ status }) => status === 'done')).toHaveLength(1);
      for (const loser of summaries.filter(({ status }) => status !== 'done')) {
        expect(loser).toMatchObject({ status: 'already_running', startedAt: null });
        expect(loser.error).toMatch(/already running.*main or burst/);
      }
      expect(await readRuns()).toHaveLength(1);
      expect(await readCounters()).toEqual({});
    });

    it('is not shared by different work: cap, metrics and partitions run at the same time as main', async () => {
      let working = 0;
      const jobs = RETENTION_JOBS.filter((job) => job !== 'burst');
      const slow = step('slow', async () => {
        working += 1;
        await waitFor('all of them to be at work', () => working === jobs.length);
      });
      const summaries = await Promise.all(jobs.map((job) => runJob(job, { steps: [slow] })));
      expect(summaries.map(({ status }) => status)).toEqual(['done', 'done', 'done', 'done']);
    });

    it('ends the run when it is lost', async () => {
      const { endless, untilBegun } = makeEndless();
      const running = run({ steps: [endless] });
      await untilBegun();
      expect((await run({ steps: [] })).status).toBe('already_running');
      await breakLockConnections();
      expect(await running).toMatchObject({
        status: 'failed',
        error: 'the connection that held the lock was lost',
      });
      expect((await run({ steps: [] })).status).toBe('done');
    });
  });

  describe('a run whose process died', () => {
    it('is ended by the next run under its lock, and by no other', async () => {
      const insert = (job: string, at: Date) =>
        database().query('INSERT INTO retention_runs (id, job, started_at) VALUES ($1, $2, $3)', [
          newIdAt(at),
          job,
          at,
        ]);
      await insert('burst', addMs(new Date(), -2 * SECOND_MS));
      await insert('cap', addMs(new Date(), -SECOND_MS));
      await runJob('main', { steps: [] });
      const runs = await readRuns();
      expect(runs[0]).toMatchObject({ job: 'burst', error: 'broken off', ended_at: expect.any(Date) });
      expect(runs[1]).toMatchObject({ job: 'cap', error: null, ended_at: null });
      expect(await readCounters()).toEqual({ 'retention_run_failures_total burst': 1 });
    });

    it('ends before the next run starts', async () => {
      for (let round = 0; round < 12; round += 1) {
        const at = new Date();
        await database().query("INSERT INTO retention_runs (id, job, started_at) VALUES ($1, 'main', $2)", [
          newIdAt(at),
          at,
        ]);
        await runJob('main', { steps: [] });
      }
      const runs = await readRuns();
      const broken = runs.flatMap((run, n) => (run.error === null ? [] : [[run.ended_at, runs[n + 1]?.started_at]]));
      expect(broken).toHaveLength(12);
      for (const [ended, started] of broken)
        expect(started?.getTime()).toBeGreaterThanOrEqual(ended?.getTime() ?? Infinity);
    });
  });
});
