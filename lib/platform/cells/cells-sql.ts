import type { Sql } from '@/lib/platform/db';
import { bigint, boolean, integer, nullable, text } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import type { CellNode } from './cell-nodes';

/** Lists the cells, by name, and whether the database has Citus. */
export const listCellNames = statement(
  `SELECT name, to_regclass('pg_catalog.pg_dist_schema') IS NOT NULL AS has_citus FROM public.cells ORDER BY name`,
  { columns: { name: text, has_citus: nullable(boolean) } },
);

/** Lists the cells that Citus has placed, with their machine. That may be the coordinator, where Citus plans their statements too. */
export async function listNodesOfCells(sql: Sql): Promise<CellNode[]> {
  const { rows } = await sql.query<CellNode>(
    `SELECT DISTINCT s.schemaid::regnamespace::text AS cell, n.nodename AS host, n.nodeport AS port
     FROM pg_dist_schema s JOIN pg_dist_partition p USING (colocationid) JOIN pg_dist_shard USING (logicalrelid)
     JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node n USING (groupid)
     WHERE n.noderole = 'primary' AND starts_with(s.schemaid::regnamespace::text, 'cell_')`,
  );
  return rows;
}

/** Adds a cell, unless there is one of this name. */
export const insertCell = statement('INSERT INTO public.cells (name) VALUES ($name) ON CONFLICT DO NOTHING', {
  params: { name: text },
});

/**
 * Every process is to know a cell a minute after it was added. Until then it would look for the tables of an organization in another
 * one.
 */
export const KNOWN_AFTER_SECONDS = 60;

/** Lets an existing cell take new organizations, or not. Returns its name. */
export const setTakesNew = statement(
  'UPDATE public.cells SET takes_new = $takesNew WHERE name = $name RETURNING name',
  {
    params: { name: text, takesNew: boolean },
    columns: { name: text },
  },
);

/** Whether every process knows a cell `c`, so that it may have organizations. */
const IS_KNOWN = `(c.created_at < now() - interval '${2 * KNOWN_AFTER_SECONDS} seconds' OR c.name = 'cell_00')`;

/** Lists the cells, by name, with their organizations that are not deleted and their size in bytes. */
export const describeCells = statement(
  `SELECT c.name, c.takes_new, ${IS_KNOWN} AS is_known,
     (SELECT count(*)::int FROM public.organizations o WHERE o.cell = c.name AND o.deleted_at IS NULL) AS organizations,
     (SELECT coalesce(sum(pg_total_relation_size(t.oid)), 0)::bigint FROM pg_class t
      WHERE t.relnamespace = c.name::regnamespace AND t.relkind = 'r') AS bytes
   FROM public.cells c ORDER BY c.name`,
  { columns: { name: text, takes_new: boolean, is_known: nullable(boolean), organizations: integer, bytes: bigint } },
);

/** Selects the cell for a new organization: of those that take new ones, the one with the fewest. */
export const chooseCellForNew = statement(
  `SELECT c.name FROM public.cells c
   WHERE c.takes_new AND ${IS_KNOWN}
   ORDER BY (SELECT count(*) FROM public.organizations o WHERE o.cell = c.name), c.name LIMIT 1`,
  { columns: { name: text } },
);

/** How the names of triggers begin that guard an organization while it moves (lib/lifecycle/move-sql.ts). */
export const MOVE_TRIGGER = 'cell_move_';

const TARGET_LOCK = `hashtextextended('moves to ' || $cell, 0)`;

/** Keeps a move to a cell from beginning until the end of the transaction. Does not wait for one that begins. */
export const tryTargetLock = statement(`SELECT pg_try_advisory_xact_lock_shared(${TARGET_LOCK}) AS taken`, {
  params: { cell: text },
  columns: { taken: boolean },
});

/** Waits for the transactions that have that lock. */
export const waitForTargetLocks = statement(`SELECT pg_advisory_xact_lock(${TARGET_LOCK})::text`, {
  params: { cell: text },
});

/**
 * Finds an unfinished move to a cell. Before its switch, a move that was silent for an hour copies again from the start, so it does not
 * count after two hours: the second hour allows for a sign of life that is committed late.
 */
export const findMoveTo = statement(
  `SELECT FROM public.cell_moves WHERE target = $cell AND (moved_at IS NOT NULL OR seen_at > now() - interval '2 hours') LIMIT 1`,
  { params: { cell: text } },
);

