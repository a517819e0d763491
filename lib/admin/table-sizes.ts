import { database } from '@/lib/platform/db';
import type { TableSize } from './schema';

/** The tables that grow with use. */
export const GROWING_TABLES = [
  'events',
  'incoming_events',
  'deliveries',
  'delivery_attempts',
  'outbox',
  'tunnel_request_log',
  'audit_log',
] as const;
export type GrowingTable = (typeof GROWING_TABLES)[number];

/**
 * SQL for the rows of table `c` (with its statistics `s`) without counting them: what the statistics have seen live, else
 * what the planner knows scaled to the present size. A table that was never analysed says -1, which is no row count.
 */
export const ESTIMATED_ROWS = `
  CASE WHEN s.n_live_tup > 0 THEN s.n_live_tup
       WHEN c.reltuples > 0 AND c.relpages > 0
       THEN round(c.reltuples / c.relpages * (pg_relation_size(c.oid) / current_setting('block_size')::int))
       ELSE 0 END`;

/** Estimated rows, and bytes with indexes, of each of the tables; partitions are summed up. */
export async function estimateTableSizes(tables: readonly GrowingTable[]): Promise<TableSize[]> {
  const { rows } = await database().query<{ name: string; rows: string; bytes: string }>(
    `SELECT t.name, coalesce(sum(${ESTIMATED_ROWS}), 0)::bigint AS rows, coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bytes
     FROM unnest($1::text[]) WITH ORDINALITY AS t(name, place)
     -- A table without partitions has no partition tree.
     CROSS JOIN LATERAL (
       SELECT relid FROM pg_partition_tree(('public.' || t.name)::regclass) WHERE isleaf
       UNION SELECT ('public.' || t.name)::regclass
     ) leaf
     JOIN pg_class c ON c.oid = leaf.relid
     LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid
     WHERE c.relkind = 'r'
     GROUP BY t.name, t.place ORDER BY t.place`,
    [tables],
  );
  return rows.map((row) => ({ table: row.name, estimatedRows: Number(row.rows), sizeBytes: Number(row.bytes) }));
}
