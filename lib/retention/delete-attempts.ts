import type { Transaction } from '@/lib/platform/db';

/** Deliveries whose attempts are to go. They are deleted already, in the same transaction: no worker can add to them. */
export interface DeletedDeliveries {
  ids: string[];
  /** How many attempts each may have, at most. */
  storedAttempts: number[];
  /** Between which times their attempts were made, by what is known of them. */
  firstAt: string;
  lastAt: string;
}

/*
 * Attempts have no foreign key and, over some hundred partitions, one index: by delivery. Looking for a thousand deliveries
 * in every partition takes longer than all the rest of a batch. So those made between the first delivery and the end of the
 * last one are deleted from the few days that this is, and one look by the range of ids tells whether there may be others:
 * imported, say, or with times of their own. Ids are UUIDv7, so a batch's lie close together; where they do not, the look
 * finds others, and what follows is right as well.
 *
 * The array is hidden in a subquery: the planner weighs a thousand values for each partition, which takes 400 ms.
 */
const IDS = 'ARRAY(SELECT unnest($1::uuid[]))';
const DELETE_WITHIN_SQL = `
  DELETE FROM delivery_attempts WHERE delivery_id = ANY(${IDS}) AND created_at >= $2 AND created_at <= $3`;
const ANY_OUTSIDE_SQL = `
  SELECT FROM delivery_attempts
  WHERE delivery_id >= (SELECT id FROM unnest($1::uuid[]) AS id ORDER BY id LIMIT 1)
    AND delivery_id <= (SELECT id FROM unnest($1::uuid[]) AS id ORDER BY id DESC LIMIT 1)
    AND (created_at < $2 OR created_at > $3) LIMIT 1`;
const DELETE_ALL_SQL = `DELETE FROM delivery_attempts WHERE delivery_id = ANY(${IDS})`;

/**
 * Deletes every attempt of deleted deliveries, in statements that remove no more than `limit` rows each; only a delivery
 * that has more by itself exceeds it.
 *
 * @returns how many there were
 */
export async function deleteAttempts(tx: Transaction, deleted: DeletedDeliveries, limit: number): Promise<number> {
  const { ids, firstAt, lastAt } = deleted;
  const slices = sliceUpTo(limit, deleted);
  let removed = 0;
  for (const slice of slices) {
    const values = [slice, firstAt, lastAt];
    removed += (await tx.query({ name: 'retention-attempts-within', text: DELETE_WITHIN_SQL, values })).rowCount ?? 0;
  }
  const values = [ids, firstAt, lastAt];
  const outside = await tx.query({ name: 'retention-attempts-outside', text: ANY_OUTSIDE_SQL, values });
  if (outside.rowCount === 0) return removed;
  for (const slice of slices) {
    const all = await tx.query({ name: 'retention-attempts-all', text: DELETE_ALL_SQL, values: [slice] });
    removed += all.rowCount ?? 0;
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
