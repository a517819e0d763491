import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customRange, MAX_SPAN_MS, namedRange, previousRange, RANGES, type RangeName } from './range-policy';

const HOUR_MS = 3_600_000;
const now = new Date('2026-11-23T10:20:30.400Z');
const names = Object.keys(RANGES) as RangeName[];
const bucketsOf = ({ from, to, bucketMs }: ReturnType<typeof namedRange>) => (to.getTime() - from.getTime()) / bucketMs;

describe('a named range', () => {
  it('has whole buckets, and now in the last one', () => {
    expect(names.map((name) => bucketsOf(namedRange(name, now)))).toEqual([60, 72, 24, 56, 60]);
    for (const name of names) {
      const { to, bucketMs } = namedRange(name, now);
      expect(to.getTime() % bucketMs).toBe(0);
      expect(to > now && to.getTime() - bucketMs <= now.getTime()).toBe(true);
    }
  });

  it('on the start of a bucket includes that bucket', () => {
    const start = new Date('2026-11-23T10:00:00.000Z');
    expect(namedRange('24h', start).to).toEqual(new Date('2026-11-23T11:00:00.000Z'));
  });

  it('has a previous one while its statistics are kept', () => {
    for (const name of ['1h', '6h', '24h', '7d'] as const) {
      const range = namedRange(name, now);
      expect(previousRange(range, now)?.to).toEqual(range.from);
    }
    expect(previousRange(namedRange('30d', now), now)).toBeNull();
  });
});

describe('a custom range', () => {
  it('ends by the last time that RFC 3339 can express', () => {
    const [from, last] = [new Date('9999-12-31T23:00:00Z'), new Date('9999-12-31T23:59:59.999Z')];
    expect(customRange(from, last, now)).toMatchObject({ from, to: last });
    expect(customRange(from, new Date('9999-12-31T23:59:00Z'), now).to).toEqual(new Date('9999-12-31T23:59:00Z'));
  });

  it('contains its times, has whole buckets, and never more than 74', () => {
    const agesMs = fc.tuple(fc.nat(MAX_SPAN_MS), fc.nat(MAX_SPAN_MS)).filter(([a, b]) => a !== b);
    fc.assert(
      fc.property(agesMs, ([a, b]) => {
        const [from, to] = [Math.max(a, b), Math.min(a, b)].map((ageMs) => new Date(now.getTime() - ageMs)) as [
          Date,
          Date,
        ];
        const range = customRange(from, to, now);
        expect(range.from <= from && range.to >= to).toBe(true);
        expect(bucketsOf(range)).toBeLessThanOrEqual(74);
        expect(Number.isInteger(bucketsOf(range))).toBe(true);
        if (range.period === 'MINUTE') expect(now.getTime() - range.from.getTime()).toBeLessThan(49 * HOUR_MS);
      }),
    );
  });
});
