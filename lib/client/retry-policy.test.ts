import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BACKOFF_MS, MAX_RETRY_AFTER_MS, parseRetryAfter, retryDelayMs } from './retry-policy';

const random = fc.double({ min: 0, max: 1, noNaN: true });
const retries = fc.integer({ min: 0, max: 1_000 });

describe('the delay of a retry', () => {
  it('is from 0 to the longest backoff without Retry-After', () => {
    fc.assert(
      fc.property(retries, random, (retries, random) => {
        const delayMs = retryDelayMs({ retries, retryAfterSeconds: null, random }) as number;
        expect(delayMs).toBeGreaterThanOrEqual(0);
        expect(delayMs).toBeLessThanOrEqual(Math.min(MAX_BACKOFF_MS, 500 * 2 ** retries));
      }),
    );
  });

  it('uses the full range of its jitter, which doubles up to the longest backoff', () => {
    const longest = (retries: number) => retryDelayMs({ retries, retryAfterSeconds: null, random: 1 });
    expect([0, 1, 2, 3, 4, 5].map(longest)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    expect(retryDelayMs({ retries: 5, retryAfterSeconds: null, random: 0 })).toBe(0);
  });

  it('is never shorter than Retry-After, and null for a Retry-After that is too long to wait for', () => {
    fc.assert(
      fc.property(retries, random, fc.oneof(fc.nat(70), fc.nat(10_000_000)), (retries, random, retryAfterSeconds) => {
        const delayMs = retryDelayMs({ retries, retryAfterSeconds, random });
        if (retryAfterSeconds * 1000 > MAX_RETRY_AFTER_MS) {
          expect(delayMs).toBeNull();
          return;
        }
        expect(delayMs).toBeGreaterThanOrEqual(retryAfterSeconds * 1000);
        expect(delayMs).toBeLessThanOrEqual(retryAfterSeconds * 1000 + MAX_BACKOFF_MS);
      }),
    );
  });
});

describe('Retry-After', () => {
  const NOW_MS = Date.parse('2026-01-31T09:30:00Z');

  it('is read as seconds or as an HTTP date; a past date is no wait', () => {
    const values = ['0', ' 7 ', 'Sat, 31 Jan 2026 09:30:09 GMT', 'Sat, 31 Jan 2026 09:00:00 GMT'];
    expect(values.map((value) => parseRetryAfter(value, NOW_MS))).toEqual([0, 7, 9, 0]);
  });

  it('is null when it is neither', () => {
    const values = [null, '', '-5', '1.5', 'soon', '9'.repeat(400), '2026-01-31T09:30:09Z'];
    expect(values.map((value) => parseRetryAfter(value, NOW_MS))).toEqual(values.map(() => null));
  });

  it('is a number of seconds that is not negative, or null, for any text', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const seconds = parseRetryAfter(value, NOW_MS);
        expect(seconds === null || seconds >= 0).toBe(true);
      }),
    );
  });
});
