import { describe, expect, it } from 'vitest';
import { formatAbsolute, formatDuration, formatRelative, formatSpan } from './format-time';
import { showTimesIn } from './time-zone';

const NOW = new Date('2026-01-31T12:00:00.000Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);

describe('formatRelative', () => {
  it.each([
    [0, 'just now'],
    [-9_999, 'just now'],
    [5_000, 'in a few seconds'],
    [-10_000, '10 s ago'],
    [-59_999, '59 s ago'],
    [-60_000, '1 min ago'],
    [-3_599_999, '59 min ago'],
    [-3_600_000, '1 h ago'],
    [-86_400_000, '1 d ago'],
    [-40 * 86_400_000, '1 mo ago'],
    [-400 * 86_400_000, '1 y ago'],
    [90_000, 'in 2 min'],
    [3 * 86_400_000, 'in 3 d'],
  ])('formats %d ms from now as %j', (ms, text) => {
    expect(formatRelative(after(ms), NOW)).toBe(text);
  });
});

it.each([
  [0.3, '0 ms'],
  [34, '34 ms'],
  [999.4, '999 ms'],
  [999.6, '1 s'],
  [1234, '1.2 s'],
  [15_004, '15 s'],
  [59_960, '1 min'],
  [125_000, '2.1 min'],
  [210_000, '3.5 min'],
  [3_599_000, '1 h'],
  [7_560_000, '2.1 h'],
])('formats a duration of %d ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it.each([
  [5, '5 s'],
  [300, '5 min'],
  [7200, '2 h'],
  [19_800, '5 h 30 min'],
  [0, '0 s'],
])('formats a span of %d s as %s', (seconds, text) => {
  expect(formatSpan(seconds)).toBe(text);
});

it('formats a time with its zone: UTC for a reader who prefers it, else the zone of the browser', () => {
  const at = new Date('2026-11-21T23:05:09Z');
  showTimesIn('UTC');
  expect(formatAbsolute(at)).toBe('21 Nov 2026, 23:05:09 UTC');
  showTimesIn('LOCAL');
  expect(formatAbsolute(at)).toContain(String(at.getHours()).padStart(2, '0'));
});
