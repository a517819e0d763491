import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseLabels, durationScaleFor, scaleFor } from './chart-scale';

describe('a scale', () => {
  it('holds the highest value in at most four equal steps', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), (highest) => {
        const { max, ticks } = scaleFor(highest);
        expect(max).toBeGreaterThanOrEqual(highest);
        expect(ticks.length).toBeLessThanOrEqual(5);
        expect([ticks[0], ticks.at(-1)]).toEqual([0, max]);
        expect(ticks.every(Number.isInteger)).toBe(true);
      }),
    );
  });

  it('is round', () => {
    expect([0, 1, 3, 7, 40, 93, 1234].map((highest) => scaleFor(highest).max)).toEqual([1, 1, 3, 8, 40, 100, 1500]);
  });
});

it('a scale of durations has round steps of one unit', () => {
  const stepOf = (highestMs: number) => durationScaleFor(highestMs).ticks[1];
  const [second, minute, hour] = [1000, 60_000, 3_600_000];
  expect([37, 640, 7 * second, 55 * second].map(stepOf)).toEqual([10, 200, 2 * second, 15 * second]);
  expect([156 * second, 11 * minute, 3 * hour, 80 * hour].map(stepOf)).toEqual([minute, 5 * minute, hour, 24 * hour]);
  expect(durationScaleFor(156 * second).ticks).toEqual([0, minute, 2 * minute, 3 * minute]);
});

it('labels the start and then every so many places', () => {
  expect(chooseLabels(24, 6)).toEqual([0, 4, 8, 12, 16, 20]);
  expect(chooseLabels(60, 6)).toEqual([0, 10, 20, 30, 40, 50]);
  expect(chooseLabels(3, 6)).toEqual([0, 1, 2]);
});
