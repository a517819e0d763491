import { describe, expect, it } from 'vitest';
import type { PartitionDay } from '@/lib/admin/schema';
import { isIdOrEmpty, NO_FILTERS, toQuery } from './audit-panel';
import { dayColumnsOf, formatDay, labelOf, monthsOf, shadeOf } from './partition-map';
import { describeRun } from './retention-jobs';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('toQuery', () => {
  it('filters nothing while no filter is set', () => {
    expect(Object.values(toQuery(NO_FILTERS))).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it('filters by an id only when it is complete', () => {
    expect(toQuery({ ...NO_FILTERS, actorId: ID.slice(0, -1) }).actorId).toBeUndefined();
    expect(toQuery({ ...NO_FILTERS, actorId: ` ${ID} `, organizationId: ID })).toMatchObject({
      actorId: ID,
      organizationId: ID,
    });
    expect([isIdOrEmpty(''), isIdOrEmpty(ID), isIdOrEmpty('x')]).toEqual([true, true, false]);
  });

  it('reads local times, to the end of the named minute', () => {
    const { from, to } = toQuery({ ...NO_FILTERS, from: '2026-11-21T03:00', to: '2026-11-21T04:00' });
    expect(from).toBe(new Date('2026-11-21T03:00').toISOString());
    expect(to).toBe(new Date('2026-11-21T04:00:59.999').toISOString());
  });

  it('ignores a time that the API does not accept', () => {
    expect(toQuery({ ...NO_FILTERS, from: '0001-01-01T00:00', to: '275760-01-01T00:00' })).toMatchObject({
      from: undefined,
      to: undefined,
    });
  });
});

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

describe('describeRun', () => {
  const endedAt = '2026-03-01T02:00:01.000Z';
  const nothing = { job: 'main', partitionsCreated: 0, partitionsDropped: 0, rowsRemoved: {} } as const;

  it('lists counts and leaves out zeros', () => {
    const run = {
      ...nothing,
      endedAt,
      partitionsCreated: 1,
      partitionsDropped: 2,
      rowsRemoved: { events: 1200, outbox: 0 },
    };
    expect(describeRun(run)).toBe('1 partition created, 2 partitions dropped, 1,200 rows deleted from events');
  });

  it('says that there was nothing to do', () => {
    expect(describeRun({ ...nothing, endedAt })).toBe('nothing to do');
  });

  it('says that the metrics job recorded sizes only after it has ended', () => {
    const run = { ...nothing, job: 'metrics', endedAt } as const;
    expect(describeRun(run)).toBe('sizes recorded');
    expect(describeRun({ ...run, partitionsCreated: 3 })).toBe('3 partitions created, sizes recorded');
    expect(describeRun({ ...run, endedAt: null })).toBe('nothing done yet');
  });

  it('does not say that there was nothing to do before the run has ended', () => {
    expect(describeRun({ ...nothing, endedAt: null })).toBe('nothing done yet');
  });
});
