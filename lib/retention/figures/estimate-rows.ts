import { readFigures } from '@/lib/platform/read-figures';

/**
 * The statistics `s` of table `c`. Not from the view pg_stat_all_tables, which also adds up every index of the table: for one
 * it takes as long as dropping it.
 */
export const STATISTICS = `
  CROSS JOIN LATERAL (SELECT
    pg_stat_get_live_tuples(c.oid) AS n_live_tup, pg_stat_get_dead_tuples(c.oid) AS n_dead_tup,
    coalesce(pg_stat_get_last_vacuum_time(c.oid), pg_stat_get_last_autovacuum_time(c.oid),
             pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid)) AS tended_at) s`;

/** The rows that the planner expects in a table of the present size. */
const BY_SIZE = `(round(c.reltuples::numeric / c.relpages * (pg_relation_size(c.oid) / current_setting('block_size')::int))
  - coalesce(s.n_dead_tup, 0))`;

/**
 * SQL for the rows of a table without partitions, `c` of pg_class joined with STATISTICS, without counting them.
 *
 * The statistics follow every insert and delete, but begin at zero when they are lost: by a crash, a restore, a copy of the
 * database, pg_stat_reset(). As long as no VACUUM or ANALYZE has put them right since, what the planner remembers, scaled to
 * the present size, knows better wherever it says more. It says -1 of a table that was never analysed, which is no number of rows.
 * (Of such tables that lost their statistics too, `analyzeForgotten` takes a sample.)
 * A session's statistics arrive when it has been idle for up to ten seconds, or busy for one. If an ANALYZE counts its rows
 * before that, the statistics count them twice until the next one: up to twice as many as a table of its size holds. (Many more
 * than that are small rows among large ones, of which the statistics know better.)
 */
export const ESTIMATED_ROWS = `
  CASE WHEN c.reltuples <= 0 OR c.relpages <= 0 THEN coalesce(s.n_live_tup, 0)
       WHEN s.tended_at IS NULL THEN greatest(s.n_live_tup, ${BY_SIZE}, 0)
       WHEN s.n_live_tup > 1.2 * ${BY_SIZE} AND s.n_live_tup <= 2.1 * ${BY_SIZE} THEN ${BY_SIZE}
       ELSE coalesce(s.n_live_tup, 0) END`;

export interface EstimatedTable<T extends string> {
  table: T;
  rows: number;
  /** With indexes and values kept outside the row. */
  bytes: number;
}

/** Estimated rows, and bytes, of each of the tables of `public`, in their order; of a partitioned table all partitions together. */
export async function estimateRows<T extends string>(tables: readonly T[]): Promise<EstimatedTable<T>[]> {
  const rows = await readFigures<{ name: T; rows: string; bytes: string }>(
    `SELECT t.name, coalesce(sum(${ESTIMATED_ROWS}), 0)::bigint AS rows, coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bytes
     FROM unnest($1::text[]) WITH ORDINALITY AS t(name, place)
     -- A table without partitions has no partition tree.
     CROSS JOIN LATERAL (
       SELECT relid FROM pg_partition_tree(('public.' || t.name)::regclass) WHERE isleaf
       UNION SELECT ('public.' || t.name)::regclass
     ) leaf
     JOIN pg_class c ON c.oid = leaf.relid
     ${STATISTICS}
     WHERE c.relkind = 'r'
     GROUP BY t.name, t.place ORDER BY t.place`,
    [tables],
  );
  return rows.map((row) => ({ table: row.name, rows: Number(row.rows), bytes: Number(row.bytes) }));
}
