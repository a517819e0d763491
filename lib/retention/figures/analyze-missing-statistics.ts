import { MINUTE_MS } from '@/lib/platform/clock';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { STATISTICS } from './estimate-rows';

/**
 * Filled tables that PostgreSQL has no statistics of: they were never analyzed, and their counters are below a row a page. A
 * crash leaves tables that were filled in the minute before it in this state, and autovacuum does not start for them.
 */
const FORGOTTEN_SQL = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name
  FROM unnest($1::text[]) AS t(name)
  CROSS JOIN LATERAL (
    SELECT relid FROM pg_partition_tree(('public.' || t.name)::regclass) WHERE isleaf
    UNION SELECT ('public.' || t.name)::regclass
  ) leaf
  JOIN pg_class c ON c.oid = leaf.relid JOIN pg_namespace n ON n.oid = c.relnamespace
  ${STATISTICS}
  WHERE c.relkind = 'r' AND c.reltuples <= 0
    AND s.tended_at IS NULL
    AND pg_relation_size(c.oid) / current_setting('block_size')::int > coalesce(s.n_live_tup + s.n_dead_tup, 0)`;

/** Analyzes tables without statistics, and their partitions, so that their rows can be estimated. */
export async function analyzeMissingStatistics(tables: readonly string[]): Promise<void> {
  const { rows } = await database().query<{ name: string }>(FORGOTTEN_SQL, [tables]);
  for (const { name } of rows) {
    try {
      await inSqlTransaction(
        async (tx) => {
          await tx.query(`SET LOCAL lock_timeout = '100ms'`);
          await tx.query(`ANALYZE ${name}`);
        },
        { statementMs: MINUTE_MS },
      );
    } catch (error) {
      // Somebody holds the table or has dropped it. The next run tries again.
      log().warn({ err: error, table: name }, 'table without statistics could not be analyzed');
    }
  }
}
