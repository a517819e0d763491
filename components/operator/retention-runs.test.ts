import { describe, expect, it } from 'vitest';
import { describeRun } from './retention-runs';

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
