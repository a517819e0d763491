import { expect, it } from 'vitest';
import { exceededRetentionDays, windowStart } from './time-window';

const NOW = new Date('2026-01-31T12:00:00.000Z');

it('starts a window its length before now', () => {
  expect(windowStart('24h', NOW)).toBe('2026-01-30T12:00:00.000Z');
});

it.each([undefined, '', 'toString', '3y'])('returns undefined for %j', (name) => {
  expect(windowStart(name, NOW)).toBeUndefined();
});

it('returns how long events are kept only for a list that reaches further back', () => {
  expect(exceededRetentionDays(undefined, 90, NOW)).toBe(90);
  expect(exceededRetentionDays(windowStart('30d', NOW), 7, NOW)).toBe(7);
  expect(exceededRetentionDays(windowStart('7d', NOW), 7, NOW)).toBeNull();
  expect(exceededRetentionDays(windowStart('24h', NOW), 90, NOW)).toBeNull();
  expect(exceededRetentionDays(undefined, undefined, NOW)).toBeNull();
});
