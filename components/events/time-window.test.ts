import { expect, it } from 'vitest';
import { windowStart } from './time-window';

const NOW = new Date('2026-01-31T12:00:00.000Z');

it('starts a window its length ago', () => {
  expect(windowStart('24h', NOW)).toBe('2026-01-30T12:00:00.000Z');
});

it.each([undefined, '', 'toString', '3y'])('knows no start for %j', (name) => {
  expect(windowStart(name, NOW)).toBeUndefined();
});
