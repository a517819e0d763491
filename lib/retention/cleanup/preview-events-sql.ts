import { bigint } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { forEachSource, isRemovableSql } from './delivery-source';

/**
 * Counts the expired events that may be removed, with their deliveries, outbox rows and kept attempts. $1 expired until, $2
 * and $3 the earliest successful and the earliest failed attempt that is kept.
 */
export const countRemovable = forEachSource((source) =>
  statement(
    `
  WITH leaving AS MATERIALIZED (
    SELECT e.id FROM ${source.table} e WHERE e.created_at <= $1 AND ${isRemovableSql(source)}
  ), delivery AS MATERIALIZED (
    SELECT d.id FROM deliveries d JOIN leaving ON leaving.id = d.${source.column}
  )
  SELECT (SELECT count(*) FROM leaving) AS events, (SELECT count(*) FROM delivery) AS deliveries,
    (SELECT count(*) FROM outbox o JOIN leaving ON leaving.id = o.${source.column}) AS outbox,
    (SELECT count(*) FROM delivery_attempts a JOIN delivery d ON d.id = a.delivery_id
     WHERE a.created_at >= CASE WHEN a.succeeded THEN $2::timestamptz ELSE $3::timestamptz END) AS delivery_attempts`,
    { events: bigint, deliveries: bigint, outbox: bigint, delivery_attempts: bigint },
  ),
);
