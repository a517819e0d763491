import { describe, expect, it } from 'vitest';
import { describeRotationEnd, formatEnd, rotationEnd } from './rotation-end';

const HOUR_MS = 3_600_000;
const NOW = new Date(2026, 10, 21, 12, 5, 30);
const inHours = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS);
const expiring = (hours: number | null) => ({ expiresAt: hours === null ? null : inHours(hours).toISOString() });

describe('rotationEnd', () => {
  it.each([
    [null, 24, 24, false],
    [48, 24, 24, false],
    [24, 24, 24, false],
    [1, 24, 1, true],
    [1, 0, 0, false],
  ])('own expiry in %s h, grace %d h: in %d h', (own, grace, end, isOwnExpiry) => {
    expect(rotationEnd(expiring(own), grace, NOW)).toEqual({ at: inHours(end), isOwnExpiry });
  });

  it('describes the end with day and minute, and an earlier expiry as its reason', () => {
    expect(describeRotationEnd(expiring(null), 1, NOW)).toMatch(/^The old key is valid until 21 Nov 13:05 \S+\.$/);
    expect(describeRotationEnd(expiring(1), 24, NOW)).toMatch(
      /^The old key is valid until 21 Nov 13:05 \S+, when it expires\.$/,
    );
    expect(describeRotationEnd(expiring(1), 0, NOW)).toBe('The old key stops working immediately.');
  });

  it('includes the year when it is not the current one', () => {
    expect(formatEnd(new Date(2027, 0, 2, 9, 30), NOW)).toMatch(/^2 Jan 2027 09:30 /);
  });
});
