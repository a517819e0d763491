import { inPreferredZone, showsUtc } from '@/components/ui/time-zone';
import type { ApiKey } from '@/lib/keys/schema';

const HOUR_MS = 3_600_000;

/** Returns when a key ends if it is rotated now: its grace period, or its own expiry when that is sooner. */
export function rotationEnd(
  key: Pick<ApiKey, 'expiresAt'>,
  graceHours: number,
  now: Date,
): { at: Date; isOwnExpiry: boolean } {
  const graceEnd = new Date(now.getTime() + graceHours * HOUR_MS);
  const ownEnd = key.expiresAt === null ? null : new Date(key.expiresAt);
  const isOwnExpiry = ownEnd !== null && ownEnd < graceEnd;
  return { at: isOwnExpiry ? ownEnd : graceEnd, isOwnExpiry };
}

/** Formats a time as "21 Nov 13:05 UTC+1", with the year when it is not the current one. */
export function formatEnd(at: Date, now: Date): string {
  const year = yearOf(at) === yearOf(now) ? {} : ({ year: 'numeric' } as const);
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year, ...inPreferredZone() });
  const time = at.toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    ...inPreferredZone(),
  });
  return `${day} ${time}`;
}

function yearOf(at: Date): number {
  return showsUtc() ? at.getUTCFullYear() : at.getFullYear();
}

/** Says until when a rotation leaves the old key valid. */
export function describeRotationEnd(key: Pick<ApiKey, 'expiresAt'>, graceHours: number, now: Date): string {
  if (graceHours === 0) return 'The old key stops working immediately.';
  const { at, isOwnExpiry } = rotationEnd(key, graceHours, now);
  return `The old key is valid until ${formatEnd(at, now)}${isOwnExpiry ? ', when it expires.' : '.'}`;
}
