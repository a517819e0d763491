import type { Attempt, Delivery } from '@/lib/delivery/schema';

/**
 * Returns how many attempts retention has removed. A complete list is exact, while `storedAttempts` can be too high. For
 * a pending delivery the list can lack the latest attempt.
 */
export function countRemoved(
  { status, attemptCount, storedAttempts }: Pick<Delivery, 'status' | 'attemptCount' | 'storedAttempts'>,
  { rows, hasMore, isValidating }: { rows: Attempt[] | undefined; hasMore: boolean; isValidating: boolean },
): number {
  const isComplete = rows !== undefined && !hasMore && !isValidating && status !== 'PENDING';
  return attemptCount - (isComplete ? rows.length : storedAttempts);
}
