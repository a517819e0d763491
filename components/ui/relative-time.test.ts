import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { relativeAge } from './relative-time';

const NOON = Date.parse('2026-11-21T12:00:00Z');

it('gives times of the same second the same age at every moment', () => {
  const within = fc.integer({ min: 0, max: 999 });
  fc.assert(
    fc.property(within, within, fc.integer({ min: -100_000, max: 10_000_000 }), (first, second, laterMs) => {
      const ageOf = (ms: number) => relativeAge(new Date(NOON + ms), NOON + laterMs);
      expect(ageOf(first)).toBe(ageOf(second));
    }),
  );
});

it('counts whole seconds', () => {
  expect(relativeAge(new Date(NOON + 900), NOON + 12_100)).toBe('12 s ago');
});
