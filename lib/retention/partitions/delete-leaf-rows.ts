import type { Transaction } from '@/lib/platform/db';
import { runInBatches } from '@/lib/retention/cleanup/batches';
import { type CleanedTable, countDone, type JobRun } from '@/lib/retention/jobs/job-run';

/** A table without partitions, and what its rows are counted as. */
export interface Leaf {
  /** Schema and table, quoted. */
  qualifiedName: string;
  table: CleanedTable;
}

/**
 * Deletes the rows of a leaf that were made at `until` or earlier, in batches. Each goes on where the one before has
 * ended, in the order in which the rows lie on the disk: a leaf of a day has no index by age and is read once.
 */
export async function deleteLeafRows(run: JobRun, leaf: Leaf, until: Date): Promise<void> {
  let last = '(0,0)';
  await runInBatches(run, async (tx, limit) => {
    const { place, found, removed } = await deleteBehind(tx, leaf, { last, until, limit });
    await countDone(tx, run, { rows: { [leaf.table]: removed } });
    last = place ?? last;
    return found === limit;
  });
}

interface Stretch {
  last: string;
  until: Date;
  limit: number;
}

/** Rows that another has deleted meanwhile are found and not removed. */
async function deleteBehind(tx: Transaction, { qualifiedName }: Leaf, { last, until, limit }: Stretch) {
  const { rows } = await tx.query<{ place: string | null; found: number; removed: number }>(
    `WITH expired AS MATERIALIZED (
       SELECT ctid AS place FROM ${qualifiedName} WHERE ctid > $1::tid AND created_at <= $2 LIMIT $3
     ), removed AS (
       DELETE FROM ${qualifiedName} WHERE ctid = ANY (ARRAY(SELECT place FROM expired)) RETURNING 1
     )
     SELECT (SELECT max(place)::text FROM expired) AS place, (SELECT count(*)::int FROM expired) AS found,
       (SELECT count(*)::int FROM removed) AS removed`,
    [last, until, limit],
  );
  return rows[0] ?? { place: null, found: 0, removed: 0 };
}
