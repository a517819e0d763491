import { bigint, integer, text } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Measures the table of name $1 with its indexes, in bytes. */
export const measureTable = statement('SELECT pg_total_relation_size($1::regclass) AS bytes', { bytes: bigint });

/** Reads how many rows retention has removed, by table. */
export const selectRemovedRows = statement(
  `SELECT label, value FROM metric_counters WHERE name = 'retention_rows_removed_total'`,
  { label: text, value: bigint },
);

/** Counts exactly: dead rows are few, and the statistics of the table include pending rows. */
export const countDeadOutbox = statement(`SELECT count(*)::int AS rows FROM outbox WHERE status = 'DEAD'`, {
  rows: integer,
});
