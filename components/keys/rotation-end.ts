import type { ApiKey } from '@/lib/keys/schema';

const HOUR_MS = 3_600_000;

/** When a key would stop if it were rotated now; a rotation never prolongs it (spec 5.4.6). */
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

/** "21 Nov 13:05 UTC+1", with the year where it is another one. */
export function formatEnd(at: Date, now: Date): string {
  const year = at.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year });
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
  return `${day} ${time}`;
}

/** What a rotation does to the old key, in a sentence. */
export function describeRotationEnd(key: Pick<ApiKey, 'expiresAt'>, graceHours: number, now: Date): string {
  if (graceHours === 0) return 'Stops at once.';
  const { at, isOwnExpiry } = rotationEnd(key, graceHours, now);
  return `Stops ${formatEnd(at, now)}${isOwnExpiry ? ': its own expiry is sooner.' : '.'}`;
}
