import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClock } from './clock';
import { announceRemaining, formatCountdown } from './countdown';
import { formatAbsolute, formatClock, formatDuration, formatRelative, formatSpan } from './format-time';
import { relativeAge } from './relative-time';
import { fromTimeInput, showTimesIn, toTimeInput } from './time-zone';

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

afterEach(() => showTimesIn('LOCAL'));

it('reads and writes a time control in UTC for a reader who prefers it', () => {
  showTimesIn('UTC');
  expect(toTimeInput('2026-11-21T23:05:09Z')).toBe('2026-11-21T23:05');
  expect(fromTimeInput('2026-11-21T23:05').toISOString()).toBe('2026-11-21T23:05:00.000Z');
});

it('reads and writes a time control in the zone of the browser by default', () => {
  const at = new Date(2026, 10, 21, 23, 5);
  expect(toTimeInput(at.toISOString())).toBe('2026-11-21T23:05');
  expect(fromTimeInput('2026-11-21T23:05')).toEqual(at);
});

it('takes no time from an invalid value', () => {
  expect(toTimeInput('soon')).toBe('');
  expect(fromTimeInput('').getTime()).toBeNaN();
});

const NOON = Date.parse('2026-11-21T12:00:00Z');

it('gives times of the same second the same age at every moment', () => {
  const within = fc.integer({ min: 0, max: 999 });
  fc.assert(
    fc.property(within, within, fc.integer({ min: -100_000, max: 10_000_000 }), (first, second, laterMs) => {
      const ageOf = (ms: number) => relativeAge(new Date(NOON + ms), NOON + laterMs);
      expect(ageOf(first)).toBe(ageOf(second));
    }),
  );
});

it('counts whole seconds', () => {
  expect(relativeAge(new Date(NOON + 900), NOON + 12_100)).toBe('12 s ago');
});

it.each([
  [0, 'now'],
  [10, 'at most 10 seconds left'],
  [11, 'at most 30 seconds left'],
  [31, 'at most 1 minute left'],
  [255, 'at most 5 minutes left'],
  [301, 'more than 5 minutes left'],
])('tells screen readers of %s seconds: %s', (seconds, text) => {
  expect(announceRemaining(seconds)).toBe(text);
});

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

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00.300Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const at = (time: string) => new Date(`2026-11-21T${time}Z`).getTime();

it('tells all readers the same time between two ticks', () => {
  const clock = createClock(1000);
  clock.subscribe(() => {});
  const first = clock.read();
  vi.advanceTimersByTime(600);
  expect([first, clock.read()]).toEqual([at('12:00:00.300'), at('12:00:00.300')]);
});

it('ticks at full steps for all subscribers at once', () => {
  const clock = createClock(1000);
  const seen: string[] = [];
  clock.subscribe(() => seen.push(`a ${clock.read() - at('12:00:00')}`));
  vi.advanceTimersByTime(500);
  clock.subscribe(() => seen.push(`b ${clock.read() - at('12:00:00')}`));
  vi.advanceTimersByTime(1300);
  expect(seen).toEqual(['a 1000', 'b 1000', 'a 2000', 'b 2000']);
});

it('has no timer without a subscriber, and is right when the next one comes', () => {
  const clock = createClock(1000);
  clock.subscribe(() => {})();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(5000);
  expect(clock.read()).toBe(at('12:00:05.300'));
});

it('formats the time of day with milliseconds, and the day unless it is today', () => {
  showTimesIn('UTC');
  expect(formatClock(new Date('2026-01-31T09:05:07.021Z'), NOW)).toBe('09:05:07.021');
  expect(formatClock(new Date('2026-01-30T09:05:07.000Z'), NOW)).toBe('30 Jan, 09:05:07.000');
});
