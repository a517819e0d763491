import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database, inSqlTransaction, type Sql, type SqlTransaction } from '@/lib/platform/db';
import { newIdAt } from '@/lib/platform/ids';
import type { RetentionRun } from '@/lib/retention/schema';
import { RETENTION_JOBS, type RetentionJob, type RowsByTable } from './job-run';
import { LOCK_NAMES } from './jobs';
import { addRun, endRun, endUnfinished, findRun, findTableRows, listLast, readClock, sumRemoved } from './jobs-sql';
import { addFailure } from './run-counters-sql';

/** The summary of a run: the JSON that `npm run retention -- JOB` prints. */
export interface RunSummary {
  job: RetentionJob;
  /** The id of its row in retention_runs, as the log names it; missing when the job did not run. */
  runId?: string;
  /**
   * `disabled`: the job has nothing to do, because PARTITION_MAINTENANCE_ENABLED is false. `not_due`: another process was
   * first to run what was scheduled.
   */
  status: 'done' | 'failed' | 'stopped' | 'already_running' | 'disabled' | 'not_due';
  /** RFC 3339; null when the job did not run. */
  startedAt: string | null;
  durationMs: number;
  rowsRemoved: RowsByTable;
  partitionsCreated: number;
  partitionsDropped: number;
  error: string | null;
  /** The job reached its time limit; the next run continues. */
  outOfTime?: true;
  /** Estimated rows by table, from the job `metrics`. */
  tableRows?: Record<string, number>;
}

/** Returns the summary of a job that did not run. */
export function summarizeIdle(job: RetentionJob, status: RunSummary['status'], error: string | null): RunSummary {
  const nothing = { rowsRemoved: {}, partitionsCreated: 0, partitionsDropped: 0 };
  return { job, status, startedAt: null, durationMs: 0, ...nothing, error };
}

const BROKEN_OFF = 'broken off';

/**
 * Adds the row of a run. Ends earlier runs under the same lock that never ended: their processes are dead, since we have
 * the lock.
 *
 * The id has the database's time, as the start has. Runs sort by id: one from a process whose clock is ahead would count as
 * the last run until that time.
 *
 * @param now the time of the run; null: the database's time
 * @param alongside writes rows that exist if and only if the run has begun
 */
export async function recordStart(
  job: RetentionJob,
  now: Date | null,
  alongside?: (tx: SqlTransaction, runId: string) => Promise<void>,
): Promise<{ id: string; now: Date }> {
  return inSqlTransaction(async (tx) => {
    const id = newIdAt((await readClock.one(tx)).now);
    const jobs = Object.entries(LOCK_NAMES).flatMap(([name, lock]) => (lock === LOCK_NAMES[job] ? [name] : []));
    const dead = await endUnfinished.all(tx, { jobs, endedAt: now, error: BROKEN_OFF });
    for (const { job: broken } of dead) await countRunFailed(tx, broken);
    const started = await addRun.one(tx, { run: id, job, startedAt: now });
    await alongside?.(tx, id);
    return { id, now: started.now };
  });
}

/** Ends the row of a run. @returns what the run has counted there */
export async function recordEnd(
  run: { id: string; job: RetentionJob },
  { status, error, durationMs }: Pick<RunSummary, 'status' | 'error' | 'durationMs'>,
): Promise<RunSummary> {
  const row = await inSqlTransaction(async (tx) => {
    // When our lock was lost, another process may have ended the row and counted the failure.
    const ended = await endRun.run(tx, { run: run.id, durationMs: Math.round(durationMs), error });
    if (ended === 1 && status === 'failed') await countRunFailed(tx, run.job);
    return findRun.first(tx, { run: run.id });
  });
  if (row === undefined) return summarizeIdle(run.job, 'failed', 'The record of the run is gone.');
  return {
    job: run.job,
    runId: run.id,
    status,
    startedAt: row.started_at.toISOString(),
    durationMs: row.ended_at.getTime() - row.started_at.getTime(),
    rowsRemoved: row.rows_removed,
    partitionsCreated: row.partitions_created,
    partitionsDropped: row.partitions_dropped,
    error,
    ...(row.table_rows === null ? {} : { tableRows: row.table_rows }),
  };
}

/** Counts a run that failed or was broken off. The counter outlasts the row in retention_runs, which is removed one day. */
export async function countRunFailed(sql: Sql, job: RetentionJob): Promise<void> {
  await addFailure.run(sql, { job });
}

/** Lists the last run of each job that has run, by the name of the job. */
export async function listLastRuns(): Promise<RetentionRun[]> {
  const rows = await listLast.all(database(), { jobs: RETENTION_JOBS });
  return rows.flatMap(({ job, started_at, ended_at, rows_removed, partitions_created, partitions_dropped, error }) => {
    if (started_at === null) return [];
    return {
      job,
      startedAt: started_at.toISOString(),
      endedAt: ended_at?.toISOString() ?? null,
      rowsRemoved: rows_removed ?? {},
      partitionsCreated: partitions_created ?? 0,
      partitionsDropped: partitions_dropped ?? 0,
      error,
    };
  });
}

/** What the runs of a day tell about the tables, by name. */
interface TableHistory {
  /** Estimated rows that the metrics job recorded about a day ago; empty without a record. */
  rowsADayAgo: Record<string, number>;
  /** Rows removed since that record. */
  removedSince: Record<string, number>;
}

/** Finds the last record of table sizes that is one to two days old, and what retention has removed since. */
export async function findTableHistory(now: Date): Promise<TableHistory> {
  const record = await findTableRows.first(database(), { after: addMs(now, -2 * DAY_MS), until: addMs(now, -DAY_MS) });
  if (record === undefined) return { rowsADayAgo: {}, removedSince: {} };
  const rows = await sumRemoved.all(database(), { since: record.started_at });
  return {
    rowsADayAgo: record.table_rows,
    removedSince: Object.fromEntries(rows.map(({ table_name, removed }) => [table_name, removed])),
  };
}
