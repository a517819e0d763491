const DAY_MS = 24 * 60 * 60_000;

/** What is known of a class of data and of its table. */
export interface RetainedRecord {
  /** Rows of the table now, estimated. */
  rows: number;
  /** As recorded about a day ago; null when nothing was. */
  rowsADayAgo: number | null;
  /** Rows that retention has removed from the table since then. */
  removedSince: number;
  /** When the oldest row of the class expired, or will; null when there is no row. */
  oldestExpiresAt: Date | null;
}

/** `growing`: more rows than a day ago, none removed. `overdue`: rows stay beyond their time. */
export type RetentionWarning = 'growing' | 'overdue';

/**
 * Whether retention does not keep up with a table (SPEC 8.3). It is only told of a table whose oldest row should have left
 * more than a day ago: a young deployment grows day by day with nothing to remove.
 */
export function judgeRetention(record: RetainedRecord, now: Date): RetentionWarning | null {
  const { rows, rowsADayAgo, removedSince, oldestExpiresAt } = record;
  if (oldestExpiresAt === null || now.getTime() - oldestExpiresAt.getTime() <= DAY_MS) return null;
  const isGrowing = rowsADayAgo !== null && rows > rowsADayAgo && removedSince === 0;
  return isGrowing ? 'growing' : 'overdue';
}
