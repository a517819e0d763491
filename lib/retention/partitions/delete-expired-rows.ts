import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { runInBatches } from '@/lib/retention/cleanup/batches';
import {
  type CleanedTable,
  type CleanupStep,
  countBatchResult,
  type JobRun,
  type RowsByTable,
} from '@/lib/retention/jobs/job-run';
import { expiryCutoff } from '@/lib/retention/retention-policy';
import { forEachCollectingErrors, listDays } from './list-partitions';
import { BRANCHES, type Branch } from './partitions';
import { countUpTo, deleteRowsAfter, listLeavesBelow } from './partitions-sql';

/**
 * Deletes the expired rows of partitioned tables in batches, to the instant, where PARTITION_MAINTENANCE_ENABLED is false.
 * Empty partitions stay: those who created them drop them.
 */
export const deleteExpiredRows: CleanupStep = {
  async clean(run) {
    await forEachCollectingErrors(await listLeaves(run), run.signal, ({ leaf, cutoff }) =>
      deleteLeafRows(run, leaf, cutoff),
    );
  },

  async preview(run) {
    const rows: RowsByTable = {};
    for (const { leaf, cutoff } of await listLeaves(run)) {
      const { expired } = await countUpTo(leaf.qualifiedName).one(sqlWithTimeout(LONG_STATEMENT_MS), cutoff);
      rows[leaf.table] = (rows[leaf.table] ?? 0) + expired;
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
  for (const branch of policy.maintainsPartitions ? [] : BRANCHES) {
    const cutoff = expiryCutoff(now, branch.daysKept(policy));
    for (const qualifiedName of await listLeavesOf(branch, cutoff)) {
      leaves.push({ leaf: { qualifiedName, table: branch.table }, cutoff });
    }
  }
  return leaves;
}

/** Excludes those that begin after `cutoff`. */
async function listLeavesOf(branch: Branch, cutoff: Date): Promise<string[]> {
  const younger = (await listDays(branch)).filter(({ from }) => from > cutoff).map(({ oid }) => oid);
  return (await listLeavesBelow.all(database(), branch.parent, younger)).map(({ name }) => name);
}

/** A table without partitions, with the table that its rows count for. */
interface Leaf {
  /** Schema and table, quoted. */
  qualifiedName: string;
  table: CleanedTable;
}

/**
 * Deletes the rows of a leaf that were created at `until` or earlier, in batches. A partition has no index by age, so it is
 * read once, in the order of the rows on the disk: each batch begins after the last row of the one before.
 */
export async function deleteLeafRows(run: JobRun, leaf: Leaf, until: Date): Promise<void> {
  const deleteAfter = deleteRowsAfter(leaf.qualifiedName);
  let cursor = '(0,0)';
  await runInBatches(run, async (tx, limit) => {
    const { last, found, removed } = await deleteAfter.one(tx, cursor, until, limit);
    await countBatchResult(tx, run, { rows: { [leaf.table]: removed } });
    cursor = last ?? cursor;
    return found === limit;
  });
}
