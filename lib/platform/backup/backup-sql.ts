import { type CopyStreamQuery, type CopyToStreamQuery, from, to } from 'pg-copy-streams';
import { FIRST_CELL } from '@/lib/platform/cells/current-cell';
import { HOUR_MS } from '@/lib/platform/clock';
import { DatabaseClient } from '@/lib/platform/database-client';
import { SEARCH_PATH } from '@/lib/platform/database-limits';
import type { Sql } from '@/lib/platform/db';
import { bigint, boolean, nullable, regclass, text } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/** Tells whether the database has a table of cells: an older schema has none. */
export const findCells = statement(`SELECT to_regclass('public.cells') IS NOT NULL AS there`, {
  columns: { there: boolean },
});

/** Makes statements list the tables of the first cell, of these others, and of public. @param others checked names */
export async function useCells(client: Sql, others: readonly string[]): Promise<void> {
  await client.query(`SET search_path = ${[FIRST_CELL, ...others, 'public'].join()}`);
}

/**
 * Lists the tables of the model, partitioned ones as a whole, with their columns as JSON. Those of cells other than the first one are
 * named with their cell.
 */
export const listTables = statement(
  `SELECT CASE WHEN c.relnamespace::regnamespace::text IN ('public', '${FIRST_CELL}') THEN c.relname::text
               ELSE c.relnamespace::regnamespace::text || '.' || c.relname END AS name,
          (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
           WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '')::text AS columns
   FROM pg_class c
   WHERE c.relnamespace = ANY (current_schemas(false)::regnamespace[]) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND c.relname <> '_prisma_migrations'
   ORDER BY c.relname, c.relnamespace::regnamespace::text`,
  { columns: { name: text, columns: text } },
);

/** Lists the partitions of these tables, parents first. */
export const listPartitions = statement(
  `WITH RECURSIVE tree AS (
     SELECT i.inhrelid, i.inhparent, 1 AS depth FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent
     WHERE p.relkind = 'p' AND NOT p.relispartition AND p.relnamespace = ANY (current_schemas(false)::regnamespace[])
     UNION ALL
     SELECT i.inhrelid, i.inhparent, tree.depth + 1 FROM pg_inherits i JOIN tree ON tree.inhrelid = i.inhparent)
   SELECT format('%I.%I', n.nspname, c.relname) AS name, format('%I.%I', pn.nspname, p.relname) AS parent,
          pg_get_expr(c.relpartbound, c.oid) AS bounds, pg_get_partkeydef(c.oid) AS key
   FROM tree JOIN pg_class c ON c.oid = tree.inhrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   JOIN pg_class p ON p.oid = tree.inhparent JOIN pg_namespace pn ON pn.oid = p.relnamespace
   ORDER BY tree.depth, name`,
  { columns: { name: text, parent: text, bounds: text, key: nullable(text) } },
);
export type PartitionRow = RowOf<typeof listPartitions.columns>;

/** Lists the tables with partitions, which may be partitions themselves. An older schema had those in a schema of their own. */
export const listPartitioned = statement(
  `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE (n.nspname = ANY (current_schemas(false)) OR n.nspname = 'partitions') AND c.relkind = 'p'`,
  { columns: { name: text } },
);

/** Lists the sequences with their last values; null when it was never used. */
export const listSequences = statement(
  `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS last_value
   FROM pg_sequences WHERE schemaname = ANY (current_schemas(false)) ORDER BY 1`,
  { columns: { name: text, last_value: nullable(text) } },
);

/** Sets the last value of a sequence. */
export const setSequence = statement('SELECT setval($sequence::regclass, $lastValue::bigint)', {
  params: { sequence: regclass, lastValue: bigint },
});

/** Estimates the bytes of all rows, for the progress. */
export const measureDatabase = statement(
  `SELECT coalesce(sum(pg_table_size(c.oid)), 0)::text AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = ANY (current_schemas(false)) AND c.relkind = 'r'`,
  { columns: { bytes: text } },
);

/**
 * Begins a transaction that sees one state of all tables. The locks come first, so that no partition is dropped between the state
 * and its copy; they stop no reader and no writer.
 */
export async function beginSnapshot(client: Sql, tables: string[]): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  await client.query(`LOCK TABLE ${tables.map(quoteTable).join(', ')} IN ACCESS SHARE MODE`);
}

/** Copies all rows of a table out, in the text format. Their number is known when the next statement has its result. */
export function copyOut(client: DatabaseClient, table: string, columns: string[]): CopyToStreamQuery {
  return client.query(to(`COPY (SELECT ${listOf(columns)} FROM ${quoteTable(table)}) TO STDOUT`));
}

/** Copies rows into a table. */
export function copyIn(client: DatabaseClient, table: string, columns: string[]): CopyStreamQuery {
  return client.query(from(`COPY ${quoteTable(table)} (${listOf(columns)}) FROM STDIN`));
}

/** Creates a partition of a backup. Its texts come from `listPartitions`. */
export async function createPartition(client: Sql, { name, parent, bounds, key }: PartitionRow): Promise<void> {
  const below = key === null ? '' : ` PARTITION BY ${key}`;
  await client.query(`CREATE TABLE ${name} PARTITION OF ${parent} ${bounds}${below}`);
}

/** Begins a transaction that inserts rows as they are: no trigger runs and no reference is checked. For the superuser. */
export async function beginLoading(client: Sql, tables: string[]): Promise<void> {
  await client.query('BEGIN; SET LOCAL session_replication_role = replica');
  // Migrations may insert rows.
  await client.query(`TRUNCATE ${tables.map(quoteTable).join(', ')}`);
}

/** Begins a transaction. */
export async function begin(client: Sql): Promise<void> {
  await client.query('BEGIN');
}

/** Commits. */
export async function commit(client: Sql): Promise<void> {
  await client.query('COMMIT');
}

/** Counts what the planner needs, and writes everything to the files. */
export async function analyzeAndFlush(client: Sql): Promise<void> {
  await client.query('ANALYZE');
  await client.query('CHECKPOINT');
}

function listOf(columns: string[]): string {
  return columns.map(quote).join(', ');
}

/** @param name with its cell, unless it is of the first one or of public */
function quoteTable(name: string): string {
  return name.split('.').map(quote).join('.');
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** For the rows of one table. */
const STATEMENT_MS = 24 * HOUR_MS;

/** Opens a connection without the limits of the product: one statement copies a table, and a slow disk may let it pause. */
export async function connectForBackup(connectionString: string): Promise<DatabaseClient> {
  const client = new DatabaseClient({
    searchPath: SEARCH_PATH,
    connectionString,
    application_name: 'event-delivery-service backup',
    statementMs: STATEMENT_MS,
    idleInTransactionMs: 0,
  });
  // The current or the next statement reports a broken connection.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
