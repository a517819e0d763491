import { expect, it } from 'vitest';
import { periodOf, windowStart } from './time-window';

const NOW = new Date('2026-01-31T12:00:00.000Z');

it('starts a window its length before now', () => {
  expect(windowStart('24h', NOW)).toBe('2026-01-30T12:00:00.000Z');
});

it.each([undefined, '', 'toString', '3y'])('returns undefined for %j', (name) => {
  expect(windowStart(name, NOW)).toBeUndefined();
});

it('a custom period wins over a named one, and an invalid time counts as absent', () => {
  const from = '2026-01-01T00:00:00.000Z';
  const to = '2026-01-02T00:00:00.000Z';
  expect(periodOf({ since: '1h', from, to }, NOW)).toEqual({ from, to });
  expect(periodOf({ since: '1h', to }, NOW)).toEqual({ from: undefined, to });
  expect(periodOf({ since: '1h', from: 'yesterday' }, NOW)).toEqual({ from: windowStart('1h', NOW), to: undefined });
  expect(periodOf({}, NOW)).toEqual({ from: undefined, to: undefined });
});
