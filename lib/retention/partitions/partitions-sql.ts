import type { Sql } from '@/lib/platform/db';
import {
  bigint,
  boolean,
  catalogName,
  float,
  integer,
  nullable,
  oid,
  text,
  timestamp,
} from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
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

/** Locks the table that is partitioned, without its partitions. */
export const lockParent = forEachBranch(({ parent }) =>
  statement(`LOCK TABLE ONLY ${parent} IN ACCESS EXCLUSIVE MODE`),
);

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

/** Tells whether the table $1 exists. */
export const findTable = statement('SELECT to_regclass($1) IS NOT NULL AS there', { there: boolean });

/** Returns the bytes of the table $1, without its indexes. */
export const measureTable = statement('SELECT pg_relation_size($1::regclass) AS bytes', { bytes: bigint });

/** Returns the space of removed rows of a table that nobody holds. Blocks no write. Runs outside a transaction. */
export async function vacuumTable(sql: Sql, table: string): Promise<void> {
  await sql.query(`VACUUM (SKIP_LOCKED) ${table}`);
}

/** Finds a partition of a branch. $1 the partition's oid, $2 its branch, $3 its bounds. */
export const findAttached = statement(
  `
  SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhrelid = $1 AND i.inhparent = $2::regclass AND pg_get_expr(c.relpartbound, c.oid) = $3`,
  {},
  { name: 'retention-is-attached' },
);

/** Drops a partition of a locked branch. NOWAIT, because VACUUM may hold it or the default. */
export async function dropPartition(tx: Sql, table: string, defaultTable: string): Promise<void> {
  await tx.query(`LOCK TABLE ${table}, ${defaultTable} IN ACCESS EXCLUSIVE MODE NOWAIT; DROP TABLE ${table}`);
}

/**
 * Creates the table of a partition, with the indexes of its branch. CREATE … PARTITION OF would block every write to the
 * branch.
 */
export async function createTable(tx: Sql, { parent }: Branch, { table }: DayPartition): Promise<void> {
  await tx.query(`CREATE TABLE partitions.${table} (LIKE ${parent} INCLUDING ALL)`);
}

/** Returns the condition that the bounds of the branch $1 set for its rows, as SQL. */
export const findBranchCondition = statement(
  `SELECT coalesce(pg_get_partition_constraintdef($1::regclass), 'true') AS of_branch`,
  { of_branch: text },
);

const boundsName = ({ table }: DayPartition) => `${table}_bounds`;

/**
 * Adds a constraint that spares ATTACH reading every row: it repeats all bounds, including those of the branch in its own
 * parent.
 */
export async function addBounds(tx: Sql, partition: DayPartition, ofBranch: string): Promise<void> {
  const { table, from, to } = partition;
  const bounds = boundsName(partition);
  await tx.query(
    `ALTER TABLE partitions.${table} DROP CONSTRAINT IF EXISTS ${bounds}, ADD CONSTRAINT ${bounds}
     CHECK ((${ofBranch}) AND created_at >= '${from.toISOString()}' AND created_at < '${to.toISOString()}')`,
  );
}

/** Attaches the table of a partition to its branch, and drops the constraint of `addBounds`. */
export async function attachTable(tx: Sql, { parent }: Branch, partition: DayPartition): Promise<void> {
  const { table, from, to } = partition;
  await tx.query(`ALTER TABLE ${parent} ATTACH PARTITION partitions.${table}
      FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}');
    ALTER TABLE partitions.${table} DROP CONSTRAINT ${boundsName(partition)}`);
}

/** Lists the check constraints of the table $1 whose names match the pattern $2. */
export const listChecks = statement(
  `SELECT conname AS name FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c' AND conname ~ $2`,
  { name: catalogName },
);

/** Makes a table refuse new rows of a period. Rows that it has already stay, unchecked. */
export async function refusePeriod(tx: Sql, table: string, constraint: string, { from, to }: Period): Promise<void> {
  await tx.query(
    `ALTER TABLE ${table} ADD CONSTRAINT ${constraint}
     CHECK (created_at < '${from.toISOString()}' OR created_at >= '${to.toISOString()}') NOT VALID`,
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

/**
 * Makes the statement that deletes the expired rows of a leaf after a place. $1 the ctid of the last row before it, $2 expired
 * until, $3 limit. Finds but does not remove rows that another process has just deleted.
 *
 * @param leaf schema and table, quoted
 */
export const deleteRowsAfter = (leaf: string) =>
  statement(
    `WITH expired AS MATERIALIZED (
       SELECT ctid FROM ${leaf} WHERE ctid > $1::tid AND created_at <= $2 LIMIT $3
     ), removed AS (
       DELETE FROM ${leaf} WHERE ctid = ANY (ARRAY(SELECT ctid FROM expired)) RETURNING 1
     )
     SELECT (SELECT max(ctid)::text FROM expired) AS last, (SELECT count(*)::int FROM expired) AS found,
       (SELECT count(*)::int FROM removed) AS removed`,
    { last: nullable(text), found: integer, removed: integer },
  );

/** Makes the statement that counts the rows of a leaf that were created until $1. @param leaf schema and table, quoted */
export const countUpTo = (leaf: string) =>
  statement(`SELECT count(*)::int AS expired FROM ${leaf} WHERE created_at <= $1`, { expired: integer });

/** For the test of all statements. */
export const deleteDefaultRowsAfter = forEachBranch(({ defaultTable }) => deleteRowsAfter(defaultTable));

/** Counts the rows of a default partition that were created until $1. */
export const countDefaultUpTo = forEachBranch(({ defaultTable }) => countUpTo(defaultTable));

/** Counts the rows of a default partition. */
export const countDefault = forEachBranch(({ defaultTable }) =>
  statement(`SELECT count(*) AS rows FROM ${defaultTable}`, { rows: bigint }),
);

/** Lists the UTC days of a default partition's rows from before the year 10000, the oldest first. */
export const listDaysInDefault = forEachBranch(({ defaultTable }) =>
  statement(
    `SELECT DISTINCT date_trunc('day', greatest(created_at, '0001-01-01 00:00:00+00'), 'UTC') AS day FROM ${defaultTable}
     WHERE created_at < '10000-01-01 00:00:00+00' ORDER BY day`,
    { day: timestamp },
  ),
);

/** Returns the size of the table $1 in blocks, and the quoted names of its columns. */
export const describeTable = statement(
  `SELECT pg_relation_size($1::regclass) / current_setting('block_size')::int AS blocks,
     string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
   FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
  { blocks: bigint, columns: text },
);

/**
 * Makes the statement that moves rows of a period from a table into another. $1 and $2 period, $3 and $4 the places between
 * which they are. The names are quoted.
 */
export const moveRows = ({ from, to, columns }: { from: string; to: string; columns: string }) =>
  statement(
    `WITH moved AS (
       DELETE FROM ${from} WHERE created_at >= $1 AND created_at < $2 AND ctid >= $3::tid AND ctid < $4::tid
       RETURNING ${columns}
     ) INSERT INTO ${to} (${columns}) SELECT ${columns} FROM moved`,
  );
