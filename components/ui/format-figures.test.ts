import { describe, expect, it } from 'vitest';
import {
  changeOf,
  formatBytes,
  formatCompact,
  formatCount,
  formatRate,
  formatShare,
  pointsBetween,
} from './format-figures';

describe('a figure', () => {
  it('is short', () => {
    expect([0, 940, 12_431, 1_234_567].map(formatCompact)).toEqual(['0', '940', '12.4K', '1.2M']);
  });

  it('shows a share with one decimal', () => {
    expect([formatShare(43, 50), formatShare(1, 3), formatShare(1, 145)]).toEqual(['86.0%', '33.3%', '0.7%']);
    expect(formatShare(0, 0)).toBeNull();
  });

  it('shows 100% only when nothing failed, and 0% only when everything did', () => {
    expect([formatShare(9_994, 10_000), formatShare(999_999, 1_000_000), formatShare(7, 7)]).toEqual([
      '99.9%',
      '99.9%',
      '100%',
    ]);
    expect([formatShare(0, 5), formatShare(1, 1_000_000), formatShare(1, 1_000)]).toEqual(['0%', '<0.1%', '0.1%']);
  });

  it('is compared with the previous period, if there was anything', () => {
    expect(changeOf(112, 100)).toEqual({ text: '+12%', direction: 'up' });
    expect(changeOf(98.8, 100)).toEqual({ text: '−1.2%', direction: 'down' });
    expect(changeOf(5, 5)?.direction).toBe('same');
    expect([changeOf(5, 0), changeOf(null, 5), changeOf(5, undefined)]).toEqual([null, null, null]);
    expect(pointsBetween({ part: 99, total: 100 }, { part: 98, total: 100 })?.text).toBe('+1 pt');
    expect(pointsBetween({ part: 9_812, total: 10_000 }, { part: 98, total: 100 })?.text).toBe('+0.1 pt');
    expect(pointsBetween({ part: 0, total: 0 }, { part: 98, total: 100 })).toBeNull();
  });

  it('names its rate in the unit that makes it readable', () => {
    expect([formatRate(7_200, 3_600), formatRate(600, 3_600), formatRate(7, 3_600)]).toEqual([
      '2 per second',
      '10 per minute',
      '7 per hour',
    ]);
  });
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [312_400, '312 kB'],
  [1_240_000_000, '1.2 GB'],
  [5e16, '50000 TB'],
])('formats %d bytes as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

it('groups counts by thousands', () => expect(formatCount(1_234_567)).toBe('1,234,567'));
