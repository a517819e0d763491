const DAY_MS = 24 * 60 * 60_000;

/** What is known about a class of data and its table. */
export interface RetainedRecord {
  /** Rows of the table now, estimated. */
  rows: number;
  /** As recorded about a day ago; null without a record. */
  rowsADayAgo: number | null;
  /** Rows that retention has removed from the table since then. */
  removedSince: number;
  /** When the oldest row of the class expired, or will; null when there is no row. */
  oldestExpiresAt: Date | null;
}

/** `growing`: more rows than a day ago, and no row removed. `overdue`: expired rows are still there. */
type RetentionWarning = 'growing' | 'overdue';

/**
 * Evaluates whether retention keeps up with a table. Warns only when the oldest row expired more than a day ago: a young
 * deployment grows every day and has nothing to remove yet.
 * @returns null when there is nothing to warn about
 */
export function evaluateRetention(record: RetainedRecord, now: Date): RetentionWarning | null {
  const { rows, rowsADayAgo, removedSince, oldestExpiresAt } = record;
  if (oldestExpiresAt === null || now.getTime() - oldestExpiresAt.getTime() <= DAY_MS) return null;
  const isGrowing = rowsADayAgo !== null && rows > rowsADayAgo && removedSince === 0;
  return isGrowing ? 'growing' : 'overdue';
}
