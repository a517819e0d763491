import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/clock';
import { expiryCutoff } from '@/lib/retention/retention-policy';
import { branchOf } from '@/tests/retention/partitions';
import { daysWithoutGap } from './list-partitions';
import {
  fullDayCutoff,
  gapsOf,
  hasFullyExpired,
  isBeingWritten,
  missingPartitions,
  type Period,
  utcDayOf,
} from './partitions';

const START_MS = Date.UTC(2028, 1, 20);
/** Around a leap day. */
const anyInstant = fc.integer({ min: START_MS, max: START_MS + 40 * DAY_MS }).map((ms) => new Date(ms));
const anyDays = fc.integer({ min: 1, max: 20 });
const anyPeriod = fc
  .tuple(anyInstant, fc.integer({ min: 1, max: 3 * DAY_MS }))
  .map(([from, ms]) => ({ from, to: addMs(from, ms) }));
/** Partitions of a table, which do not overlap. */
const anyPartitions = fc
  .uniqueArray(fc.integer({ min: -6, max: 30 }), { maxLength: 8 })
  .map((quarters) => quarters.toSorted((a, b) => a - b))
  .map((quarters) => quarters.map((place) => ({ from: at(place), to: at(place + 1) })));
const at = (quarter: number) => new Date(START_MS + quarter * 6 * HOUR_MS);
const holds = ({ from, to }: Period, instant: Date) => from <= instant && instant < to;

describe('a partition that may be dropped', () => {
  it('contains only expired rows, and would even with the last instant of its last day', () => {
    fc.assert(
      fc.property(anyPeriod, anyInstant, anyDays, (period, now, days) => {
        const lastOfDay = addMs(utcDayOf(addMs(period.to, -1)).to, -1);
        expect(hasFullyExpired(period, now, days)).toBe(lastOfDay < expiryCutoff(now, days));
      }),
    );
  });

  it('ends exactly where rows of default partitions are deleted up to', () => {
    fc.assert(
      fc.property(anyInstant, anyInstant, anyDays, (instant, now, days) => {
        expect(instant <= fullDayCutoff(now, days)).toBe(hasFullyExpired(utcDayOf(instant), now, days));
      }),
    );
  });
});

describe('the uncovered parts of a period', () => {
  it('contain exactly the instants that no partition contains', () => {
    fc.assert(
      fc.property(anyPeriod, anyPartitions, anyInstant, (period, partitions, instant) => {
        const inGaps = gapsOf(period, partitions).filter((gap) => holds(gap, instant)).length;
        const isFree = holds(period, instant) && !partitions.some((partition) => holds(partition, instant));
        expect(inGaps).toBe(isFree ? 1 : 0);
      }),
    );
  });

  it('get different names; the one that reaches the end of the day gets the name of the day', () => {
    const branch = branchOf('failed');
    fc.assert(
      fc.property(anyPartitions, (partitions) => {
        const day = utcDayOf(new Date(START_MS));
        const existing = partitions.map((period, number) => ({ ...period, table: `other${number}` }));
        const missing = missingPartitions(branch, day, existing);
        expect(new Set(missing.map(({ table }) => table)).size).toBe(missing.length);
        for (const { table, to } of missing) {
          expect(table === 'delivery_attempts_failed_p20280220').toBe(to.getTime() === day.to.getTime());
        }
      }),
    );
  });
});

describe('a period that is being written', () => {
  it('ended minutes ago at most, and begins within an hour', () => {
    const present = new Date('2028-02-20T12:00:00Z');
    const is = (from: string, to: string) => isBeingWritten({ from: new Date(from), to: new Date(to) }, present);
    expect(is('2028-02-20T00:00:00Z', '2028-02-20T11:50:00.001Z')).toBe(true);
    expect(is('2028-02-20T00:00:00Z', '2028-02-20T11:50:00Z')).toBe(false);
    expect(is('2028-02-20T12:59:59.999Z', '2028-02-21T00:00:00Z')).toBe(true);
    expect(is('2028-02-20T13:00:00Z', '2028-02-21T00:00:00Z')).toBe(false);
  });
});

const now = new Date('2026-02-27T23:59:59.999Z');
const days = (from: number, to = from + 1) => ({
  from: addMs(new Date('2026-02-27T00:00:00.000Z'), from * DAY_MS),
  to: addMs(new Date('2026-02-27T00:00:00.000Z'), to * DAY_MS),
});

describe('days with partitions ahead', () => {
  it.each([
    ['none', [], 0],
    ['that of today only', [days(-1), days(0)], 0],
    ['three after today', [days(0), days(1), days(2), days(3)], 3],
    ['those up to a gap', [days(0), days(1), days(3), days(4)], 1],
    ['none after a gap of one day', [days(0), days(2)], 0],
    ['those of longer partitions', [days(-20, 10), days(10, 40)], 39],
    ['complete days only', [days(0), days(1, 1.5)], 0],
    ['those of parts of a day together', [days(0), days(1, 1.5), days(1.5, 2)], 1],
    ['counted after today when today has no partition', [days(1), days(2)], 2],
  ])('are %s', (_what, periods, expected) => {
    expect(daysWithoutGap(periods, now)).toBe(expected);
  });
});
