import {
  boolean,
  float,
  integer,
  jsonOf,
  knownToBeSet,
  nullable,
  text,
  textOf,
  timestamp,
} from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import type { RetentionJob, RowsByTable } from './job-run';

/** Takes the lock $1 for the connection, unless another one has it. */
export const tryLock = statement(`SELECT pg_try_advisory_lock(hashtextextended('retention:' || $1, 0)) AS taken`, {
  taken: boolean,
});

/** Fails when the connection, and so its lock, is lost. */
export const checkConnection = statement('SELECT 1');

/** Releases every lock of the connection. */
export const releaseLocks = statement('SELECT pg_advisory_unlock_all()');

/** Reads the database's clock at this moment. */
export const readClock = statement('SELECT clock_timestamp() AS now', { now: timestamp });

/**
 * Ends the runs of the jobs $1 that never ended, at $2 or, when null, at the time that `addRun` gives to the run of this
 * transaction: runs under one lock never overlap. $3 their error.
 */
export const endUnfinished = statement(
  `UPDATE retention_runs SET ended_at = greatest(started_at, coalesce($2, date_trunc('milliseconds', now()))), error = $3
   WHERE job = ANY($1) AND ended_at IS NULL RETURNING job`,
  { job: textOf<RetentionJob>() },
);

/** Adds a run and returns its start. $1 its id, $2 its job, $3 its start; null: the database's time. */
export const addRun = statement(
  `INSERT INTO retention_runs (id, job, started_at, created_at)
   SELECT $1, $2, at, at FROM (SELECT coalesce($3, date_trunc('milliseconds', now())) AS at) AS start
   RETURNING started_at AS now`,
  { now: timestamp },
);

/** Ends a run that has not ended. $1 the run, $2 its duration in milliseconds, $3 its error or null. */
export const endRun = statement(
  `UPDATE retention_runs SET ended_at = started_at + $2 * interval '1 ms', error = $3
   WHERE id = $1 AND ended_at IS NULL`,
);

/** Finds what an ended run has counted. $1 the run. */
export const findRun = statement(
  `SELECT started_at, ended_at, rows_removed, partitions_created, partitions_dropped, table_rows
   FROM retention_runs WHERE id = $1`,
  {
    started_at: timestamp,
    ended_at: knownToBeSet(timestamp),
    rows_removed: jsonOf<RowsByTable>(),
    partitions_created: integer,
    partitions_dropped: integer,
    table_rows: nullable(jsonOf<Record<string, number>>()),
  },
);

/** Reads the database's time. */
export const readTime = statement('SELECT now() AS now', { now: timestamp });

const lastOf = (condition: string) => `
  LEFT JOIN LATERAL (
    SELECT * FROM retention_runs r WHERE r.job = jobs.job AND started_at <= now() AND ${condition} ORDER BY id DESC LIMIT 1)`;

/**
 * Lists the jobs $1 by name, each with its last run, its last successful run, the duration of its last run that has ended, and
 * the database's time. Ignores runs in the future: their clock was wrong, and they would count as the last until that time.
 */
export const listLast = statement(
  `SELECT now() AS now, jobs.job, run.started_at, run.ended_at, run.rows_removed, run.partitions_created,
     run.partitions_dropped, run.error, good.started_at AS good_started_at, good.ended_at AS good_ended_at,
     extract(epoch FROM ended.ended_at - ended.started_at)::float8 AS seconds
   FROM unnest($1::text[]) AS jobs(job)
   ${lastOf('true')} run ON true
   ${lastOf('ended_at IS NOT NULL AND error IS NULL')} good ON true
   ${lastOf('ended_at IS NOT NULL')} ended ON true
   ORDER BY jobs.job`,
  {
    now: timestamp,
    job: textOf<RetentionJob>(),
    /** Null, as are the next four columns, when it never ran. */
    started_at: nullable(timestamp),
    ended_at: nullable(timestamp),
    rows_removed: nullable(jsonOf<Record<string, number>>()),
    partitions_created: nullable(integer),
    partitions_dropped: nullable(integer),
    error: nullable(text),
    good_started_at: nullable(timestamp),
    good_ended_at: nullable(timestamp),
    seconds: nullable(float),
  },
);
export type LastRuns = RowOf<typeof listLast.columns>;

/** Finds the last record of table sizes that was made until $1 and after $2. */
export const findTableRows = statement(
  `SELECT started_at, table_rows FROM retention_runs
   WHERE job = 'metrics' AND table_rows IS NOT NULL AND started_at <= $1 AND started_at > $2
   ORDER BY id DESC LIMIT 1`,
  { started_at: timestamp, table_rows: knownToBeSet(jsonOf<Record<string, number>>()) },
);

/** Sums up, by table, the rows that were removed by runs that ended, or are under way, since $1. */
export const sumRemoved = statement(
  `SELECT removed.key AS table_name, sum(removed.value::bigint)::float8 AS removed
   FROM retention_runs r CROSS JOIN LATERAL jsonb_each_text(r.rows_removed) AS removed
   WHERE coalesce(r.ended_at, r.started_at) >= $1 GROUP BY removed.key`,
  { table_name: text, removed: float },
);
