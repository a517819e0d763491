import { afterEach, expect, it } from 'vitest';
import { showTimesIn } from '@/components/ui/time-zone';
import { dayRange } from './day-range';

it('includes both days completely, in local time', () => {
  const { from, to } = dayRange({ from: '2026-11-20', to: '2026-11-21' });
  expect(new Date(from ?? '')).toEqual(new Date(2026, 10, 20));
  expect(new Date(to ?? '')).toEqual(new Date(2026, 10, 21, 23, 59, 59, 999));
});

it('is open without a day, or with an invalid one', () => {
  expect(dayRange({ from: undefined, to: 'tomorrow' })).toEqual({ from: undefined, to: undefined });
  expect(dayRange({ from: '2026-13-01', to: undefined })).toEqual({ from: undefined, to: undefined });
});

afterEach(() => showTimesIn('LOCAL'));

it('takes days of UTC for a reader who prefers UTC', () => {
  showTimesIn('UTC');
  expect(dayRange({ from: '2026-11-20', to: '2026-11-20' })).toEqual({
    from: '2026-11-20T00:00:00.000Z',
    to: '2026-11-20T23:59:59.999Z',
  });
});
