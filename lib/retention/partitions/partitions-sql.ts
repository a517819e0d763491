import type { Sql } from '@/lib/platform/db';
import {
  bigint,
  boolean,
  catalogName,
  float,
  integer,
  nullable,
  oid,
  oids,
  regclass,
  text,
  tid,
  timestamp,
} from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import { storedOid, whereStored } from '@/lib/platform/sql/stored';
import { ESTIMATED_ROWS, STATISTICS } from '@/lib/retention/figures/figures-sql';
import { type Branch, type DayPartition, forEachBranch, type Period } from './partitions';

// DDL takes no parameters. The names in its texts come from the code or, quoted, from the catalog.

/**
 * For DDL on tables in use. It is short, because every later write waits while this lock is requested. With the work
 * under the lock, no write waits for more than 150 ms.
 */
const DDL_LOCK_TIMEOUT_MS = 75;

/** Limits how long each statement of the transaction waits for a lock. */
export const limitLockWaits = statement(`SET LOCAL lock_timeout = ${DDL_LOCK_TIMEOUT_MS}`);

/** Lets the transaction commit before its changes have reached the disk. */
export const commitInMemory = statement('SET LOCAL synchronous_commit = off');

/** Locks the table of a branch, without its partitions. */
export const lockParent = forEachBranch(({ table }) => statement(`LOCK TABLE ONLY ${table} IN ACCESS EXCLUSIVE MODE`));

const lockDefaultNow = forEachBranch(({ defaultTable }) =>
  statement(`LOCK TABLE ${defaultTable} IN ACCESS EXCLUSIVE MODE NOWAIT`),
);

/**
 * Locks everybody out, because a waiting statement would continue with the old list of partitions: a reader would miss the
 * moved rows, a writer would fail with a row for the default that belongs elsewhere, and a DELETE would skip rows that were
 * moved while it waited. A statement under way is not disturbed: its locks make this fail, to be tried again.
 */
export async function lockBranch(tx: Sql, { name }: Branch): Promise<void> {
  await lockParent[name].run(tx);
  await lockDefaultNow[name].run(tx);
}

/** Tells whether a table exists. */
export const findTable = statement('SELECT to_regclass($table) IS NOT NULL AS there', {
  params: { table: text },
  columns: { there: boolean },
});

/** Returns the bytes and the blocks of a table, without its indexes. */
export const measureTable = whereStored((isPlaced) =>
  statement(
    `SELECT bytes, bytes / current_setting('block_size')::int AS blocks
     FROM (SELECT pg_relation_size(${storedOid(isPlaced, '$table::regclass')}) AS bytes) measured`,
    { params: { table: regclass }, columns: { bytes: bigint, blocks: bigint } },
  ),
);

/** Returns the space of removed rows of a table that nobody holds. Blocks no write. Runs outside a transaction. */
export async function vacuumTable(sql: Sql, table: string): Promise<void> {
  await sql.query(`VACUUM (SKIP_LOCKED) ${table}`);
}

/** Finds a partition of a branch. */
export const findAttached = statement(
  `
  SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhrelid = $oid AND i.inhparent = $parent::regclass AND pg_get_expr(c.relpartbound, c.oid) = $bounds`,
  { params: { oid, parent: regclass, bounds: text }, name: 'retention-is-attached' },
);

/** Drops a partition of a locked branch. NOWAIT, because VACUUM may hold it or the default. */
export async function dropPartition(tx: Sql, table: string, defaultTable: string): Promise<void> {
  await tx.query(`LOCK TABLE ${table}, ${defaultTable} IN ACCESS EXCLUSIVE MODE NOWAIT`);
  await tx.query(`DROP TABLE ${table}`);
}

/**
 * Creates the table of a partition, with the indexes of its branch. CREATE … PARTITION OF would block every write to the
 * branch.
 */
export async function createTable(tx: Sql, branch: Branch, { table }: DayPartition): Promise<void> {
  await tx.query(`CREATE TABLE ${table} (LIKE ${branch.table} INCLUDING ALL)`);
}

const boundsName = ({ table }: DayPartition) => `${table}_bounds`;

