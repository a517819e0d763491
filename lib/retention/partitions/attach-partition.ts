import type { SqlTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { countBatchResult, type JobRun } from '@/lib/retention/jobs/job-run';
import { closedRangeName } from './closed-range';
import { type LockRetries, withLockRetries } from './lock-retries';
import { RowMove } from './move-rows';
import {
  addBounds,
  attachTable,
  commitInMemory,
  createTable,
  dropConstraint,
  findBranchCondition,
  inSavepoint,
  limitLockWaits,
  lockBranch,
  validateConstraint,
} from './partition-ddl-sql';
import type { Branch, DayPartition } from './partitions';

/**
 * How rows of the period may be in use while its partition is created.
 * - `ahead`: no process writes them, and the default has no such rows. ATTACH reads the default under a lock on it.
 * - `live`: any process may write them now. ATTACH reads the default with the branch locked, so it must be small.
 * - `closed`: no process writes them again. The default may be large; it refuses more of them (closeRange).
 * - `reserved`: no process writes them yet. The default may be large and in use; it refuses them.
 */
export type PeriodUse = 'ahead' | 'live' | 'closed' | 'reserved';

const MOVES_ROWS: ReadonlySet<PeriodUse> = new Set(['live', 'closed']);
export const IS_REFUSED: ReadonlySet<PeriodUse> = new Set(['closed', 'reserved']);

export interface Attachment {
  branch: Branch;
  partition: DayPartition;
  use: PeriodUse;
  retries: LockRetries;
  /** Whether a table with its name exists, because an operator has detached it. It is attached again. */
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
  await limitLockWaits.run(tx);
  // The commit need not reach the disk while the locks are held: a crash undoes everything together.
  await commitInMemory.run(tx);
  await inStep(() => prepareTable(tx, attachment));
  const move = await RowMove.prepare(tx, branch, partition);
  let moved = 0;
  for (const start of MOVES_ROWS.has(use) ? move.stretches : []) {
    if (retries.signal?.aborted === true) throw new Error(`${partition.table}: stopped while moving rows into it`);
    moved += await inStep(() => move.moveStretch(start));
  }
  const { defaultTable } = branch;
  if (IS_REFUSED.has(use)) {
    await inStep(() => validateConstraint(tx, defaultTable, closedRangeName(partition)));
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
  await attachTable(tx, branch, partition);
  if (IS_REFUSED.has(use)) await dropConstraint(tx, branch.defaultTable, closedRangeName(partition));
  return moved;
}

/** Creates the table, or takes the one that is there, with the constraint that spares ATTACH reading every row. */
async function prepareTable(tx: SqlTransaction, { branch, partition, isThere }: Attachment): Promise<void> {
  if (!isThere) await createTable(tx, branch, partition);
  const { of_branch } = await findBranchCondition.one(tx, branch.parent);
  await addBounds(tx, partition, of_branch);
}
