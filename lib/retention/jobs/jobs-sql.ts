import {
  boolean,
  float,
  integer,
  jsonOf,
  knownToBeSet,
  nullable,
  text,
  textOf,
  texts,
  timestamp,
  uuid,
} from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import type { RetentionJob, RowsByTable } from './job-run';

/** Takes a lock for the connection, unless another one has it. */
export const tryLock = statement(`SELECT pg_try_advisory_lock(hashtextextended('retention:' || $name, 0)) AS taken`, {
  params: { name: text },
  columns: { taken: boolean },
});

/** Fails when the connection, and so its lock, is lost. */
export const checkConnection = statement('SELECT 1');

/** Releases every lock of the connection. */
export const releaseLocks = statement('SELECT pg_advisory_unlock_all()');

/** Reads the database's clock at this moment. */
export const readClock = statement('SELECT clock_timestamp() AS now', { columns: { now: timestamp } });

/**
 * Ends the runs of jobs that never ended, at a time or, when it is null, at the time that `addRun` gives to the run of this
 * transaction: runs under one lock never overlap.
 */
export const endUnfinished = statement(
  `UPDATE retention_runs SET error = $error,
     ended_at = greatest(started_at, coalesce($endedAt, date_trunc('milliseconds', now())))
   WHERE job = ANY($jobs) AND ended_at IS NULL RETURNING job`,
  {
    params: { error: nullable(text), endedAt: nullable(timestamp), jobs: texts },
    columns: { job: textOf<RetentionJob>() },
  },
);

/** Adds a run and returns its start. `startedAt` null: the database's time. */
export const addRun = statement(
  `INSERT INTO retention_runs (id, job, started_at, created_at)
   SELECT $run, $job, at, at FROM (SELECT coalesce($startedAt, date_trunc('milliseconds', now())) AS at) AS start
   RETURNING started_at AS now`,
  { params: { run: uuid, job: text, startedAt: nullable(timestamp) }, columns: { now: timestamp } },
);

/** Ends a run that has not ended. */
export const endRun = statement(
  `UPDATE retention_runs SET ended_at = started_at + $durationMs * interval '1 ms', error = $error
   WHERE id = $run AND ended_at IS NULL`,
  { params: { durationMs: float, error: nullable(text), run: uuid } },
);

/** Finds what an ended run has counted. */
export const findRun = statement(
  `SELECT started_at, ended_at, rows_removed, partitions_created, partitions_dropped, table_rows
   FROM retention_runs WHERE id = $run`,
  {
    params: { run: uuid },
    columns: {
      started_at: timestamp,
      ended_at: knownToBeSet(timestamp),
      rows_removed: jsonOf<RowsByTable>(),
      partitions_created: integer,
      partitions_dropped: integer,
      table_rows: nullable(jsonOf<Record<string, number>>()),
    },
  },
);

/** Reads the database's time. */
export const readTime = statement('SELECT now() AS now', { columns: { now: timestamp } });

const lastOf = (condition: string) => `
  LEFT JOIN LATERAL (
    SELECT * FROM retention_runs r WHERE r.job = jobs.job AND started_at <= now() AND ${condition} ORDER BY id DESC LIMIT 1)`;

/**
 * Lists jobs by name, each with its last run, its last successful run, the duration of its last run that has ended, and
 * the database's time. Ignores runs in the future: their clock was wrong, and they would count as the last until that time.
 */
export const listLast = statement(
  `SELECT now() AS now, jobs.job, run.started_at, run.ended_at, run.rows_removed, run.partitions_created,
     run.partitions_dropped, run.error, good.started_at AS good_started_at, good.ended_at AS good_ended_at,
     extract(epoch FROM ended.ended_at - ended.started_at)::float8 AS seconds
   FROM unnest($jobs::text[]) AS jobs(job)
   ${lastOf('true')} run ON true
   ${lastOf('ended_at IS NOT NULL AND error IS NULL')} good ON true
   ${lastOf('ended_at IS NOT NULL')} ended ON true
   ORDER BY jobs.job`,
  {
    params: { jobs: texts },
    columns: {
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
  },
);
export type LastRuns = RowOf<typeof listLast.columns>;

/** Finds the last record of table sizes that was made in a period. */
export const findTableRows = statement(
  `SELECT started_at, table_rows FROM retention_runs
   WHERE job = 'metrics' AND table_rows IS NOT NULL AND started_at > $after AND started_at <= $until
   ORDER BY id DESC LIMIT 1`,
  {
    params: { after: timestamp, until: timestamp },
    columns: { started_at: timestamp, table_rows: knownToBeSet(jsonOf<Record<string, number>>()) },
  },
);

/** Sums up, by table, the rows that were removed by runs that ended, or are under way, since a time. */
export const sumRemoved = statement(
  `SELECT removed.key AS table_name, sum(removed.value::bigint)::float8 AS removed
   FROM retention_runs r CROSS JOIN LATERAL jsonb_each_text(r.rows_removed) AS removed
   WHERE coalesce(r.ended_at, r.started_at) >= $since GROUP BY removed.key`,
  { params: { since: timestamp }, columns: { table_name: text, removed: float } },
);
