import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, SECOND_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { newIdAt } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { waitFor } from '@/tests/http/receiver';
import { readCounters } from '@/tests/retention/test-run';
import { failing, makeEndless, readRuns, run, step } from '@/tests/retention/test-steps';
import { RETENTION_JOBS } from './job-run';
import { runJob } from './run-job';

const { url } = useDatabase();

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
    let [working, ended] = [0, 0];
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

  it('is free when a run has ended, successful or not', async () => {
    for (let index = 0; index < 5; index++) {
      expect((await run({ steps: [failing('a', 'no')] })).status).toBe('failed');
      expect((await run({ steps: [] })).status).toBe('done');
    }
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
      database().query('INSERT INTO retention_runs (id, job, started_at) VALUES ($1, $2, $3)', [newIdAt(at), job, at]);
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
