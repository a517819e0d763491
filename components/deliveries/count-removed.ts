import type { Attempt, Delivery } from '@/lib/delivery/schema';

/**
 * Attempts that were made and are not stored any more. What the list holds is exact, where `storedAttempts` may overstate;
 * of a delivery still being tried it may be behind by the attempt that was just made.
 */
export function countRemoved(
  { status, attemptCount, storedAttempts }: Pick<Delivery, 'status' | 'attemptCount' | 'storedAttempts'>,
  { rows, hasMore, isValidating }: { rows: Attempt[] | undefined; hasMore: boolean; isValidating: boolean },
): number {
  const isWhole = rows !== undefined && !hasMore && !isValidating && status !== 'PENDING';
  return attemptCount - (isWhole ? rows.length : storedAttempts);
}
