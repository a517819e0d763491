import { describe, expect, it } from 'vitest';
import { formatCountdown } from './countdown';

describe('formatCountdown', () => {
  it('shows 0:00 only at the end', () => {
    expect(formatCountdown(1)).toBe('0:01');
    expect(formatCountdown(0)).toBe('0:00');
    expect(formatCountdown(-5000)).toBe('0:00');
  });

  it.each([
    [42_000, '0:42'],
    [725_000, '12:05'],
    [3_720_000, '1:02:00'],
  ])('formats %d ms as %s', (ms, text) => {
    expect(formatCountdown(ms)).toBe(text);
  });
});
