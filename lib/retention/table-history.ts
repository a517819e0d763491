import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';

/** What the runs of a day tell about the tables, by name. */
export interface TableHistory {
  /** Estimated rows that the metrics job recorded about a day ago; empty without a record. */
  rowsADayAgo: Record<string, number>;
  /** Rows removed since that record. */
  removedSince: Record<string, number>;
}

/** Finds the last record of table sizes that is one to two days old, and what retention has removed since. */
export async function findTableHistory(now: Date): Promise<TableHistory> {
  const recorded = await database().query<{ started_at: Date; table_rows: Record<string, number> }>(
    `SELECT started_at, table_rows FROM retention_runs
     WHERE job = 'metrics' AND table_rows IS NOT NULL AND started_at <= $1 AND started_at > $2
     ORDER BY id DESC LIMIT 1`,
    [addMs(now, -DAY_MS), addMs(now, -2 * DAY_MS)],
  );
  const record = recorded.rows[0];
  if (record === undefined) return { rowsADayAgo: {}, removedSince: {} };
  const { rows } = await database().query<{ table_name: string; removed: number }>(
    `SELECT removed.key AS table_name, sum(removed.value::bigint)::float8 AS removed
     FROM retention_runs r CROSS JOIN LATERAL jsonb_each_text(r.rows_removed) AS removed
     WHERE coalesce(r.ended_at, r.started_at) >= $1 GROUP BY removed.key`,
    [record.started_at],
  );
  return {
    rowsADayAgo: record.table_rows,
    removedSince: Object.fromEntries(rows.map(({ table_name, removed }) => [table_name, removed])),
  };
}
