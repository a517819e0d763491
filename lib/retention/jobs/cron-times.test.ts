import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/clock';
import { nextRunAt } from './cron-times';

const next = (cron: string, after: string) => nextRunAt(cron, new Date(after))?.toISOString() ?? null;

describe('nextRunAt', () => {
  it("is in UTC, even in an hour that the machine's clock skips", () => {
    expect(next('30 2 * * *', '2026-03-29T00:00:00Z')).toBe('2026-03-29T02:30:00.000Z');
    expect(next('30 2 * * *', '2026-03-29T02:30:00Z')).toBe('2026-03-30T02:30:00.000Z');
  });

  it('returns the following firing at the time of a firing', () => {
    expect(next('0 2 * * *', '2026-02-27T02:00:00Z')).toBe('2026-02-28T02:00:00.000Z');
    expect(next('0 2 * * *', '2026-02-27T01:59:59.999Z')).toBe('2026-02-27T02:00:00.000Z');
  });

  it('reads six fields to the second', () => {
    expect(next('*/5 * * * * *', '2026-02-27T23:59:57.200Z')).toBe('2026-02-28T00:00:00.000Z');
  });

  it('goes from leap day to leap day', () => {
    expect(next('0 0 29 2 *', '2026-02-28T12:00:00Z')).toBe('2028-02-29T00:00:00.000Z');
  });

  it('skips no firing from any moment', () => {
    const times = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    const periods = fc.constantFrom<[string, number]>(
      ['0 0 * * *', DAY_MS],
      ['*/30 * * * *', 30 * MINUTE_MS],
      ['0 */4 * * *', 240 * MINUTE_MS],
    );
    fc.assert(
      fc.property(periods, times, ([cron, periodMs], after) => {
        const first = addMs(after, periodMs - (after.getTime() % periodMs));
        expect(nextRunAt(cron, after)).toEqual(first);
      }),
    );
  });
});
