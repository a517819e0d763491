import { expect, it } from 'vitest';
import { exceededRetentionDays, windowStart } from './time-window';

const NOW = new Date('2026-01-31T12:00:00.000Z');

it('starts a window its length ago', () => {
  expect(windowStart('24h', NOW)).toBe('2026-01-30T12:00:00.000Z');
});

it.each([undefined, '', 'toString', '3y'])('knows no start for %j', (name) => {
  expect(windowStart(name, NOW)).toBeUndefined();
});

it('tells how long events are kept where a list reaches further back than that, and only there', () => {
  expect(exceededRetentionDays(undefined, 90, NOW)).toBe(90);
  expect(exceededRetentionDays(windowStart('30d', NOW), 7, NOW)).toBe(7);
  expect(exceededRetentionDays(windowStart('7d', NOW), 7, NOW)).toBeNull();
  expect(exceededRetentionDays(windowStart('24h', NOW), 90, NOW)).toBeNull();
  expect(exceededRetentionDays(undefined, undefined, NOW)).toBeNull();
});
