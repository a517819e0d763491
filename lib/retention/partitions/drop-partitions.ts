import { MINUTE_MS } from '@/lib/platform/clock';
import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { inSqlTransaction, type SqlTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { type CleanupStep, countBatchResult, type JobRun, type RowsByTable } from '@/lib/retention/jobs/job-run';
import { forEachCollectingErrors } from './for-each-collecting-errors';
import { estimateTable, type ListedDay, listDays, measureDays } from './list-partitions';
import { DDL_LOCK_TIMEOUT_MS, type LockRetries, withLockRetries } from './lock-retries';
import { hasFullyExpired } from './partition-policy';
import { BRANCHES, type Branch } from './partitions';

/** Removing the files of a large partition takes seconds on a slow disk. */
const DROP_MS = MINUTE_MS;

/** $1 partition, $2 its branch, $3 its bounds. */
const IS_ATTACHED_SQL = `
  SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhrelid = $1 AND i.inhparent = $2::regclass AND pg_get_expr(c.relpartbound, c.oid) = $3`;

/** Drops the partitions whose entire UTC day has expired (docs/specification.md#retention). */
export const dropExpiredPartitions: CleanupStep = {
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
  if (!policy.maintainsPartitions) return [];
  const days = await Promise.all(BRANCHES.map(async (branch) => (await list(branch)).map((day) => ({ branch, day }))));
  return days
    .flat()
    .filter(({ branch, day }) => day.isPlainTable && hasFullyExpired(day, now, branch.daysKept(policy)));
}

async function dropDay(branch: Branch, day: ListedDay, run: JobRun): Promise<void> {
  try {
    const estimatedRows = await inSqlTransaction((tx) => dropWith(tx, branch, day, run), {
      statementMs: DROP_MS,
    });
    if (estimatedRows !== null) log().info({ partition: day.table, estimatedRows }, 'partition dropped');
  } catch (error) {
    if (sqlState(error) !== SQL_STATE.undefinedTable) throw error;
  }
}

/**
 * Locks the branch first, as every reader and writer does: so there is no deadlock, and no reader or writer can hold the
 * partition or the default. NOWAIT for these two, because VACUUM may hold them: DROP would wait for it with the branch locked.
 *
 * @returns the estimated rows; null when another process has dropped the partition or somebody has detached it
 */
async function dropWith(tx: SqlTransaction, branch: Branch, day: ListedDay, run: JobRun): Promise<number | null> {
  await tx.query(`SET LOCAL lock_timeout = ${DDL_LOCK_TIMEOUT_MS}`);
  // Before the locks: nobody writes to an expired day, and the estimate takes longer than the work under the locks.
  const estimatedRows = await estimateTable(tx, day.oid);
  await tx.query(`LOCK TABLE ONLY ${branch.parent} IN ACCESS EXCLUSIVE MODE`);
  const values = [day.oid, branch.parent, day.bounds];
  const { rowCount } = await tx.query({ name: 'retention-is-attached', text: IS_ATTACHED_SQL, values });
  if (rowCount === 0) return null;
  await tx.query(
    `LOCK TABLE ${day.qualifiedName}, ${branch.defaultTable} IN ACCESS EXCLUSIVE MODE NOWAIT; DROP TABLE ${day.qualifiedName}`,
  );
  await countBatchResult(tx, run, { rows: { [branch.table]: estimatedRows }, partitionsDropped: 1 });
  return estimatedRows;
}
