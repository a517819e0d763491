import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RESPONSE_TIMEOUT_MS } from '@/lib/platform/net/failure-reason';
import { customRange, MAX_SPAN_MS, namedRange, previousRange, RANGES, type RangeName } from './range-policy';
import { addHistograms, attemptQuantilesOf, BUCKET_BOUNDS_MS, quantileMs } from './sum-stats';

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
    const from = new Date('9999-12-31T23:00:00Z');
    const last = new Date('9999-12-31T23:59:59.999Z');
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

const bucketOf = (ms: number) => BUCKET_BOUNDS_MS.filter((bound) => bound <= ms).length;

function histogramOf(values: readonly number[]): number[] {
  const counts: number[] = [];
  for (const value of values) counts[bucketOf(value)] = (counts[bucketOf(value)] ?? 0) + 1;
  return Array.from(counts, (count) => count ?? 0);
}

const values = fc.array(fc.oneof(fc.nat(50), fc.nat(20_000), fc.nat(200_000_000)), { minLength: 1 });

describe('a histogram', () => {
  it('gives a quantile within the bucket of the exact one', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(0.5, 0.95), (list, share) => {
        const sorted = list.toSorted((a, b) => a - b);
        const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
        const estimate = quantileMs(histogramOf(list), share) ?? -1;
        expect(estimate).toBeGreaterThanOrEqual(BUCKET_BOUNDS_MS[bucketOf(exact) - 1] ?? 0);
        expect(estimate).toBeLessThanOrEqual(BUCKET_BOUNDS_MS[bucketOf(exact)] ?? Infinity);
      }),
    );
  });

  it('gives no quantile above the longest value that was measured', () => {
    expect(quantileMs(histogramOf([530]), 0.5)).toBeLessThanOrEqual(530);
    fc.assert(
      fc.property(values, fc.constantFrom(0.5, 0.95, 1), (list, share) => {
        expect(quantileMs(histogramOf(list), share)).toBeLessThanOrEqual(Math.max(...list));
      }),
    );
  });

  it('gives no quantile above the longest value that can occur, unless longer ones were measured', () => {
    const timeouts = histogramOf(Array(36).fill(15_003));
    expect(quantileMs(timeouts, 0.95, 15_000)).toBeGreaterThan(14_500);
    expect(quantileMs(timeouts, 0.95, 15_000)).toBeLessThanOrEqual(15_000);
    expect(quantileMs(timeouts, 1, 15_000)).toBe(15_000);
    expect(quantileMs(histogramOf([17_000]), 1, 15_000)).toBeGreaterThan(15_000);
  });

  it('of two lists added is that of one list', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(addHistograms([histogramOf(a), histogramOf(b)])).toEqual(histogramOf([...a, ...b]));
      }),
    );
  });

  it('has no quantile when it is empty', () => {
    expect([quantileMs([], 0.5), quantileMs([0, 0], 0.5)]).toEqual([null, null]);
  });

  it('has ascending bounds, at most a fifth apart from 8 ms on, up to three days', () => {
    for (const [index, bound] of BUCKET_BOUNDS_MS.entries()) {
      const next = BUCKET_BOUNDS_MS[index + 1] ?? bound * 1.2;
      expect(next).toBeGreaterThan(bound);
      if (bound >= 8) expect(next / bound).toBeLessThan(1.26);
    }
    expect(BUCKET_BOUNDS_MS.at(-1)).toBeGreaterThan(3 * 86_400_000);
  });
});

describe('the sum of statistics', () => {
  it('no quantile of attempts is above their timeout', () => {
    const bucket = BUCKET_BOUNDS_MS.findIndex((bound) => bound > RESPONSE_TIMEOUT_MS);
    const timeouts = [...Array(bucket).fill(0), 36];
    expect(attemptQuantilesOf([timeouts, null, timeouts])?.p95Ms).toBeLessThanOrEqual(RESPONSE_TIMEOUT_MS);
  });
});
