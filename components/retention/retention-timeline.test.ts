import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { positionPercent, ticksOf } from './retention-timeline';

describe('the scale of the timeline', () => {
  it('puts today at the right end and the oldest day at the left, and clamps other days', () => {
    expect([positionPercent(0, 90), positionPercent(90, 90), positionPercent(45, 90)]).toEqual([100, 0, 50]);
    expect([positionPercent(200, 90), positionPercent(-3, 90)]).toEqual([0, 100]);
  });

  it('puts ticks at round numbers of days', () => {
    expect(ticksOf(90)).toEqual([30, 60]);
    expect(ticksOf(7)).toEqual([2, 4, 6]);
    expect(ticksOf(1)).toEqual([]);
  });

  it('has at most three ticks, all inside the scale, for any number of days', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 36_500 }), (days) => {
        const ticks = ticksOf(days);
        expect(ticks.length).toBeLessThanOrEqual(3);
        expect(ticks.every((tick) => tick > 0 && tick < days)).toBe(true);
      }),
    );
  });
});
