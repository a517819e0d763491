import { database, type Sql } from '@/lib/platform/db';
import { readFigures } from '@/lib/platform/metrics-collectors';
import { ESTIMATED_ROWS } from './estimate-rows';
import type { Branch, DayPartition } from './partitions';

/** A partition of a branch as the catalog has it. */
export interface ListedDay extends DayPartition {
  oid: number;
  /** Schema and table, quoted. */
  qualifiedName: string;
  /** As PostgreSQL writes them. */
  bounds: string;
  isPlainTable: boolean;
  estimatedRows: number;
  /** With indexes and values kept outside the row. */
  sizeBytes: number;
}

/** Ends of what a Date can hold, for bounds without an end. */
const ENDLESS_MS = 8.64e15;

const LIST_SQL = `
  SELECT c.oid, c.relname AS "table", format('%I.%I', n.nspname, c.relname) AS qualified_name, b.bounds, c.relkind = 'r' AS is_plain_table,
    coalesce(extract(epoch FROM (m[1])::timestamptz) * 1000, '-Infinity')::float8 AS from_ms,
    coalesce(extract(epoch FROM (m[2])::timestamptz) * 1000, 'Infinity')::float8 AS to_ms,
    (${ESTIMATED_ROWS})::float8 AS estimated_rows, pg_total_relation_size(c.oid)::float8 AS size_bytes
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid
  CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bounds) b
  CROSS JOIN LATERAL regexp_match(b.bounds, $$^FOR VALUES FROM \\((?:'([^']+)'|MINVALUE)\\) TO \\((?:'([^']+)'|MAXVALUE)\\)$$) AS m
  WHERE i.inhparent = $1::regclass AND m IS NOT NULL
  ORDER BY from_ms`;

interface Row {
  oid: number;
  table: string;
  qualified_name: string;
  bounds: string;
  is_plain_table: boolean;
  from_ms: number;
  to_ms: number;
  estimated_rows: number;
  size_bytes: number;
}

const dateOf = (ms: number) => new Date(Math.max(-ENDLESS_MS, Math.min(ENDLESS_MS, ms)));

/**
 * The partitions of a branch but for its default, the oldest first. What they hold is read from their bounds, never from
 * their names: somebody else may have made them.
 */
export async function listDays(branch: Branch, sql: Sql = database()): Promise<ListedDay[]> {
  const { rows } = await sql.query<Row>(LIST_SQL, [branch.parent]);
  return rows.map((row) => ({
    oid: row.oid,
    table: row.table,
    qualifiedName: row.qualified_name,
    bounds: row.bounds,
    isPlainTable: row.is_plain_table,
    from: dateOf(row.from_ms),
    to: dateOf(row.to_ms),
    estimatedRows: row.estimated_rows,
    sizeBytes: row.size_bytes,
  }));
}

/** Rows in the default partition of a branch, counted; expected to be none (SPEC 8.3). */
export async function countDefaultRows(branch: Branch): Promise<number> {
  const [counted] = await readFigures<{ rows: string }>(`SELECT count(*) AS rows FROM ${branch.defaultTable}`);
  return Number(counted?.rows ?? 0);
}
