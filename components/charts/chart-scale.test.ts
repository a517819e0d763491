import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseLabels, durationScaleFor, scaleFor } from './chart-scale';

describe('a scale', () => {
  it('holds the highest value in at most four equal steps from zero', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), (highest) => {
        const { ticks, shareOf } = scaleFor(highest);
        expect(shareOf(highest)).toBeLessThanOrEqual(1);
        expect(ticks.length).toBeLessThanOrEqual(5);
        expect([ticks[0], shareOf(0), shareOf(ticks.at(-1) ?? 0)]).toEqual([0, 0, 1]);
        expect(ticks.every(Number.isInteger)).toBe(true);
      }),
    );
  });

  it('is round', () => {
    expect([0, 1, 3, 7, 40, 93, 1234].map((highest) => scaleFor(highest).ticks.at(-1))).toEqual([
      1, 1, 3, 8, 40, 100, 1500,
    ]);
  });
});

describe('a scale of durations', () => {
  const second = 1000;
  const minute = 60_000;
  const hour = 3_600_000;

  it('holds all values between two to six lines', () => {
    fc.assert(
      fc.property(fc.nat(1_000 * hour), fc.nat(1_000 * hour), (a, b) => {
        const lowest = Math.min(a, b);
        const highest = Math.max(a, b);
        const { ticks, shareOf } = durationScaleFor(lowest, highest);
        expect([shareOf(ticks[0] ?? 0), shareOf(ticks.at(-1) ?? 0)]).toEqual([0, 1]);
        expect(shareOf(lowest)).toBeGreaterThanOrEqual(0);
        expect(shareOf(highest)).toBeLessThanOrEqual(1);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(6);
      }),
    );
  });

  it('gives the same height to the same factor', () => {
    const { shareOf } = durationScaleFor(200, 150 * second);
    expect(shareOf(2000) - shareOf(200)).toBeCloseTo(shareOf(20_000) - shareOf(2000));
  });

  it('has lines at round durations', () => {
    expect(durationScaleFor(198, 348).ticks).toEqual([100, 200, 500]);
    expect(durationScaleFor(210, 156 * second).ticks).toEqual([100, second, 10 * second, minute, 10 * minute]);
    expect(durationScaleFor(1000 * hour, 1000 * hour).ticks).toEqual([100 * hour, 1000 * hour]);
    expect(durationScaleFor(0, 12 * hour).ticks).toEqual([1, 100, 10 * second, 10 * minute, 10 * hour, 1000 * hour]);
  });
});

it('labels the start and then every so many places', () => {
  expect(chooseLabels(24, 6)).toEqual([0, 4, 8, 12, 16, 20]);
  expect(chooseLabels(60, 6)).toEqual([0, 10, 20, 30, 40, 50]);
  expect(chooseLabels(3, 6)).toEqual([0, 1, 2]);
});
