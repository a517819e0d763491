import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { deleteAttemptsInWindow } from './event-attempts-sql';
import { type EventBatch, idAt } from './event-batch';
import type { LockedDeliveries } from './event-sql';

/** Thrown when another transaction has locked an attempt to delete: DELETE has no SKIP LOCKED. */
export class AttemptLockedError extends Error {}

/**
 * Deletes every attempt of these deliveries.
 * @returns how many; null, and deletes nothing, when there are more than the batch's limit
 * @throws AttemptLockedError
 */
export async function deleteAttempts(
  { tx, windows, limit }: EventBatch,
  { ids, count, touchedAt }: LockedDeliveries,
): Promise<number | null> {
  if (count === 0) return 0;
  const window = await windows.find(tx, { firstId: idAt(ids, 0), lastId: idAt(ids, count - 1), touchedAt });
  if (window === null) return 0;
  const { exceedsLimit, deleted } = await orAttemptLocked(
    deleteAttemptsInWindow.one(tx, ids, count, window.first, window.last, limit),
  );
  return exceedsLimit ? null : deleted;
}

/** @throws AttemptLockedError when the statement timed out waiting for a lock */
export async function orAttemptLocked<T>(deleting: Promise<T>): Promise<T> {
  return deleting.catch((error) => {
    if (sqlState(error) !== SQL_STATE.lockNotAvailable) throw error;
    throw new AttemptLockedError('another transaction has locked an attempt', { cause: error });
  });
}
