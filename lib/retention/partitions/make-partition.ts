import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, inSqlTransaction, type SqlTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import type { Statement } from '@/lib/platform/sql/statement';
import { countBatchResult, type JobRun } from '@/lib/retention/jobs/job-run';
import { closedRangeName, closeRange, listDays, reopenRanges } from './list-partitions';
import { type LockRetries, withBranchLock, withLockRetries } from './locks';
import { type Branch, type DayPartition, gapsOf } from './partitions';
import {
  addBounds,
  attachTable,
  commitInMemory,
  createTable,
  describeTable,
  dropConstraint,
  findBranchCondition,
  findTable,
  inSavepoint,
  limitLockWaits,
  lockBranch,
  type MoveOptions,
  moveRest,
  moveStretch,
  validateConstraint,
} from './partitions-sql';

/** What to create: an Attachment without what is found out here. */
interface NewPartition {
  branch: Branch;
  partition: DayPartition;
  use: Attachment['use'];
  /** Counts the partition and can end the work. */
  run?: JobRun | undefined;
  /** Also ends the work. */
  signal?: AbortSignal | undefined;
  /** The timeout of each statement in milliseconds; LONG_STATEMENT_MS by default. */
  statementTimeoutMs?: number | undefined;
}

/**
 * Creates a partition and moves the default's rows of its period into it, in one transaction: no reader misses a row or sees
 * one twice. Safe during live writes, which wait for little more than DDL_LOCK_TIMEOUT_MS, and when other processes do
 * the same.
 *
 * @returns false when another process was first
 * @throws BranchBusyError
 */
export async function makePartition(wanted: NewPartition): Promise<boolean> {
  const { branch, partition, run } = wanted;
  const signal = wanted.signal ?? run?.signal;
  return withBranchLock(branch, signal, async () => {
    const [gap, ...others] = gapsOf(partition, await listDays(branch));
    const isMissing =
      gap !== undefined && others.length === 0 && +gap.from === +partition.from && +gap.to === +partition.to;
    if (!isMissing) return false;
    const isThere = await isTable(partition);
    const attachment: Attachment = { ...wanted, retries: { signal }, isThere };
    try {
      if (IS_REFUSED.has(wanted.use)) await makeRefused(attachment);
      else await makeOpen(attachment);
    } catch (error) {
      if (!isThere) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(
        `partitions.${partition.table} is there without being a partition of ${branch.parent}, and cannot become one ` +
          `(${reason}): rename it or drop it`,
        { cause: error },
      );
    }
    return true;
  });
}

async function isTable({ table }: DayPartition): Promise<boolean> {
  return (await findTable.one(database(), `partitions.${table}`)).there;
}

const attach = (attachment: Attachment) =>
  inSqlTransaction((tx) => attachPartition(tx, attachment), {
    statementMs: attachment.statementTimeoutMs ?? LONG_STATEMENT_MS,
  });

async function makeOpen(attachment: Attachment): Promise<void> {
  try {
    await attach(attachment);
  } catch (error) {
    // A row of the period was added to the default at this moment.
    if (attachment.use !== 'ahead' || sqlState(error) !== SQL_STATE.checkViolation) throw error;
    await attach({ ...attachment, use: 'live' });
  }
}

async function makeRefused(attachment: Attachment): Promise<void> {
  const { branch, partition, retries } = attachment;
  await reopenRanges(branch, retries);
  await closeRange(branch, partition, retries);
  try {
    await attach(attachment);
  } catch (error) {
    await reopenRanges(branch, {}).catch((failure: unknown) =>
      log().error({ err: failure, table: branch.defaultTable }, 'part of a default partition stays closed'),
    );
    throw error;
  }
}

/**
 * How rows of the period may be in use while its partition is created.
 * - `ahead`: no process writes them, and the default has no such rows. ATTACH reads the default under a lock on it.
 * - `live`: any process may write them now. ATTACH reads the default with the branch locked, so it must be small.
 * - `closed`: no process writes them again. The default may be large; it refuses more of them (closeRange).
 * - `reserved`: no process writes them yet. The default may be large and in use; it refuses them.
 */
type PeriodUse = 'ahead' | 'live' | 'closed' | 'reserved';

const MOVES_ROWS: ReadonlySet<PeriodUse> = new Set(['live', 'closed']);
const IS_REFUSED: ReadonlySet<PeriodUse> = new Set(['closed', 'reserved']);

interface Attachment {
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
async function attachPartition(tx: SqlTransaction, attachment: Attachment): Promise<void> {
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

/** Blocks of 8 kB that one statement reads. A move can be stopped between two statements. */
const BLOCKS_AT_ONCE = 2048;

/** Moves a default partition's rows of a period into a table that is not attached yet. Locks only these rows. */
class RowMove {
  /** Returns the starts of the stretches of the default, for `moveStretch`. */
  readonly stretches: readonly number[];
  readonly #tx: SqlTransaction;
  readonly #period: readonly [Date, Date];
  readonly #stretch: Statement;
  readonly #rest: Statement;

  private constructor(tx: SqlTransaction, { from, to }: DayPartition, blocks: number, move: MoveOptions) {
    this.stretches = Array.from({ length: Math.ceil(blocks / BLOCKS_AT_ONCE) }, (_, place) => place * BLOCKS_AT_ONCE);
    this.#tx = tx;
    this.#period = [from, to];
    this.#stretch = moveStretch(move);
    this.#rest = moveRest(move);
  }

  static async prepare(tx: SqlTransaction, branch: Branch, target: DayPartition): Promise<RowMove> {
    const { blocks, columns } = await describeTable.one(tx, branch.defaultTable);
    return new RowMove(tx, target, Number(blocks), {
      from: branch.defaultTable,
      to: `partitions.${target.table}`,
      columns,
    });
  }

  /** @returns how many rows it moved */
  async moveStretch(start: number): Promise<number> {
    return this.#stretch.run(this.#tx, ...this.#period, `(${start},0)`, `(${start + BLOCKS_AT_ONCE},0)`);
  }

  /** Moves rows added since. Reads the entire default. */
  async moveRest(): Promise<number> {
    return this.#rest.run(this.#tx, ...this.#period);
  }
}