/** Adds a constraint that spares ATTACH reading every row: it repeats all bounds. */
export async function addBounds(tx: Sql, { condition }: Branch, partition: DayPartition): Promise<void> {
  const { table, from, to } = partition;
  const bounds = boundsName(partition);
  await tx.query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${bounds}`);
  await tx.query(
    `ALTER TABLE ${table} ADD CONSTRAINT ${bounds} CHECK (${condition} AND created_at >= '${from.toISOString()}' AND created_at < '${to.toISOString()}')`,
  );
}

/** Returns the bounds of a partition, as in `ATTACH PARTITION`. */
export function boundsSql({ succeeded }: Branch, { from, to }: Period): string {
  const bound = (at: Date) => `(${succeeded === null ? '' : `${succeeded}, `}'${at.toISOString()}')`;
  return `FOR VALUES FROM ${bound(from)} TO ${bound(to)}`;
}

/** Attaches the table of a partition, and drops the constraint of `addBounds`. */
export async function attachTable(tx: Sql, branch: Branch, partition: DayPartition): Promise<void> {
  const { table } = partition;
  await tx.query(`ALTER TABLE ${branch.table} ATTACH PARTITION ${table} ${boundsSql(branch, partition)}`);
  await tx.query(`ALTER TABLE ${table} DROP CONSTRAINT ${boundsName(partition)}`);
}

/** Lists the check constraints of a table whose names match a pattern. */
export const listChecks = statement(
  `SELECT conname AS name FROM pg_constraint WHERE conrelid = $table::regclass AND contype = 'c' AND conname ~ $pattern`,
  { params: { table: regclass, pattern: text }, columns: { name: catalogName } },
);

/** Makes the default partition refuse new rows of a branch and period. Rows that it has already stay, unchecked. */
export async function refusePeriod(tx: Sql, branch: Branch, constraint: string, { from, to }: Period): Promise<void> {
  await tx.query(
    `ALTER TABLE ${branch.defaultTable} ADD CONSTRAINT ${constraint}
     CHECK (NOT (${branch.condition}) OR created_at < '${from.toISOString()}' OR created_at >= '${to.toISOString()}') NOT VALID`,
  );
}

/** Checks all rows of a table against a constraint. */
export async function validateConstraint(tx: Sql, table: string, constraint: string): Promise<void> {
  await tx.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${constraint}`);
}

