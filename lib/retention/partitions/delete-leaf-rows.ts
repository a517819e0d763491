import { runInBatches } from '@/lib/retention/cleanup/batches';
import { type CleanedTable, countBatchResult, type JobRun } from '@/lib/retention/jobs/job-run';
import { deleteRowsAfter } from './leaf-rows-sql';

/** A table without partitions, with the table that its rows count for. */
export interface Leaf {
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
