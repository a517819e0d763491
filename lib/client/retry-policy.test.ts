import { describe, expect, it } from 'vitest';
import { parseRetryAfter, retryDelayMs } from './retry-policy';

describe('the delay of a retry', () => {
  it('uses the full range of its jitter, which doubles up to the longest backoff', () => {
    const longest = (retries: number) => retryDelayMs({ retries, retryAfterSeconds: null, random: 1 });
    expect([0, 1, 2, 3, 4, 5].map(longest)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    expect(retryDelayMs({ retries: 5, retryAfterSeconds: null, random: 0 })).toBe(0);
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
});
