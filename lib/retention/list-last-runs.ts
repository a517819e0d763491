import { database } from '@/lib/platform/db';
import { listLast } from './recorded-runs-sql';
import type { RetentionRun } from './schema';

/** Lists the last run of each job that has run, by the name of the job. */
export async function listLastRuns(): Promise<RetentionRun[]> {
  const rows = await listLast.all(database());
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
