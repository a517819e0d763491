import type { Sql } from '@/lib/platform/db';
import type { RetentionJob } from './job-run';

/** Counts a run that failed or was broken off. The counter outlasts the row in retention_runs, which is removed one day. */
export async function countRunFailed(sql: Sql, job: RetentionJob): Promise<void> {
  await sql.query(
    `INSERT INTO metric_counters (name, label, value) VALUES ('retention_run_failures_total', $1, 1)
     ON CONFLICT (name, label) DO UPDATE SET value = metric_counters.value + 1`,
    [job],
  );
}
