import { boolean, catalogName, float, oid, text } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import { ESTIMATED_ROWS, STATISTICS } from '@/lib/retention/figures/estimate-rows-sql';

const PARTITION = {
  oid,
  table: catalogName,
  /** Schema and table, quoted. */
  qualified_name: text,
  bounds: text,
  is_plain_table: boolean,
};

export type PartitionRow = RowOf<typeof PARTITION>;

const listSql = (figures: string, statistics: string) => `
  SELECT c.oid, c.relname AS "table", format('%I.%I', n.nspname, c.relname) AS qualified_name,
         pg_get_expr(c.relpartbound, c.oid) AS bounds, c.relkind = 'r' AS is_plain_table ${figures}
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  ${statistics}
  WHERE i.inhparent = $1::regclass`;

/** Lists the partitions of the table $1, with its default. */
export const listPartitions = statement(listSql('', ''), PARTITION);

const FIGURES = `, (${ESTIMATED_ROWS})::float8 AS estimated_rows, pg_total_relation_size(c.oid)::float8 AS size_bytes`;

/**
 * Lists them with their sizes, which cost as much as the list: PostgreSQL reads the size of every file of every partition.
 */
export const measurePartitions = statement(listSql(FIGURES, STATISTICS), {
  ...PARTITION,
  estimated_rows: float,
  size_bytes: float,
});

/** Estimates the rows of one table. $1 its oid. */
export const estimateOne = statement(
  `SELECT (${ESTIMATED_ROWS})::float8 AS rows FROM pg_class c ${STATISTICS} WHERE c.oid = $1`,
  { rows: float },
  { name: 'retention-estimate-table' },
);

/** Lists the tables without partitions below the table $1, except those with the oids $2. */
export const listLeavesBelow = statement(
  `SELECT format('%I.%I', n.nspname, c.relname) AS name
   FROM pg_partition_tree($1::regclass) t JOIN pg_class c ON c.oid = t.relid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE t.isleaf AND c.relkind = 'r' AND t.relid <> ALL ($2::oid[]) ORDER BY 1`,
  { name: text },
);
