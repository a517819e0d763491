import type { Sql } from '@/lib/platform/db';
import type { RetentionJob } from './job-run';
import { addFailure } from './run-counters-sql';

/** Counts a run that failed or was broken off. The counter outlasts the row in retention_runs, which is removed one day. */
export async function countRunFailed(sql: Sql, job: RetentionJob): Promise<void> {
  await addFailure.run(sql, job);
}
