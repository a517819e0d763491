import { MIGRATION_STATEMENT_MS } from '@/lib/platform/database-limits';
import type { Sql } from '@/lib/platform/db';
import { boolean, nullable } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/*
 * What Citus offers is no part of PostgreSQL: its tables and functions are in statements that are run as they are. Names of tables come
 * from the code and from the catalog, those of cells from the table of cells.
 */

/** Tells whether the database has Citus. */
export const findCitus = statement(`SELECT to_regclass('pg_catalog.pg_dist_schema') IS NOT NULL AS has_citus`, {
  columns: { has_citus: nullable(boolean) },
});

/** Counts the machines that cells can be placed on. */
export async function countNodes(tx: Sql): Promise<number> {
  const { rows } = await tx.query<{ nodes: number }>(
    'SELECT count(*)::int AS nodes FROM pg_dist_node WHERE isactive AND shouldhaveshards',
  );
  return rows[0]?.nodes ?? 0;
}

/** Lets statements of this transaction copy all rows of a cell, on all machines, without what triggers do about new ones. */
export async function beginCopying(tx: Sql): Promise<void> {
  await tx.query(`SET LOCAL citus.propagate_set_commands = 'local'`);
  await tx.query(`SET LOCAL lock_timeout = '30s'`);
  await tx.query(`SET LOCAL statement_timeout = ${MIGRATION_STATEMENT_MS}`);
  await tx.query(`SET LOCAL event_delivery.moving = 'all'`);
  await tx.query(`SET LOCAL event_delivery.attempts_counted = 'on'`);
}

/** Lets triggers be placed: those of the product change rows of the same cell only. */
export const allowTriggers = statement(`SELECT set_config('citus.enable_unsafe_triggers', 'on', true)`);

/** Lists the tables of `public` that only one machine knows. */
export async function listLocalTables(tx: Sql): Promise<Set<string>> {
  const { rows } = await tx.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
       AND c.relname <> '_prisma_migrations' AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
     ORDER BY 1`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** The foreign keys between tables of `public` or of cells, one of which is copied to each machine and the other is not. */
const BETWEEN = `
  SELECT format('%I.%I', c.relnamespace::regnamespace, c.relname) AS child, k.conname AS name, p.relname AS parent, k.confdeltype AS action,
    quote_ident(a.attname) AS field, quote_ident(left(concat(c.relnamespace::regnamespace, '_', k.conname), 63)) AS trigger
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1]
  WHERE k.contype = 'f' AND k.conparentid = 0 AND p.relnamespace = 'public'::regnamespace
    AND (c.relnamespace = 'public'::regnamespace OR starts_with(c.relnamespace::regnamespace::text, 'cell_'))
    AND (p.relname = ANY ($1)) <> (c.relname = ANY ($1) OR c.relnamespace <> 'public'::regnamespace)`;

/** Drops the foreign keys between tables that are copied, or are in cells, and others. Triggers do what they did when a row is deleted. */
export async function replaceForeignKeys(tx: Sql, copied: readonly string[]): Promise<void> {
  const { rows } = await tx.query<Record<'child' | 'name' | 'parent' | 'action' | 'field' | 'trigger', string>>(
    BETWEEN,
    [copied],
  );
  for (const { child, name, parent, action, field, trigger } of rows) {
    const change = action === 'c' ? `DELETE FROM ${child}` : `UPDATE ${child} SET ${field} = NULL`;
    await tx.query(`ALTER TABLE ${child} DROP CONSTRAINT ${name}`);
    await tx.query(`CREATE TRIGGER ${trigger} AFTER DELETE ON public.${parent} FOR EACH ROW
      EXECUTE FUNCTION public.follow_deletion('${change} WHERE ${field} = $1')`);
  }
}

/** Copies a table of `public` to each machine. Later changes reach all of them or none. */
export async function copyToNodes(tx: Sql, table: string): Promise<void> {
  await tx.query(`SELECT create_reference_table('public.${table}')`);
}

/** Lets other machines reach a table of `public` that stays on this one. */
export async function joinMetadata(tx: Sql, table: string): Promise<void> {
  await tx.query(`SELECT citus_add_local_table_to_metadata('public.${table}')`);
}

/** Places the tables of a cell on a machine, together. @returns false when they are placed already */
export async function placeCell(tx: Sql, cell: string): Promise<boolean> {
  const { rowCount } = await tx.query('SELECT FROM pg_dist_schema WHERE schemaid = $1::text::regnamespace', [cell]);
  if (rowCount !== 0) return false;
  await tx.query('SELECT citus_schema_distribute($1::text::regnamespace)', [cell]);
  return true;
}

/** Which machine has a cell, as `host:port`, and the size of its tables in bytes. */
export interface Placement {
  machine: string;
  bytes: number;
}

/** Reads where Citus has placed the cells, by name. */
export async function readPlacements(sql: Sql): Promise<Map<string, Placement>> {
  const { rows } = await sql.query<Placement & { cell: string }>(
    `SELECT p.schemaid::regnamespace::text AS cell, concat(s.nodename, ':', s.nodeport) AS machine, sum(s.shard_size)::float8 AS bytes
     FROM pg_dist_schema p JOIN pg_class c ON c.relnamespace = p.schemaid JOIN citus_shards s ON s.table_name = c.oid GROUP BY 1, 2`,
  );
  return new Map(rows.map(({ cell, machine, bytes }) => [cell, { machine, bytes }]));
}
