import { float, nullable, textOf } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import type { RetentionJob } from '@/lib/retention/jobs/job-run';

/**
 * Lists the times of the last runs of each of the jobs $1, in seconds since 1970; null when there was no such run. Ignores
 * runs in the future: their clock was wrong, and they would hide until that time that no run takes place.
 */
export const listLastTimes = statement(
  `
  SELECT job, last.started_at AS "startedAt", good.ended_at AS "succeededAt", ended.seconds
  FROM unnest($1::text[]) AS j(job)
  LEFT JOIN LATERAL (
    SELECT extract(epoch FROM started_at)::float8 AS started_at FROM retention_runs r WHERE r.job = j.job AND started_at <= now()
    ORDER BY id DESC LIMIT 1) last ON true
  LEFT JOIN LATERAL (
    SELECT extract(epoch FROM ended_at)::float8 AS ended_at FROM retention_runs r
    WHERE r.job = j.job AND ended_at IS NOT NULL AND error IS NULL AND started_at <= now()
    ORDER BY id DESC LIMIT 1) good ON true
  LEFT JOIN LATERAL (
    SELECT extract(epoch FROM ended_at - started_at)::float8 AS seconds FROM retention_runs r
    WHERE r.job = j.job AND ended_at IS NOT NULL AND started_at <= now()
    ORDER BY id DESC LIMIT 1) ended ON true`,
  {
    job: textOf<RetentionJob>(),
    startedAt: nullable(float),
    /** When the last successful run ended. */
    succeededAt: nullable(float),
    /** The duration of the last run that has ended, successful or not. */
    seconds: nullable(float),
  },
);

export type RunTimes = RowOf<typeof listLastTimes.columns>;

/** Records the estimated rows of each table in a run. $1 the run, $2 the rows by table. */
export const setTableRows = statement('UPDATE retention_runs SET table_rows = $2 WHERE id = $1');
