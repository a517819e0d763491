import type { Sql } from '@/lib/platform/db';
import { bigint, boolean, catalogName, text } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
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

/** Drops a constraint. */
export async function dropConstraint(tx: Sql, table: string, constraint: string): Promise<void> {
  await tx.query(`ALTER TABLE ${table} DROP CONSTRAINT ${constraint}`);
}

/** Drops a constraint, unless another process was first. */
export async function dropConstraintIfThere(tx: Sql, table: string, constraint: string): Promise<void> {
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
