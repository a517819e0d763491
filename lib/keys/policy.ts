import type { KeyStatus } from './schema';

/** The times that decide the status of a key. */
export interface KeyTimes {
  revokedAt: Date | null;
  /** The expiry it was created with. */
  expiresAt: Date | null;
  /** End of its grace period, set when it is rotated. */
  graceEndsAt: Date | null;
}

/** When a key stops working unless it is revoked: at its expiry or the end of its grace period, whichever comes first. */
export function effectiveExpiry(key: Pick<KeyTimes, 'expiresAt' | 'graceEndsAt'>): Date | null {
  const ends = [key.expiresAt, key.graceEndsAt].filter((end) => end !== null);
  return ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end.getTime())));
}

/** The status of a key at a given time. In the millisecond of its end it has already expired. */
export function statusOf(key: KeyTimes, at: Date): KeyStatus {
  if (key.revokedAt !== null) return 'REVOKED';
  const end = effectiveExpiry(key);
  if (end !== null && end.getTime() <= at.getTime()) return 'EXPIRED';
  return key.graceEndsAt === null ? 'ACTIVE' : 'ROTATING';
}
