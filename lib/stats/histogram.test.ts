import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addHistograms, BUCKET_BOUNDS_MS, quantileMs } from './sum-stats';

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

  it('gives no quantile above the longest value, unless longer ones were measured', () => {
    const timeouts = histogramOf(Array(36).fill(15_003));
    expect(quantileMs(timeouts, 0.95)).toBeGreaterThan(15_000);
    expect(quantileMs(timeouts, 0.95, 15_000)).toBeLessThanOrEqual(15_000);
    expect(quantileMs(timeouts, 1, 15_000)).toBe(15_000);
    expect(quantileMs(histogramOf([17_000]), 1, 15_000)).toBeGreaterThan(16_000);
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
