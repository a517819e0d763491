import { afterEach, expect, it } from 'vitest';
import { fromTimeInput, showTimesIn, toTimeInput } from './time-zone';

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
