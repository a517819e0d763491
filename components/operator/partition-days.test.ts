import { describe, expect, it } from 'vitest';
import type { PartitionDay } from '@/lib/admin/schema';
import { dayColumnsOf, formatDay, labelOf, monthsOf, shadeOf } from './partition-days';

const days = (...names: string[]): { days: PartitionDay[] } => ({
  days: names.map((day) => ({ day, estimatedRows: 0, sizeBytes: 0, state: 'kept' })),
});

describe('the columns of the partition map', () => {
  it('cover all days from the oldest to the newest partition of any table, including gaps and leap days', () => {
    expect(dayColumnsOf([days('2028-03-01', '2028-02-28'), days('2028-03-02')])).toEqual([
      '2028-02-28',
      '2028-02-29',
      '2028-03-01',
      '2028-03-02',
    ]);
    expect(dayColumnsOf([days(), days()])).toEqual([]);
  });

  it('name a month only when its columns have room for the name', () => {
    const columns = dayColumnsOf([days('2026-10-28', '2026-12-02')]);
    expect(monthsOf(columns)).toEqual([{ day: '2026-11-01', label: 'Nov 2026' }]);
    expect(monthsOf(dayColumnsOf([days('2026-10-20', '2026-10-30')]))).toEqual([
      { day: '2026-10-20', label: 'Oct 2026' },
    ]);
  });
});

describe('a day of the map', () => {
  it('gets darker with its share of the fullest day, and is blank only when empty', () => {
    const shades = [0, 1, 25, 26, 75, 76, 100].map((estimatedRows) => shadeOf({ estimatedRows }, 100));
    expect(shades).toEqual([0, 1, 1, 2, 3, 4, 4]);
    expect(shadeOf({ estimatedRows: 0 }, 0)).toBe(0);
  });

  it('is formatted in full, in UTC', () => {
    expect(formatDay('2026-11-21')).toBe('Sat, 21 Nov 2026');
  });
});

it('labels a table by its data class, and by its name without one', () => {
  expect(labelOf('delivery_attempts_failed')).toBe('Failed attempts');
  expect(labelOf('constructor_p')).toBe('constructor_p');
});
