import { database } from '@/lib/platform/db';
import type { RetentionRun } from './schema';

interface RunRow {
  job: string;
  started_at: Date;
  ended_at: Date | null;
  rows_removed: Record<string, number>;
  partitions_created: number;
  partitions_dropped: number;
  error: string | null;
}

/** Lists the last run of each job that has run, by the name of the job. */
export async function listLastRuns(): Promise<RetentionRun[]> {
  // One look-up per job: DISTINCT ON reads every run.
  const { rows } = await database().query<RunRow>(
    `WITH RECURSIVE jobs AS (
       SELECT min(job) AS job FROM retention_runs
       UNION ALL
       SELECT (SELECT min(r.job) FROM retention_runs r WHERE r.job > jobs.job) FROM jobs WHERE jobs.job IS NOT NULL
     )
     SELECT run.* FROM jobs CROSS JOIN LATERAL (
       SELECT job, started_at, ended_at, rows_removed, partitions_created, partitions_dropped, error
       FROM retention_runs r WHERE r.job = jobs.job ORDER BY id DESC LIMIT 1
     ) run ORDER BY job`,
  );
  return rows.map((row) => ({
    job: row.job,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    rowsRemoved: row.rows_removed,
    partitionsCreated: row.partitions_created,
    partitionsDropped: row.partitions_dropped,
    error: row.error,
  }));
}
