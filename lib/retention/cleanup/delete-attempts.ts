import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { type EventBatch, idAt, type LockedDeliveries } from './event-batch';
import { readRow } from './read-rows';

/** Thrown when another transaction holds an attempt to delete: DELETE has no SKIP LOCKED. */
export class AttemptLockedError extends Error {}

// The array is hidden in a subquery: the planner would weigh each of a thousand ids for every partition.
const THEIRS = `delivery_id = ANY(ARRAY(SELECT unnest(($1::uuid[])[:$2]))) AND created_at >= $3 AND created_at <= $4`;

const DELETE_SQL = `
  WITH stored AS MATERIALIZED (SELECT FROM delivery_attempts WHERE ${THEIRS} LIMIT $5 + 1::bigint
  ), deleted AS (
    DELETE FROM delivery_attempts WHERE ${THEIRS} AND (SELECT count(*) FROM stored) <= $5 RETURNING 1
  )
  SELECT (SELECT count(*) FROM stored) > $5 AS "isTooMany", count(*)::int AS deleted FROM deleted`;

/**
 * Deletes every attempt of these deliveries.
 * @returns how many; null when there are more than the batch's limit, and then nothing is deleted
 * @throws AttemptLockedError
 */
export async function deleteAttempts(
  { tx, windows, limit }: EventBatch,
  { ids, count, touchedAt }: LockedDeliveries,
): Promise<number | null> {
  if (count === 0) return 0;
  const window = await windows.find(tx, { firstId: idAt(ids, 0), lastId: idAt(ids, count - 1), touchedAt });
  if (window === null) return 0;
  const { isTooMany, deleted } = await orAttemptLocked(
    readRow<{ isTooMany: boolean; deleted: number }>(tx, {
      name: 'retention-delete-attempts',
      text: DELETE_SQL,
      values: [ids, count, window.first, window.last, limit],
    }),
  );
  return isTooMany ? null : deleted;
}

/** @throws AttemptLockedError when the statement timed out waiting for a lock */
export async function orAttemptLocked<T>(deleting: Promise<T>): Promise<T> {
  return deleting.catch((error) => {
    if (sqlState(error) !== SQL_STATE.lockNotAvailable) throw error;
    throw new AttemptLockedError('another transaction holds an attempt', { cause: error });
  });
}
