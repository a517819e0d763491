import { integer, jsonOf, knownToBeSet, nullable, textOf, timestamp } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import type { RetentionJob, RowsByTable } from './job-run';

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
