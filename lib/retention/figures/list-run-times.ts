import { readFigures } from '@/lib/platform/read-figures';
import { RETENTION_JOBS, type RetentionJob } from '@/lib/retention/jobs/job-run';

/** The last runs of a job. Times are seconds since 1970; null when there was no such run. */
export interface RunTimes {
  job: RetentionJob;
  startedAt: number | null;
  /** When the last successful run ended. */
  succeededAt: number | null;
  /** Of the last run that has ended, successful or not. */
  seconds: number | null;
}

// Ignores runs in the future: their clock was wrong, and they would hide until that time that no run takes place.
const SUMMARY_SQL = `
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
    ORDER BY id DESC LIMIT 1) ended ON true`;

/** Reads the times of the last runs, of every job. */
export function listRunTimes(): Promise<RunTimes[]> {
  return readFigures<RunTimes>(SUMMARY_SQL, [RETENTION_JOBS]);
}
