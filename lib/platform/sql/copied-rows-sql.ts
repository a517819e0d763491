import { areRowsCopied } from '@/lib/platform/cells/cell-nodes';
import type { Sql } from '@/lib/platform/db';
import { uuids } from './column';
import { statement } from './statement';

/*
 * Citus copies some tables to each machine, and locks all rows of such a table in place of one: a change of one organization would keep
 * those of all others waiting. There, an advisory lock of its id stands for the lock of a row, until the end of the transaction. What it
 * keeps out must take it too: each change of an organization or project that another may rely on does.
 */

/** In the order of the ids, so that two callers do not deadlock. */
export const lockIds = statement(
  `SELECT pg_advisory_xact_lock(hashtextextended('row ' || id::text, 0))
   FROM (SELECT id FROM unnest($ids::uuid[]) AS t (id) ORDER BY id OFFSET 0) ordered`,
  { params: { ids: uuids } },
);

const lockTables = statement(`SELECT pg_advisory_xact_lock(hashtextextended('copied tables', 0))`);

/**
 * Call it before the first change of copied tables in a transaction, and after the locks of rows. A change of one row makes Citus lock all
 * rows of its table and of those that it refers to, one table after the other and not always in the same order: two changes of different
 * rows, also by one statement each, could deadlock. Citus then ends the younger of them, not the one that would give way.
 */
export async function lockCopiedTables(tx: Sql): Promise<void> {
  if (areRowsCopied()) await lockTables.run(tx);
}

/**
 * Makes a statement that locks rows of a copied table. `take` takes the locks that stand for those of the rows, where that is needed, and
 * returns the statement to run.
 */
export function lockingCopied<S>(lock: string, make: (lock: string) => S) {
  const locking = make(lock);
  const reading = make('');
  const take = async (tx: Sql, ...ids: string[]): Promise<S> => {
    if (!areRowsCopied()) return locking;
    await lockIds.run(tx, { ids });
    return reading;
  };
  return { locking, reading, take };
}
