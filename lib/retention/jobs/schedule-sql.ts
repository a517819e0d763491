import { nullable, textOf, timestamp } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import type { RetentionJob } from './job-run';

/** Reads the database's time. */
export const readTime = statement('SELECT now() AS now', { now: timestamp });

/**
 * Lists the jobs $1 with the start of their last successful run, and the database's time. Ignores runs in the future: their
 * clock was wrong, and they would count as the last run until that time.
 */
export const listLastGood = statement(
  `SELECT now() AS now, job, (
     SELECT started_at FROM retention_runs r
     WHERE r.job = jobs.job AND ended_at IS NOT NULL AND error IS NULL AND started_at <= now()
     ORDER BY id DESC LIMIT 1) AS last
   FROM unnest($1::text[]) AS jobs(job)`,
  { now: timestamp, job: textOf<RetentionJob>(), last: nullable(timestamp) },
);
