import { MINUTE_MS } from '@/lib/platform/clock';
import { database, inTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { STATISTICS } from './estimate-rows';

/**
 * Tables that are filled and of which PostgreSQL knows nothing: they were never analysed, and the statistics are of less than
 * a row a page. So a crash leaves what was written in the minute before it, and no autovacuum comes for that alone.
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

/** Has PostgreSQL take a sample of the tables it has forgotten, and of their partitions, so that they can be estimated. */
export async function analyzeForgotten(tables: readonly string[]): Promise<void> {
  const { rows } = await database().query<{ name: string }>(FORGOTTEN_SQL, [tables]);
  for (const { name } of rows) {
    try {
      await inTransaction(
        async (tx) => {
          await tx.query(`SET LOCAL lock_timeout = '100ms'`);
          await tx.query(`ANALYZE ${name}`);
        },
        { statementMs: MINUTE_MS },
      );
    } catch (error) {
      // Somebody is at the table, or has dropped it: the next run sees to it.
      log().warn({ err: error, table: name }, 'could not analyse a table of which nothing is known');
    }
  }
}
