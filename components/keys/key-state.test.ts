import { describe, expect, it } from 'vitest';
import {
  describeRotationEnd,
  describeUnused,
  formatEnd,
  keyStateOf,
  rotateDisabledReason,
  rotationEnd,
  sendersOf,
} from './key-state';

const NOW = new Date('2026-01-31T12:00:00.000Z');
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MS).toISOString();

it.each([
  ['active', { status: 'ACTIVE', expiresAt: null }],
  ['active', { status: 'ACTIVE', expiresAt: inDays(7.1) }],
  ['expiring', { status: 'ACTIVE', expiresAt: inDays(7) }],
  ['rotating', { status: 'ROTATING', expiresAt: inDays(1) }],
  ['expired', { status: 'EXPIRED', expiresAt: inDays(-1) }],
  ['expired', { status: 'ACTIVE', expiresAt: inDays(0) }],
  ['revoked', { status: 'REVOKED', expiresAt: inDays(-1) }],
] as const)('is %s for %j', (state, key) => {
  expect(keyStateOf(key, NOW)).toBe(state);
});

it.each([
  [undefined, { status: 'ACTIVE', expiresAt: null, replacedById: null }],
  [undefined, { status: 'ACTIVE', expiresAt: inDays(1), replacedById: null }],
  ['This key has expired. Create a new one.', { status: 'ACTIVE', expiresAt: inDays(0), replacedById: null }],
  ['This key was revoked. Create a new one.', { status: 'REVOKED', expiresAt: null, replacedById: null }],
  [
    'This key has already been rotated. Rotate its replacement instead.',
    { status: 'ROTATING', expiresAt: inDays(1), replacedById: 'x' },
  ],
  [
    'This key has already been rotated. Rotate its replacement instead.',
    { status: 'EXPIRED', expiresAt: inDays(-1), replacedById: 'x' },
  ],
] as const)('rotateDisabledReason is %j for %j', (reason, key) => {
  expect(rotateDisabledReason(key, NOW)).toBe(reason);
});

describe('rotationEnd', () => {
  const HOUR_MS = 3_600_000;
  const NOW = new Date(2026, 10, 21, 12, 5, 30);
  const inHours = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS);
  const expiring = (hours: number | null) => ({ expiresAt: hours === null ? null : inHours(hours).toISOString() });

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

it('the addresses that send with a key are counted, the one of the newest event first', () => {
  const sent = (clientAddress: string | null, second: number) => ({
    clientAddress,
    createdAt: `2026-01-01T00:00:0${second}Z`,
  });
  expect(sendersOf([sent('::1', 5), sent('10.0.0.1', 4), sent('::1', 3), sent(null, 2)])).toEqual([
    { address: '::1', events: 2, newestAt: '2026-01-01T00:00:05Z' },
    { address: '10.0.0.1', events: 1, newestAt: '2026-01-01T00:00:04Z' },
    { address: null, events: 1, newestAt: '2026-01-01T00:00:02Z' },
  ]);
});

it('says that a new key was not used yet, since a use is shown up to a minute late, and later that it never was', () => {
  const minutesAgo = (minutes: number) => ({ createdAt: new Date(NOW.getTime() - minutes * 60_000).toISOString() });
  expect(describeUnused(minutesAgo(0), NOW)).toBe('Not yet (up to a minute late)');
  expect(describeUnused(minutesAgo(4.9), NOW)).toBe('Not yet (up to a minute late)');
  expect(describeUnused(minutesAgo(5), NOW)).toBe('Never');
});
