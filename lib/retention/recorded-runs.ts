import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { findTableRows, listLast, sumRemoved } from './recorded-runs-sql';
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

/** What the runs of a day tell about the tables, by name. */
interface TableHistory {
  /** Estimated rows that the metrics job recorded about a day ago; empty without a record. */
  rowsADayAgo: Record<string, number>;
  /** Rows removed since that record. */
  removedSince: Record<string, number>;
}

/** Finds the last record of table sizes that is one to two days old, and what retention has removed since. */
export async function findTableHistory(now: Date): Promise<TableHistory> {
  const record = await findTableRows.first(database(), addMs(now, -DAY_MS), addMs(now, -2 * DAY_MS));
  if (record === undefined) return { rowsADayAgo: {}, removedSince: {} };
  const rows = await sumRemoved.all(database(), record.started_at);
  return {
    rowsADayAgo: record.table_rows,
    removedSince: Object.fromEntries(rows.map(({ table_name, removed }) => [table_name, removed])),
  };
}
