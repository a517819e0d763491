import type { Sql } from '@/lib/platform/db';
import { bigint, boolean, json, nullable, numeric, text, texts, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { storedOid, whereStored } from '@/lib/platform/sql/stored';
import { type Branch, forEachBranch } from '@/lib/retention/partitions/partitions';

/**
 * The statistics `s` of table `c`. The view pg_stat_all_tables also adds up every index: for one table it takes as long as
 * dropping the table.
 */
export const STATISTICS = `
  CROSS JOIN LATERAL (SELECT
    pg_stat_get_live_tuples(c.oid) AS n_live_tup, pg_stat_get_dead_tuples(c.oid) AS n_dead_tup,
    coalesce(pg_stat_get_last_vacuum_time(c.oid), pg_stat_get_last_autovacuum_time(c.oid),
             pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid)) AS tended_at) s`;

/** The rows that the planner expects in a table of the current size. */
const BY_SIZE = `(round(c.reltuples::numeric / c.relpages * (pg_relation_size(c.oid) / current_setting('block_size')::int))
  - coalesce(s.n_dead_tup, 0))`;

/**
 * SQL for the rows of a table without partitions, estimated: `c` of pg_class joined with STATISTICS.
 *
 * The statistics follow every insert and delete, but restart at zero when they are lost: by a crash, a restore, a copy of the
 * database, pg_stat_reset(). Until the next VACUUM or ANALYZE the planner's number, scaled to the current size, is better
 * where it is higher. It is -1 for a table that was never analyzed. (`analyzeMissingStatistics` analyzes such tables when they have
 * lost their statistics too.)
 * A session's statistics arrive when it has been idle for up to ten seconds, or busy for one. If an ANALYZE counts its rows
 * before that, the statistics count them twice until the next one: up to twice as many as fit into a table of its size. (A
 * much higher number is correct: small rows among large ones.)
 */
export const ESTIMATED_ROWS = `
  CASE WHEN c.reltuples <= 0 OR c.relpages <= 0 THEN coalesce(s.n_live_tup, 0)
       WHEN s.tended_at IS NULL THEN greatest(s.n_live_tup, ${BY_SIZE}, 0)
       WHEN s.n_live_tup > 1.2 * ${BY_SIZE} AND s.n_live_tup <= 2.1 * ${BY_SIZE} THEN ${BY_SIZE}
       ELSE coalesce(s.n_live_tup, 0) END`;

/**
 * The partitions of the table `t.name`, or the table itself: without partitions, it has no partition tree. A machine that has cells placed
 * lacks tables that all cells share.
 */
const leavesSql = (isPlaced: boolean) => {
  const table = isPlaced ? 'to_regclass(t.name)' : 't.name::regclass';
  return `
  CROSS JOIN LATERAL (
    SELECT relid FROM pg_partition_tree(${table}) WHERE isleaf
    UNION SELECT ${table}
  ) leaf
  JOIN pg_class c ON c.oid = ${storedOid(isPlaced, 'leaf.relid')}`;
};

/** Estimates the rows and bytes of tables, in the given order, and whether all cells share them. Adds up the partitions of a table. */
export const estimateTables = whereStored((isPlaced) =>
  statement(
    `SELECT t.name, coalesce(sum(${ESTIMATED_ROWS}), 0)::bigint AS rows, coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bytes,
     (SELECT own.relnamespace = 'public'::regnamespace FROM pg_class own WHERE own.oid = t.name::regclass) AS is_shared
   FROM unnest($tables::text[]) WITH ORDINALITY AS t(name, place)
   ${leavesSql(isPlaced)}
   ${STATISTICS}
   WHERE c.relkind = 'r'
   GROUP BY t.name, t.place ORDER BY t.place`,
    { params: { tables: texts }, columns: { name: text, rows: bigint, bytes: numeric, is_shared: boolean } },
  ),
);

/**
 * Lists those of these tables, and of their partitions, that have rows but no statistics: they were never
 * analyzed, and their counters are below a row a page. A crash leaves tables that were filled in the minute before it in this
 * state, and autovacuum does not start for them.
 */
export const listForgotten = whereStored((isPlaced) =>
  statement(
    `SELECT format('%I.%I', n.nspname, own.relname) AS name
   FROM unnest($tables::text[]) AS t(name)
   ${leavesSql(isPlaced)} JOIN pg_class own ON own.oid = leaf.relid JOIN pg_namespace n ON n.oid = own.relnamespace
   ${STATISTICS}
   WHERE c.relkind = 'r' AND c.reltuples <= 0
     AND s.tended_at IS NULL
     AND pg_relation_size(c.oid) / current_setting('block_size')::int > coalesce(s.n_live_tup + s.n_dead_tup, 0)`,
    { params: { tables: texts }, columns: { name: text } },
  ),
);

/** Analyzes a table. Gives up when another transaction has locked it for 100 ms. @param name schema and table, quoted */
export async function analyzeTable(tx: Sql, name: string): Promise<void> {
  await tx.query(`SET LOCAL lock_timeout = '100ms'`);
  await tx.query(`ANALYZE ${name}`);
}

/** Finds the times of the oldest rows of the tables that have an index by time; null without a row. */
export const findOldestByIndex = statement(
  `
  SELECT (SELECT min(created_at) FROM events) AS events,
         (SELECT min(created_at) FROM incoming_events) AS "incomingEvents",
         (SELECT min(dead_at) FROM outbox WHERE status = 'DEAD') AS "deadOutbox"`,
  { columns: { events: nullable(timestamp), incomingEvents: nullable(timestamp), deadOutbox: nullable(timestamp) } },
);

/**
 * Makes the statement that reads the first rows of a table for the time of the oldest of a branch. A day may have millions, and its
 * first ones are stored about when it begins. @param table schema and table, quoted
 */
export const findOldest = (table: string, { condition }: Branch) =>
  statement(
    `SELECT min(created_at) AS oldest FROM (SELECT created_at FROM ${table} WHERE ${condition} LIMIT 1000) first_rows`,
    { columns: { oldest: nullable(timestamp) } },
  );

/** For the test of all statements. */
export const findOldestInDefault = forEachBranch((branch) => findOldest(branch.defaultTable, branch));

/** Records the estimated rows of each table in a run. */
export const setTableRows = statement('UPDATE retention_runs SET table_rows = $tableRows WHERE id = $run', {
  params: { tableRows: json, run: uuid },
});
