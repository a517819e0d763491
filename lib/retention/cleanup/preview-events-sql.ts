import { bigint } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { forEachSource, isRemovableSql } from './delivery-source';

/**
 * Counts the expired events that may be removed, with their deliveries, outbox rows and unexpired attempts. $1 cutoff of
 * events, $2 and $3 the time of the earliest successful and the earliest failed attempt that has not expired.
 */
export const countRemovable = forEachSource((source) =>
  statement(
    `
  WITH removable AS MATERIALIZED (
    SELECT e.id FROM ${source.table} e WHERE e.created_at <= $1 AND ${isRemovableSql(source)}
  ), delivery AS MATERIALIZED (
    SELECT d.id FROM deliveries d JOIN removable ON removable.id = d.${source.column}
  )
  SELECT (SELECT count(*) FROM removable) AS events, (SELECT count(*) FROM delivery) AS deliveries,
    (SELECT count(*) FROM outbox o JOIN removable ON removable.id = o.${source.column}) AS outbox,
    (SELECT count(*) FROM delivery_attempts a JOIN delivery d ON d.id = a.delivery_id
     WHERE a.created_at >= CASE WHEN a.succeeded THEN $2::timestamptz ELSE $3::timestamptz END) AS delivery_attempts`,
    { events: bigint, deliveries: bigint, outbox: bigint, delivery_attempts: bigint },
  ),
);
