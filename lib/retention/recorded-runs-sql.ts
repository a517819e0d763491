import { float, integer, jsonOf, knownToBeSet, nullable, text, timestamp } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Lists the last run of each job, by the name of the job. One lookup per job: DISTINCT ON reads every run. */
export const listLast = statement(
  `WITH RECURSIVE jobs AS (
     SELECT min(job) AS job FROM retention_runs
     UNION ALL
     SELECT (SELECT min(r.job) FROM retention_runs r WHERE r.job > jobs.job) FROM jobs WHERE jobs.job IS NOT NULL
   )
   SELECT run.* FROM jobs CROSS JOIN LATERAL (
     SELECT job, started_at, ended_at, rows_removed, partitions_created, partitions_dropped, error
     FROM retention_runs r WHERE r.job = jobs.job ORDER BY id DESC LIMIT 1
   ) run ORDER BY job`,
  {
    job: text,
    started_at: timestamp,
    ended_at: nullable(timestamp),
    rows_removed: jsonOf<Record<string, number>>(),
    partitions_created: integer,
    partitions_dropped: integer,
    error: nullable(text),
  },
);

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
