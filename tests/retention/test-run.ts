import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { CleanupStep, JobRun, RetentionJob } from '@/lib/retention/jobs/job-run';
import { policyOf, type RetentionPolicy } from '@/lib/retention/retention-policy';

export interface TestRunOptions {
  job?: RetentionJob;
  now?: Date;
  /** What differs from the policy of the configuration. */
  policy?: Partial<RetentionPolicy>;
  signal?: AbortSignal;
}

/** A run with its row in retention_runs, to hand to a step. */
export async function startTestRun({ job = 'main', now, policy, signal }: TestRunOptions = {}): Promise<JobRun> {
  const run: JobRun = {
    id: newId(),
    job,
    now: now ?? new Date(),
    policy: { ...policyOf(config()), ...policy },
    signal: signal ?? new AbortController().signal,
  };
  await database().query('INSERT INTO retention_runs (id, job, started_at) VALUES ($1, $2, $3)', [
    run.id,
    job,
    run.now,
  ]);
  return run;
}

/** What a run has counted so far, in its row. */
export async function readRun(run: JobRun) {
  const { rows } = await database().query<{
    rows_removed: Record<string, number>;
    partitions_created: number;
    partitions_dropped: number;
    ended_at: Date | null;
    error: string | null;
  }>('SELECT rows_removed, partitions_created, partitions_dropped, ended_at, error FROM retention_runs WHERE id = $1', [
    run.id,
  ]);
  if (rows[0] === undefined) throw new Error('There is no such run.');
  return rows[0];
}

/** Runs one step. @returns how many rows it removed, by table */
export async function runStep(step: CleanupStep, options?: TestRunOptions): Promise<Record<string, number>> {
  const run = await startTestRun(options);
  await step.clean(run);
  return (await readRun(run)).rows_removed;
}

/** The counters of all runs, as "name" or "name label". */
export async function readCounters(): Promise<Record<string, number>> {
  const { rows } = await database().query<{ name: string; label: string; value: string }>(
    'SELECT name, label, value FROM metric_counters',
  );
  return Object.fromEntries(
    rows.map(({ name, label, value }) => [label === '' ? name : `${name} ${label}`, Number(value)]),
  );
}
