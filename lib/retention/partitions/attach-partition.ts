import type { SqlTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { countBatchResult, type JobRun } from '@/lib/retention/jobs/job-run';
import { closedRangeName } from './closed-range';
import { DDL_LOCK_TIMEOUT_MS, type LockRetries, withLockRetries } from './lock-retries';
import { RowMove } from './move-rows';
import type { Branch, DayPartition } from './partitions';

/**
 * How rows of the period may be in use while its partition is created.
 * - `ahead`: nobody writes them, and the default has no such rows. ATTACH reads the default under a lock on it.
 * - `live`: somebody may write them now. ATTACH reads the default with the branch locked, so it must be small.
 * - `closed`: nobody writes them any more. The default may be large; it refuses more of them (closeRange).
 * - `reserved`: nobody writes them yet. The default may be large and in use; it refuses them.
 */
export type PeriodUse = 'ahead' | 'live' | 'closed' | 'reserved';

const MOVES_ROWS: ReadonlySet<PeriodUse> = new Set(['live', 'closed']);
export const IS_REFUSED: ReadonlySet<PeriodUse> = new Set(['closed', 'reserved']);

export interface Attachment {
  branch: Branch;
  partition: DayPartition;
  use: PeriodUse;
  retries: LockRetries;
  /** A table of its name exists: somebody has detached it. It is attached again. */
  isThere: boolean;
  statementTimeoutMs?: number | undefined;
  run?: JobRun | undefined;
}

/**
 * Creates the table of a partition, moves the default's rows of the period into it, and attaches it. The work before the
 * locks may take long: it blocks only those who delete the rows that are moved.
 */
export async function attachPartition(tx: SqlTransaction, attachment: Attachment): Promise<void> {
  const { branch, partition, use, retries, run } = attachment;
  const retried = <T>(work: () => Promise<T>) => withLockRetries(partition.table, retries, work);
  const inStep = <T>(work: () => Promise<T>) => retried(() => inSavepoint(tx, work));
  // The commit need not reach the disk while the locks are held: a crash undoes everything together.
  await tx.query(`SET LOCAL lock_timeout = ${DDL_LOCK_TIMEOUT_MS}; SET LOCAL synchronous_commit = off`);
  await inStep(() => prepareTable(tx, attachment));
  const move = await RowMove.prepare(tx, branch, partition);
  let moved = 0;
  for (const start of MOVES_ROWS.has(use) ? move.stretches : []) {
    if (retries.signal?.aborted === true) throw new Error(`${partition.table}: stopped while moving rows into it`);
    moved += await inStep(() => move.moveStretch(start));
  }
  const { defaultTable } = branch;
  if (IS_REFUSED.has(use)) {
    await inStep(() => tx.query(`ALTER TABLE ${defaultTable} VALIDATE CONSTRAINT ${closedRangeName(partition)}`));
  }
  moved += await retried(async () => {
    // Also rows added since the last try, so that little is left for the time of the locks.
    const before = use === 'live' ? await inSavepoint(tx, () => move.moveRest()) : 0;
    return before + (await inSavepoint(tx, () => attachLocked(tx, attachment, move)));
  });
  if (moved > 0) log().warn({ partition: partition.table, rows: moved }, 'rows moved out of a default partition');
  if (run !== undefined) await countBatchResult(tx, run, { partitionsCreated: 1 });
}

/** @returns how many rows had been added at the last moment */
async function attachLocked(
  tx: SqlTransaction,
  { branch, partition, use }: Attachment,
  move: RowMove,
): Promise<number> {
  if (MOVES_ROWS.has(use)) await lockBranch(tx, branch);
  const moved = use === 'live' ? await move.moveRest() : 0;
  await tx.query(attachSql(branch, partition));
  if (IS_REFUSED.has(use)) {
    await tx.query(`ALTER TABLE ${branch.defaultTable} DROP CONSTRAINT ${closedRangeName(partition)}`);
  }
  return moved;
}

/**
 * Locks everybody out, because a waiting statement would continue with the old list of partitions: a reader would miss the
 * moved rows, a writer would fail with a row for the default that belongs elsewhere, and a DELETE would skip rows that were
 * moved while it waited. A statement under way is not disturbed: its locks make this fail, to be tried again.
 */
async function lockBranch(tx: SqlTransaction, branch: Branch): Promise<void> {
  await tx.query(`LOCK TABLE ONLY ${branch.parent} IN ACCESS EXCLUSIVE MODE`);
  await tx.query(`LOCK TABLE ${branch.defaultTable} IN ACCESS EXCLUSIVE MODE NOWAIT`);
}

const boundsName = ({ table }: DayPartition) => `${table}_bounds`;

/**
 * Creates a table with the indexes of its branch and with a constraint that spares ATTACH reading every row: it repeats all
 * bounds, including those of the branch in its own parent. CREATE … PARTITION OF would block every write to the branch.
 */
async function prepareTable(tx: SqlTransaction, { branch, partition, isThere }: Attachment): Promise<void> {
  const { table, from, to } = partition;
  const bounds = boundsName(partition);
  if (!isThere) await tx.query(`CREATE TABLE partitions.${table} (LIKE ${branch.parent} INCLUDING ALL)`);
  const { rows } = await tx.query<{ of_branch: string }>(
    `SELECT coalesce(pg_get_partition_constraintdef($1::regclass), 'true') AS of_branch`,
    [branch.parent],
  );
  await tx.query(
    `ALTER TABLE partitions.${table} DROP CONSTRAINT IF EXISTS ${bounds}, ADD CONSTRAINT ${bounds}
     CHECK ((${rows[0]?.of_branch}) AND created_at >= '${from.toISOString()}' AND created_at < '${to.toISOString()}')`,
  );
}

function attachSql(branch: Branch, partition: DayPartition): string {
  const { table, from, to } = partition;
  return `ALTER TABLE ${branch.parent} ATTACH PARTITION partitions.${table}
      FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}');
    ALTER TABLE partitions.${table} DROP CONSTRAINT ${boundsName(partition)}`;
}

/** Runs a part of a transaction that is rolled back alone when it fails. */
async function inSavepoint<T>(tx: SqlTransaction, work: () => Promise<T>): Promise<T> {
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
