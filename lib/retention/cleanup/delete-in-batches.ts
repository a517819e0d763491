import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { sqlWithTimeout } from '@/lib/platform/db';
import { type CleanedTable, countBatchResult, type JobRun } from '@/lib/retention/jobs/job-run';
import { runInBatches } from './batches';

/** Rows that expire by a condition on their own columns. */
export interface ExpiredRows {
  table: CleanedTable;
  /** The column of its primary key. */
  key: string;
  /** SQL with parameters from $1 on. */
  where: string;
  values: unknown[];
}

/** Removes the rows in batches. Skips rows that somebody holds; the next run removes them. */
export async function deleteInBatches(run: JobRun, { table, key, where, values }: ExpiredRows): Promise<void> {
  const text = `
    DELETE FROM ${table} WHERE ${key} = ANY(ARRAY(
      SELECT ${key} FROM ${table} WHERE ${where} LIMIT $${values.length + 1} FOR UPDATE SKIP LOCKED))`;
  await runInBatches(run, async (tx, limit) => {
    const removed = (await tx.query(text, [...values, limit])).rowCount ?? 0;
    await countBatchResult(tx, run, { rows: { [table]: removed } });
    return removed === limit;
  });
}

/** Counts the rows. */
export async function countExpired({ table, where, values }: Omit<ExpiredRows, 'key'>): Promise<number> {
  const { rows } = await sqlWithTimeout(LONG_STATEMENT_MS).query<{ count: string }>(
    `SELECT count(*) AS count FROM ${table} WHERE ${where}`,
    values,
  );
  return Number(rows[0]?.count ?? 0);
}
