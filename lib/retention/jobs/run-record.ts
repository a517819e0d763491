import { inSqlTransaction, type SqlTransaction } from '@/lib/platform/db';
import { newIdAt } from '@/lib/platform/ids';
import { countRunFailed } from './count-run-failed';
import type { RetentionJob, RowsByTable } from './job-run';
import { LOCK_NAMES } from './jobs';

/** The summary of a run: the JSON that `npm run retention -- JOB` prints. */
export interface RunSummary {
  job: RetentionJob;
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
    const id = newIdAt(await readClock(tx));
    const jobs = Object.entries(LOCK_NAMES).flatMap(([name, lock]) => (lock === LOCK_NAMES[job] ? [name] : []));
    const dead = await tx.query<{ job: RetentionJob }>(
      `UPDATE retention_runs SET ended_at = greatest(started_at, coalesce($2, now())), error = $3
       WHERE job = ANY($1) AND ended_at IS NULL RETURNING job`,
      [jobs, now, BROKEN_OFF],
    );
    for (const { job: broken } of dead.rows) await countRunFailed(tx, broken);
    const { rows } = await tx.query<{ now: Date }>(
      `INSERT INTO retention_runs (id, job, started_at, created_at)
       SELECT $1, $2, at, at FROM (SELECT coalesce($3, date_trunc('milliseconds', now())) AS at) AS start
       RETURNING started_at AS now`,
      [id, job, now],
    );
    await alongside?.(tx, id);
    const [row] = rows;
    if (row === undefined) throw new Error('The run was not recorded.');
    return { id, now: row.now };
  });
}

async function readClock(tx: SqlTransaction): Promise<Date> {
  const { rows } = await tx.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const [row] = rows;
  if (row === undefined) throw new Error('The database returned no time.');
  return row.now;
}

interface RunRow {
  started_at: Date;
  ended_at: Date;
  rows_removed: RowsByTable;
  partitions_created: number;
  partitions_dropped: number;
  table_rows: Record<string, number> | null;
}

/** Ends the row of a run. @returns what the run has counted there */
export async function recordEnd(
  run: { id: string; job: RetentionJob },
  { status, error, durationMs }: Pick<RunSummary, 'status' | 'error' | 'durationMs'>,
): Promise<RunSummary> {
  const row = await inSqlTransaction(async (tx) => {
    // When our lock was lost, another process may have ended the row and counted the failure.
    const { rowCount } = await tx.query(
      `UPDATE retention_runs SET ended_at = started_at + $2 * interval '1 ms', error = $3
       WHERE id = $1 AND ended_at IS NULL`,
      [run.id, Math.round(durationMs), error],
    );
    if (rowCount === 1 && status === 'failed') await countRunFailed(tx, run.job);
    return (await tx.query<RunRow>('SELECT * FROM retention_runs WHERE id = $1', [run.id])).rows[0];
  });
  if (row === undefined) return summarizeIdle(run.job, 'failed', 'The record of the run is gone.');
  return {
    job: run.job,
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
