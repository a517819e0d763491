import type { SqlTransaction } from '@/lib/platform/db';
import { runInBatches } from '@/lib/retention/cleanup/batches';
import { type CleanedTable, countBatchResult, type JobRun } from '@/lib/retention/jobs/job-run';

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
  let cursor = '(0,0)';
  await runInBatches(run, async (tx, limit) => {
    const { last, found, removed } = await deleteAfter(tx, leaf, { cursor, until, limit });
    await countBatchResult(tx, run, { rows: { [leaf.table]: removed } });
    cursor = last ?? cursor;
    return found === limit;
  });
}

interface Range {
  /** The ctid of the last row before it. */
  cursor: string;
  until: Date;
  limit: number;
}

/** Finds but does not remove rows that another process has just deleted. */
async function deleteAfter(tx: SqlTransaction, { qualifiedName }: Leaf, { cursor, until, limit }: Range) {
  const { rows } = await tx.query<{ last: string | null; found: number; removed: number }>(
    `WITH expired AS MATERIALIZED (
       SELECT ctid FROM ${qualifiedName} WHERE ctid > $1::tid AND created_at <= $2 LIMIT $3
     ), removed AS (
       DELETE FROM ${qualifiedName} WHERE ctid = ANY (ARRAY(SELECT ctid FROM expired)) RETURNING 1
     )
     SELECT (SELECT max(ctid)::text FROM expired) AS last, (SELECT count(*)::int FROM expired) AS found,
       (SELECT count(*)::int FROM removed) AS removed`,
    [cursor, until, limit],
  );
  return rows[0] ?? { last: null, found: 0, removed: 0 };
}
