import { MINUTE_MS } from '@/lib/platform/clock';
import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, inSqlTransaction, type SqlTransaction, sqlWithTimeout } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { type Batch, runInBatches } from '@/lib/retention/cleanup/batches';
import { type CleanupStep, countBatchResult, type JobRun, type RowsByTable } from '@/lib/retention/jobs/job-run';
import { expiryCutoff } from '@/lib/retention/retention-policy';
import { estimateTable, forEachCollectingErrors, type ListedDay, listDays, measureDays } from './list-partitions';
import { type LockRetries, withLockRetries } from './locks';
import { BRANCHES, type Branch, hasFullyExpired } from './partitions';
import {
  countUpTo,
  deleteRowsAfter,
  dropPartition,
  findAttached,
  limitLockWaits,
  listLeavesBelow,
  lockParent,
} from './partitions-sql';

/** Removing the files of a large partition takes seconds on a slow disk. */
const DROP_MS = MINUTE_MS;

/** Drops the partitions whose entire UTC day has expired (docs/specification.md#retention). */
export const dropExpiredPartitions: CleanupStep = {
  name: 'drop partitions',
  clean: (run) => dropExpired(run),

  async preview(run) {
    const rows: RowsByTable = {};
    const expired = await listExpired(run, measureDays);
    for (const { branch, day } of expired) rows[branch.table] = (rows[branch.table] ?? 0) + day.estimatedRows;
    return { rows, partitionsToDrop: expired.map(({ day }) => day.table) };
  },
};

/**
 * Drops each partition in its own transaction, the oldest first. Leaves one that is in use all the time to the next run.
 *
 * @throws Error with the names of those that were left, after the others have been dropped
 */
export async function dropExpired(run: JobRun, retries: Pick<LockRetries, 'maxTries'> = {}): Promise<void> {
  await forEachCollectingErrors(await listExpired(run, listDays), run.signal, ({ branch, day }) =>
    withLockRetries(day.qualifiedName, { ...retries, signal: run.signal }, () => dropDay(branch, day, run)),
  );
}

async function listExpired<Day extends ListedDay>(
  { now, policy }: JobRun,
  list: (branch: Branch) => Promise<Day[]>,
): Promise<{ branch: Branch; day: Day }[]> {
  const days = await Promise.all(BRANCHES.map(async (branch) => (await list(branch)).map((day) => ({ branch, day }))));
  return days
    .flat()
    .filter(({ branch, day }) => day.isPlainTable && hasFullyExpired(day, now, branch.daysKept(policy)));
}

async function dropDay(branch: Branch, day: ListedDay, run: JobRun): Promise<void> {
  try {
    // Before the locks: no process writes to an expired day, and the estimate takes longer than the work under the locks.
    const estimatedRows = await estimateTable(day.qualifiedName);
    const isDropped = await inSqlTransaction((tx) => dropWith(tx, branch, day, estimatedRows, run), {
      statementMs: DROP_MS,
    });
    if (isDropped) log().info({ cell: run.cell, partition: day.table, estimatedRows }, 'partition dropped');
  } catch (error) {
    if (sqlState(error) !== SQL_STATE.undefinedTable) throw error;
  }
}

/**
 * Locks the branch first, as every reader and writer does: so there is no deadlock, and no reader or writer can hold the
 * partition or the default. NOWAIT for these two, because VACUUM may hold them: DROP would wait for it with the branch locked.
 *
 * @returns false when the partition was dropped or detached by then
 */
async function dropWith(
  tx: SqlTransaction,
  branch: Branch,
  day: ListedDay,
  estimatedRows: number,
  run: JobRun,
): Promise<boolean> {
  await limitLockWaits.run(tx);
  await lockParent[branch.name].run(tx);
  if ((await findAttached.run(tx, { oid: day.oid, parent: branch.table, bounds: day.bounds })) === 0) return false;
  await dropPartition(tx, day.qualifiedName, branch.defaultTable);
  await countBatchResult(tx, run, { rows: { [branch.table]: estimatedRows }, partitionsDropped: 1 });
  return true;
}

/**
 * Deletes the expired rows of partitioned tables in batches, to the instant, where PARTITION_MAINTENANCE_ENABLED is false.
 * Empty partitions stay: those who created them drop them.
 */
export const deleteExpiredRows: CleanupStep = {
  name: 'expired rows of partitioned tables',
  async clean(run) {
    await forEachCollectingErrors(await listLeaves(run), run.signal, ({ leaf, cutoff }) =>
      deleteLeafRows(run, leaf, cutoff),
    );
  },

  async preview(run) {
    const rows: RowsByTable = {};
    for (const { leaf, cutoff } of await listLeaves(run)) {
      const { expired } = await countUpTo(leaf.qualifiedName, leaf.branch).one(sqlWithTimeout(LONG_STATEMENT_MS), {
        until: cutoff,
      });
      const { table } = leaf.branch;
      rows[table] = (rows[table] ?? 0) + expired;
    }
    return { rows };
  },
};

interface ExpiringLeaf {
  leaf: Leaf;
  cutoff: Date;
}

/** Lists every table that may have expired rows, including default partitions. */
async function listLeaves({ now, policy }: JobRun): Promise<ExpiringLeaf[]> {
  const leaves: ExpiringLeaf[] = [];
  for (const branch of BRANCHES) {
    const cutoff = expiryCutoff(now, branch.daysKept(policy));
    for (const qualifiedName of await listLeavesOf(branch, cutoff)) {
      leaves.push({ leaf: { qualifiedName, branch }, cutoff });
    }
  }
  return leaves;
}

/** Excludes those that begin after `cutoff`, and those of other branches. */
async function listLeavesOf(branch: Branch, cutoff: Date): Promise<string[]> {
  const younger = (await listDays(branch)).filter(({ from }) => from > cutoff);
  const others = BRANCHES.filter((other) => other.table === branch.table && other !== branch);
  const ofOthers = (await Promise.all(others.map(listDays))).flat();
  const except = [...younger, ...ofOthers].map(({ oid }) => oid);
  return (await listLeavesBelow.all(database(), { parent: branch.table, except })).map(({ name }) => name);
}

/** A table without partitions, with the branch whose rows in it are meant. */
interface Leaf {
  /** Schema and table, quoted. */
  qualifiedName: string;
  branch: Branch;
}

/**
 * Deletes the rows of a branch in a leaf that were created at `until` or earlier, in batches. A partition has no index by age, so it is
 * read once, in the order of the rows on the disk: each batch begins after the last row of the one before.
 */
export async function deleteLeafRows(run: JobRun, leaf: Leaf, until: Date): Promise<void> {
  const { qualifiedName, branch } = leaf;
  const deleteAfter = deleteRowsAfter(qualifiedName, branch);
  let place = '(0,0)';
  const deleteBatch: Batch = async (tx, limit) => {
    const { last, found, removed } = await deleteAfter.one(tx, { place, until, limit });
    await countBatchResult(tx, run, { rows: { [branch.table]: removed } });
    place = last ?? place;
    return found === limit;
  };
  await runInBatches(run, deleteBatch, { duringMoves: true });
}
