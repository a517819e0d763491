import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { sqlWithTimeout } from '@/lib/platform/db';
import { countBatchResult, type JobRun } from '@/lib/retention/jobs/job-run';
import { runInBatches } from './batches';
import type { ExpiredRows } from './expired-rows-sql';

/** Removes the rows in batches. Skips rows that another transaction has locked; the next run removes them. */
export async function deleteInBatches(
  run: JobRun,
  { table, remove }: ExpiredRows,
  values: readonly unknown[],
): Promise<void> {
  await runInBatches(run, async (tx, limit) => {
    const removed = await remove.run(tx, ...values, limit);
    await countBatchResult(tx, run, { rows: { [table]: removed } });
    return removed === limit;
  });
}

/** Counts the expired rows, with a long statement timeout. */
export async function countExpired(count: ExpiredRows['count'], values: readonly unknown[]): Promise<number> {
  return Number((await count.one(sqlWithTimeout(LONG_STATEMENT_MS), ...values)).count);
}
