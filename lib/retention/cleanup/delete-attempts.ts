import type { Transaction } from '@/lib/platform/db';
import type { AttemptWindow } from './attempt-lookout';

/** Deliveries whose attempts are to go. They are deleted already, in the same transaction: no worker can add to them. */
export interface DeletedDeliveries {
  ids: string[];
  /** How many attempts each may have, at most. */
  storedAttempts: number[];
  /** That holds all of their attempts. */
  window: AttemptWindow;
}

/** When nothing is known of the times. */
export const ANY_TIME: AttemptWindow = { firstAt: '-infinity', lastAt: 'infinity' };

/*
 * Attempts have no foreign key and, over some hundred partitions, one index: by delivery. Looking for a thousand deliveries
 * in every partition takes longer than all the rest of a batch; the times leave the few days that it has to be.
 *
 * The array is hidden in a subquery: the planner weighs a thousand values for each partition, which takes 400 ms.
 */
const DELETE_SQL = `
  DELETE FROM delivery_attempts
  WHERE delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[]))) AND created_at >= $2 AND created_at <= $3`;

/**
 * Deletes every attempt of deleted deliveries, in statements that remove no more than `limit` rows each; only a delivery
 * that has more by itself exceeds it.
 *
 * @returns how many there were
 */
export async function deleteAttempts(tx: Transaction, deleted: DeletedDeliveries, limit: number): Promise<number> {
  const { firstAt, lastAt } = deleted.window;
  let removed = 0;
  for (const slice of sliceUpTo(limit, deleted)) {
    const query = { name: 'retention-delete-attempts', text: DELETE_SQL, values: [slice, firstAt, lastAt] };
    removed += (await tx.query(query)).rowCount ?? 0;
  }
  return removed;
}

/** The deliveries in order, so many at a time as have no more attempts together than the limit. */
function sliceUpTo(limit: number, { ids, storedAttempts }: DeletedDeliveries): string[][] {
  const slices: string[][] = [];
  let attempts = Number.POSITIVE_INFINITY;
  for (const [n, id] of ids.entries()) {
    const own = storedAttempts[n] ?? 0;
    if (attempts + own > limit) {
      slices.push([]);
      attempts = 0;
    }
    attempts += own;
    slices.at(-1)?.push(id);
  }
  return slices;
}