/** Drops a constraint, unless another process was first. */
export async function dropConstraint(tx: Sql, table: string, constraint: string): Promise<void> {
  await tx.query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${constraint}`);
}

/** Runs a part of a transaction that is rolled back alone when it fails. */
export async function inSavepoint<T>(tx: Sql, work: () => Promise<T>): Promise<T> {
  await tx.query('SAVEPOINT step');
  try {
    const result = await work();
    await tx.query('RELEASE SAVEPOINT step');
    return result;
  } catch (error) {
    await tx.query('ROLLBACK TO SAVEPOINT step; RELEASE SAVEPOINT step');
    throw error;
  }
}

const PARTITION = {
  oid,
  table: catalogName,
  /** Schema and table, quoted. */
  qualified_name: text,
  bounds: text,
  is_plain_table: boolean,
};

export type PartitionRow = RowOf<typeof PARTITION>;

const listSql = (figures = '', statistics = '') => `
  SELECT c.oid, c.relname AS "table", format('%I.%I', n.nspname, c.relname) AS qualified_name,
         pg_get_expr(c.relpartbound, c.oid) AS bounds, c.relkind = 'r' AS is_plain_table ${figures}
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  ${statistics}
  WHERE i.inhparent = $parent::regclass`;

const LIST_PARAMS = { parent: regclass };

/** Lists the partitions of a table, with its default. */
export const listPartitions = statement(listSql(), { params: LIST_PARAMS, columns: PARTITION });

const FIGURES = ', stored.estimated_rows, stored.size_bytes';
const figuresSql = (isPlaced: boolean) => `CROSS JOIN LATERAL (
    SELECT (${ESTIMATED_ROWS})::float8 AS estimated_rows, pg_total_relation_size(c.oid)::float8 AS size_bytes
    FROM pg_class c ${STATISTICS} WHERE c.oid = ${storedOid(isPlaced, 'i.inhrelid')}) stored`;

/**
 * Lists them with their sizes, which cost as much as the list: PostgreSQL reads the size of every file of every partition.
 */
export const measurePartitions = whereStored((isPlaced) =>
  statement(listSql(FIGURES, figuresSql(isPlaced)), {
    params: LIST_PARAMS,
    columns: { ...PARTITION, estimated_rows: float, size_bytes: float },
  }),
);

/** Estimates the rows of one table. */
export const estimateOne = whereStored((isPlaced) =>
  statement(
    `SELECT (${ESTIMATED_ROWS})::float8 AS rows FROM pg_class c ${STATISTICS}
     WHERE c.oid = ${storedOid(isPlaced, 'to_regclass($table)')}`,
    { params: { table: text }, columns: { rows: float }, name: `retention-estimate-table${isPlaced ? '-placed' : ''}` },
  ),
);

/** Lists the tables without partitions below a table, except those with these oids. */
export const listLeavesBelow = statement(
  `SELECT format('%I.%I', n.nspname, c.relname) AS name
   FROM pg_partition_tree($parent::regclass) t JOIN pg_class c ON c.oid = t.relid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE t.isleaf AND c.relkind = 'r' AND t.relid <> ALL ($except::oid[]) ORDER BY 1`,
  { params: { parent: regclass, except: oids }, columns: { name: text } },
);

/**
 * Makes the statement that deletes the expired rows of a branch in a leaf after a place, which is the ctid of the last row before it.
 * Finds but does not remove rows that another process has just deleted.
 *
 * @param leaf schema and table, quoted
 */
export const deleteRowsAfter = (leaf: string, { condition }: Branch) =>
  statement(
    `WITH expired AS MATERIALIZED (
       SELECT ctid FROM ${leaf} WHERE ctid > $place::tid AND ${condition} AND created_at <= $until LIMIT $limit
     ), removed AS (
       DELETE FROM ${leaf} WHERE ctid = ANY (ARRAY(SELECT ctid FROM expired)) RETURNING 1
     )
     SELECT (SELECT max(ctid)::text FROM expired) AS last, (SELECT count(*)::int FROM expired) AS found,
       (SELECT count(*)::int FROM removed) AS removed`,
    {
      params: { place: tid, until: timestamp, limit: bigint },
      columns: { last: nullable(text), found: integer, removed: integer },
    },
  );

/** Makes the statement that counts the rows of a branch in a leaf, created until a time. @param leaf schema and table, quoted */
export const countUpTo = (leaf: string, { condition }: Branch) =>
  statement(`SELECT count(*)::int AS expired FROM ${leaf} WHERE ${condition} AND created_at <= $until`, {
    params: { until: timestamp },
    columns: { expired: integer },
  });

/** For the test of all statements. */
export const deleteDefaultRowsAfter = forEachBranch((branch) => deleteRowsAfter(branch.defaultTable, branch));

/** Counts the rows of a branch in the default partition that were created until a time. */
export const countDefaultUpTo = forEachBranch((branch) => countUpTo(branch.defaultTable, branch));

/** Counts the rows of a branch in the default partition. */
export const countDefault = forEachBranch(({ defaultTable, condition }) =>
  statement(`SELECT count(*) AS rows FROM ${defaultTable} WHERE ${condition}`, { columns: { rows: bigint } }),
);

/** Lists the UTC days of the rows of a branch in the default partition, from before the year 10000, the oldest first. */
export const listDaysInDefault = forEachBranch(({ defaultTable, condition }) =>
  statement(
    `SELECT DISTINCT date_trunc('day', greatest(created_at, '0001-01-01 00:00:00+00'), 'UTC') AS day FROM ${defaultTable}
     WHERE ${condition} AND created_at < '10000-01-01 00:00:00+00' ORDER BY day`,
    { columns: { day: timestamp } },
  ),
);

/** Returns the quoted names of the columns of a table. */
export const listColumns = statement(
  `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
   FROM pg_attribute WHERE attrelid = $table::regclass AND attnum > 0 AND NOT attisdropped`,
  { params: { table: regclass }, columns: { columns: text } },
);

/**
 * Makes the statement that moves rows of a branch and period from the default partition into another table, those between two places. The names
 * are quoted.
 */
export const moveRows = ({ defaultTable, condition }: Branch, to: string, columns: string) =>
  statement(
    `WITH moved AS (
       DELETE FROM ${defaultTable} WHERE ${condition} AND created_at >= $start AND created_at < $end AND ctid >= $firstPlace::tid AND ctid < $endPlace::tid
       RETURNING ${columns}
     ) INSERT INTO ${to} (${columns}) SELECT ${columns} FROM moved`,
    { params: { start: timestamp, end: timestamp, firstPlace: tid, endPlace: tid } },
  );
