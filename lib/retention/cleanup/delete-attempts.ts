import { LOCK_NOT_AVAILABLE, sqlState, type Transaction } from '@/lib/platform/db';
import type { AttemptWindow } from './attempt-lookout';
import { BatchHeld, BatchTooLarge } from './batches';
import type { IdList } from './id-list';

/** Deliveries whose attempts are to go. They are deleted already, in the same transaction: no worker can add to them. */
export interface DeletedDeliveries {
  ids: IdList;
  /** How many attempts each may have. Nothing holds an import to it: there may be more. */
  storedAttempts: number[];
  /** That holds all of their attempts. */
  window: AttemptWindow;
}

/*
 * Attempts have no foreign key and, over some hundred partitions, one index: by delivery. Looking for a thousand deliveries
 * in every partition takes longer than all the rest of a batch; the times leave the few days that it has to be.
 *
 * The array is hidden in a subquery: the planner weighs a thousand values for each partition, which takes 400 ms.
 */
const THEIRS = 'delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[]))) AND created_at >= $2 AND created_at <= $3';
const DELETE_SQL = `DELETE FROM delivery_attempts WHERE ${THEIRS}`;

/*
 * Up to $4 of them, the lowest numbers of a delivery first. By their key and not by ctid: a join of partitions by ctid reads
 * each of them whole. It takes twice as long as the other.
 */
const KEY = 'delivery_id, attempt_number, succeeded, created_at';
const DELETE_SOME_SQL = `
  DELETE FROM delivery_attempts WHERE ${THEIRS} AND (${KEY}) <= (
    SELECT ${KEY} FROM (
      SELECT ${KEY} FROM delivery_attempts WHERE ${THEIRS} ORDER BY ${KEY} LIMIT $4) AS lowest
    ORDER BY delivery_id DESC, attempt_number DESC, succeeded DESC, created_at DESC LIMIT 1)`;

/**
 * Deletes every attempt of deleted deliveries, in statements that remove no more than `limit` rows each.
 *
 * @param isFirstTry believes the counts, and tries it the quick way
 * @returns how many there were
 * @throws BatchTooLarge when they were wrong and a statement has removed more: to be rolled back, and done the sure way
 * @throws BatchHeld when somebody holds an attempt
 */
export async function deleteAttempts(
  tx: Transaction,
  deleted: DeletedDeliveries,
  limit: number,
  isFirstTry = false,
): Promise<number> {
  let removed = 0;
  for (const slice of sliceUpTo(limit, deleted)) {
    removed += await (isFirstTry ? deleteAll : deleteInSteps)(tx, slice, deleted.window, limit);
  }
  return removed;
}

async function deleteAll(tx: Transaction, ids: IdList, { firstAt, lastAt }: AttemptWindow, limit: number) {
  const removed = await countDeleted(tx, 'delete-attempts', DELETE_SQL, [ids.text, firstAt, lastAt]);
  if (removed > limit) throw new BatchTooLarge(`${removed} attempts of deliveries that have ${limit} by their count`);
  return removed;
}

async function deleteInSteps(tx: Transaction, ids: IdList, window: AttemptWindow, limit: number): Promise<number> {
  let [removed, step] = [0, limit];
  while (step === limit) {
    step = await deleteSomeAttempts(tx, ids, window, limit);
    removed += step;
  }
  return removed;
}

/**
 * Deletes attempts of some deliveries, up to `limit`: of each the lowest numbers first.
 * @returns how many
 * @throws BatchHeld when somebody holds one
 */
export async function deleteSomeAttempts(
  tx: Transaction,
  ids: IdList,
  { firstAt, lastAt }: AttemptWindow,
  limit: number,
): Promise<number> {
  return countDeleted(tx, 'delete-some-attempts', DELETE_SOME_SQL, [ids.text, firstAt, lastAt, limit]);
}

async function countDeleted(tx: Transaction, name: string, text: string, values: unknown[]): Promise<number> {
  try {
    return (await tx.query({ name: `retention-${name}`, text, values })).rowCount ?? 0;
  } catch (error) {
    // DELETE knows no SKIP LOCKED.
    if (sqlState(error) === LOCK_NOT_AVAILABLE) throw new BatchHeld('somebody holds an attempt', { cause: error });
    throw error;
  }
}

/** The deliveries in order, so many at a time as have no more attempts together than the limit, or one. */
function* sliceUpTo(limit: number, { ids, storedAttempts }: DeletedDeliveries): Generator<IdList> {
  let [start, attempts] = [0, 0];
  for (let end = 0; end < ids.length; end++) {
    const own = storedAttempts[end] ?? 0;
    if (end > start && attempts + own > limit) {
      yield ids.slice(start, end);
      [start, attempts] = [end, 0];
    }
    attempts += own;
  }
  if (start < ids.length) yield ids.slice(start);
}
