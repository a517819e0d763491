import type { KeyStatus } from './schema';

/** The moments that decide what a key is. */
export interface KeyTimes {
  revokedAt: Date | null;
  /** Its own date, set when it was made. */
  expiresAt: Date | null;
  /** End of the grace period, set when it was rotated. */
  graceEndsAt: Date | null;
}

/** When a key stops by itself: its own date or the end of its grace period, whichever is sooner (spec 5.4.5–6). */
export function endOf(key: Pick<KeyTimes, 'expiresAt' | 'graceEndsAt'>): Date | null {
  const ends = [key.expiresAt, key.graceEndsAt].filter((end) => end !== null);
  return ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end.getTime())));
}

/** The status of a key at a moment (CONTRACT 4). At its very end it authenticates nothing any more (spec 5.4.4). */
export function statusOf(key: KeyTimes, at: Date): KeyStatus {
  if (key.revokedAt !== null) return 'REVOKED';
  const end = endOf(key);
  if (end !== null && end.getTime() <= at.getTime()) return 'EXPIRED';
  return key.graceEndsAt === null ? 'ACTIVE' : 'ROTATING';
}
