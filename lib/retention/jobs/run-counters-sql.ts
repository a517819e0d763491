import { integer, json, text, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Adds the result of a transaction to the row of a run and to the counters of all runs: the removed rows by table, and how many
 * partitions were created and dropped.
 */
export const addResult = statement(
  `
  WITH removed AS (SELECT key AS table_name, value::bigint AS rows FROM jsonb_each_text($removed)),
  run AS (
    UPDATE retention_runs SET
      partitions_created = partitions_created + $created, partitions_dropped = partitions_dropped + $dropped,
      rows_removed = rows_removed || coalesce((
        SELECT jsonb_object_agg(table_name, coalesce((rows_removed ->> table_name)::bigint, 0) + rows) FROM removed), '{}')
    WHERE id = $run
  )
  INSERT INTO metric_counters (name, label, value)
  SELECT * FROM (
    SELECT 'retention_rows_removed_total', table_name, rows FROM removed
    UNION ALL SELECT 'partition_created_total', '', $created::int
    UNION ALL SELECT 'partition_dropped_total', '', $dropped::int
  ) AS counted(name, label, value) WHERE value > 0 ORDER BY name, label
  ON CONFLICT (name, label) DO UPDATE SET value = metric_counters.value + excluded.value`,
  {
    params: { removed: json, created: integer, dropped: integer, run: uuid },
    name: 'retention-count-done',
  },
);

/** Adds a failed run of a job to the counters of all runs. */
export const addFailure = statement(
  `INSERT INTO metric_counters (name, label, value) VALUES ('retention_run_failures_total', $job, 1)
   ON CONFLICT (name, label) DO UPDATE SET value = metric_counters.value + 1`,
  { params: { job: text } },
);
