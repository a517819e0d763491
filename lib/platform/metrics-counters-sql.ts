import { bigint, text } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/** Adds to counters. $1 names, $2 labels, $3 values to add. Pass them sorted, so that two processes never deadlock. */
export const addCounts = statement(
  `INSERT INTO metric_counters (name, label, value)
   SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
   ON CONFLICT (name, label) DO UPDATE SET value = metric_counters.value + excluded.value`,
);

/** Lists all counters. */
export const listCounts = statement('SELECT name, label, value FROM metric_counters ORDER BY name, label', {
  name: text,
  label: text,
  value: bigint,
});

export type CounterRow = RowOf<typeof listCounts.columns>;
