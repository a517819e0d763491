import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, inSqlTransaction, type SqlTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { countBatchResult, type JobRun } from '@/lib/retention/jobs/job-run';
import { measureDefault } from './list-partitions';
import { type LockRetries, withLockRetries } from './locks';
import type { Branch, DayPartition, Period } from './partitions';
import {
  addBounds,
  attachTable,
  commitInMemory,
  createTable,
  dropConstraint,
  findTable,
  inSavepoint,
  limitLockWaits,
  listChecks,
  listColumns,
  lockBranch,
  moveRows,
  refusePeriod,
  validateConstraint,
} from './partitions-sql';

interface NewPartition {
  branch: Branch;
  partition: DayPartition;
  /** ATTACH reads the default with the branch locked, unless it refuses the rows of the period: for that, nobody may write them. */
  isDefaultLarge: boolean;
  /** Counts the partition and can end the work. */
  run?: JobRun;
}

/**
 * Creates a partition and moves the default's rows of its period into it, in one transaction: no reader misses a row or sees
 * one twice. Safe during live writes, which wait for little more than DDL_LOCK_TIMEOUT_MS. The caller keeps other processes
 * from making partitions.
 */
export async function makePartition(wanted: NewPartition): Promise<void> {
  const { branch, partition, isDefaultLarge, run } = wanted;
  const { table: name } = partition;
  // An operator has detached it. It is attached again.
  const { there } = await findTable.one(database(), { table: name });
  try {
    if (isDefaultLarge) await closeRange(branch, partition, { signal: run?.signal });
    await inSqlTransaction((tx) => attachPartition(tx, wanted, there), { statementMs: LONG_STATEMENT_MS });
  } catch (error) {
    if (isDefaultLarge) {
      await reopenRanges(branch, {}).catch((failure: unknown) =>
        log().error({ err: failure, table: branch.defaultTable }, 'part of a default partition stays closed'),
      );
    }
    if (!there) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${name} is there without being a partition of ${branch.table}, and cannot become one (${reason}): rename it or drop it`,
      { cause: error },
    );
  }
}

/** Blocks of 8 kB that one statement reads. A move can be stopped between two statements. */
const BLOCKS_AT_ONCE = 2048;
const ALL_BLOCKS = 2 ** 32 - 2;

/**
 * Creates the table of a partition, moves the default's rows of the period into it, and attaches it. The work before the
 * locks may take long: it blocks only those who delete the rows that are moved.
 */
async function attachPartition(
  tx: SqlTransaction,
  { branch, partition, isDefaultLarge, run }: NewPartition,
  isThere: boolean,
): Promise<void> {
  const { defaultTable } = branch;
  const retries = { signal: run?.signal };
  const inStep = <T>(work: () => Promise<T>) => withLockRetries(partition.table, retries, () => inSavepoint(tx, work));
  await limitLockWaits.run(tx);
  // The commit need not reach the disk while the locks are held: a crash undoes everything together.
  await commitInMemory.run(tx);
  await inStep(() => prepareTable(tx, branch, partition, isThere));
  const { blocks } = await measureDefault(branch);
  const { columns } = await listColumns.one(tx, { table: defaultTable });
  const move = moveRows(branch, partition.table, columns);
  const moveBlocks = (start: number, end: number) =>
    move.run(tx, { start: partition.from, end: partition.to, firstPlace: `(${start},0)`, endPlace: `(${end},0)` });
  let moved = 0;
  for (let start = 0; start < blocks; start += BLOCKS_AT_ONCE) {
    if (run?.signal.aborted === true) throw new Error(`${partition.table}: stopped while moving rows into it`);
    moved += await inStep(() => moveBlocks(start, start + BLOCKS_AT_ONCE));
  }
  if (isDefaultLarge) await inStep(() => validateConstraint(tx, defaultTable, closedRangeName(partition)));
  const moveAdded = async () => (isDefaultLarge ? 0 : moveBlocks(0, ALL_BLOCKS));
  moved += await withLockRetries(partition.table, retries, async () => {
    // What was added since the last try, so that little is left for the time of the locks.
    const before = await inSavepoint(tx, moveAdded);
    return before + (await inSavepoint(tx, () => attachLocked(tx, branch, partition, moveAdded)));
  });
  if (isDefaultLarge) await dropConstraint(tx, defaultTable, closedRangeName(partition));
  if (moved > 0) {
    log().warn({ cell: run?.cell, partition: partition.table, rows: moved }, 'rows moved out of a default partition');
  }
  if (run !== undefined) await countBatchResult(tx, run, { partitionsCreated: 1 });
}

/** @returns how many rows had been added at the last moment */
async function attachLocked(
  tx: SqlTransaction,
  branch: Branch,
  partition: DayPartition,
  moveAdded: () => Promise<number>,
): Promise<number> {
  await lockBranch(tx, branch);
  const moved = await moveAdded();
  await attachTable(tx, branch, partition);
  return moved;
}

/** Creates the table, or takes the one that is there, with the constraint that spares ATTACH reading every row. */
async function prepareTable(
  tx: SqlTransaction,
  branch: Branch,
  partition: DayPartition,
  isThere: boolean,
): Promise<void> {
  if (!isThere) await createTable(tx, branch, partition);
  await addBounds(tx, branch, partition);
}

/*
 * A default partition can refuse rows of a period. To attach a partition of that period PostgreSQL then need not read the
 * default, which for a million rows blocks writes for a quarter of a second (docs/decisions/017). Only for periods that
 * nobody writes: a process that is killed here leaves the constraint until the next run removes it.
 */

const NAME_START = 'closed_';

function closedRangeName({ from }: Period): string {
  return NAME_START + from.toISOString().replace(/\D/g, '');
}

/** Makes the default refuse new rows of the period. Rows that it has already stay, unchecked. */
export async function closeRange(branch: Branch, period: Period, retries: LockRetries): Promise<void> {
  await changeDefault(branch, retries, (tx) => refusePeriod(tx, branch, closedRangeName(period), period));
}

/** Makes the default accept rows of every period again, including one that a killed process had closed. */
export async function reopenRanges(branch: Branch, retries: LockRetries): Promise<void> {
  const closed = await listChecks.all(database(), { table: branch.defaultTable, pattern: `^${NAME_START}[0-9]{17}$` });
  for (const { name } of closed) {
    log().warn({ table: branch.defaultTable, constraint: name }, 'removing constraint of an interrupted run');
    await changeDefault(branch, retries, (tx) => dropConstraint(tx, branch.defaultTable, name));
  }
}

async function changeDefault(
  branch: Branch,
  retries: LockRetries,
  change: (tx: SqlTransaction) => Promise<void>,
): Promise<void> {
  await withLockRetries(branch.defaultTable, retries, () =>
    inSqlTransaction(async (tx) => {
      await limitLockWaits.run(tx);
      await change(tx);
    }),
  );
}
