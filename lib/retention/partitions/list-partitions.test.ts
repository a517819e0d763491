import { describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { daysWithoutGap } from './list-partitions';

const now = new Date('2026-02-27T23:59:59.999Z');
const days = (from: number, to = from + 1) => ({
  from: addMs(new Date('2026-02-27T00:00:00.000Z'), from * DAY_MS),
  to: addMs(new Date('2026-02-27T00:00:00.000Z'), to * DAY_MS),
});

describe('days with partitions ahead', () => {
  it.each([
    ['none', [], 0],
    ['that of today only', [days(-1), days(0)], 0],
    ['three after today', [days(0), days(1), days(2), days(3)], 3],
    ['those up to a gap', [days(0), days(1), days(3), days(4)], 1],
    ['none after a gap of one day', [days(0), days(2)], 0],
    ['those of longer partitions', [days(-20, 10), days(10, 40)], 39],
    ['complete days only', [days(0), days(1, 1.5)], 0],
    ['those of parts of a day together', [days(0), days(1, 1.5), days(1.5, 2)], 1],
    ['counted after today when today has no partition', [days(1), days(2)], 2],
  ])('are %s', (_what, periods, expected) => {
    expect(daysWithoutGap(periods, now)).toBe(expected);
  });
});