/** The options of a table `c` and of its TOAST table. */
const OPTIONS = `
  (SELECT ' WITH (' || string_agg(option, ', ') || ')' FROM (
     SELECT unnest(c.reloptions) AS option
     UNION ALL
     SELECT 'toast.' || unnest(toast.reloptions) FROM pg_class toast WHERE toast.oid = c.reltoastrelid) options)`;

/** Condition on a class `c`: it belongs to the cell that is copied, and is no partition of a day. */
const OF_MODEL = `
  c.relnamespace = $source::text::regnamespace
  AND (NOT c.relispartition OR c.relkind = 'p' OR pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT')`;

/**
 * Returns the statements that make the tables of a cell like those of another one, in order. With the search path of the source, its
 * names are written without a schema: the statements are run with that of the target.
 */
export const describeTables = statement(
  `SELECT sql FROM (
     SELECT 1 AS step, c.oid, format('CREATE SEQUENCE %I.%I', $target::text, c.relname) AS sql
     FROM pg_class c WHERE c.relnamespace = $source::text::regnamespace AND c.relkind = 'S'
     UNION ALL
     SELECT 2, c.oid, format('CREATE TABLE %I.%I (LIKE %I.%I INCLUDING ALL EXCLUDING INDEXES)', $target::text, c.relname, $source::text, c.relname)
       || coalesce(' PARTITION BY ' || pg_get_partkeydef(c.oid), '') || coalesce(${OPTIONS}, '')
     FROM pg_class c WHERE ${OF_MODEL} AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     UNION ALL
     SELECT 3, c.oid, format('ALTER TABLE %I.%I ALTER COLUMN %I SET DEFAULT %s', $target::text, c.relname, a.attname, pg_get_expr(d.adbin, d.adrelid))
     FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.adnum
     WHERE ${OF_MODEL} AND NOT c.relispartition AND pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%'
     UNION ALL
     SELECT 4, c.oid, format('ALTER SEQUENCE %I.%I OWNED BY %I.%I.%I', $target::text, c.relname, $target::text, owner.relname, a.attname)
     FROM pg_class c JOIN pg_depend d ON d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'a'
     JOIN pg_class owner ON owner.oid = d.refobjid JOIN pg_attribute a ON a.attrelid = owner.oid AND a.attnum = d.refobjsubid
     WHERE c.relnamespace = $source::text::regnamespace AND c.relkind = 'S'
     UNION ALL
     SELECT 5, k.oid, format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', $target::text, c.relname, k.conname, pg_get_constraintdef(k.oid))
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE ${OF_MODEL} AND NOT c.relispartition AND k.contype IN ('p', 'u', 'x')
     UNION ALL
     SELECT 6, c.oid, format('CREATE TABLE %I.%I PARTITION OF %I.%I %s', $target::text, c.relname, $target::text, parent.relname,
         pg_get_expr(c.relpartbound, c.oid))
       || coalesce(' PARTITION BY ' || pg_get_partkeydef(c.oid), '') || coalesce(${OPTIONS}, '')
     FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid JOIN pg_class parent ON parent.oid = i.inhparent
     WHERE ${OF_MODEL} AND c.relkind IN ('r', 'p') AND c.relispartition
     UNION ALL
     SELECT 7, i.indexrelid, replace(pg_get_indexdef(i.indexrelid, 0, true), ' ON ONLY ', ' ON ')
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     WHERE ${OF_MODEL} AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
     UNION ALL
     SELECT 8, k.oid, format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', $target::text, c.relname, k.conname, pg_get_constraintdef(k.oid))
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE ${OF_MODEL} AND k.contype = 'f' AND k.conparentid = 0
     UNION ALL
     SELECT 9, t.oid, pg_get_triggerdef(t.oid, true) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE ${OF_MODEL} AND NOT t.tgisinternal AND t.tgparentid = 0 AND NOT starts_with(t.tgname, '${MOVE_TRIGGER}')
   ) steps ORDER BY step, oid`,
  { params: { target: text, source: text }, columns: { sql: nullable(text) } },
);

/** Sets the search path until the end of the transaction. Its names come from the table of cells. */
export async function setSearchPath(tx: Sql, path: string): Promise<void> {
  await tx.query(`SET LOCAL search_path = ${path}`);
}

/** Runs a statement of `describeTables`. */
export async function runStep(tx: Sql, sql: string): Promise<void> {
  await tx.query(sql);
}

/** Creates the schema of a cell. @param name checked by the table of cells */
export async function createSchema(tx: Sql, name: string): Promise<void> {
  await tx.query(`CREATE SCHEMA ${name}`);
}
