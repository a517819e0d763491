import { expect, it } from 'vitest';
import { keyStateOf, rotateDisabledReason } from './key-state';

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
