import { describe, expect, it } from 'vitest';
import { describeRun } from './retention-runs';

describe('what a run did', () => {
  const endedAt = '2026-03-01T02:00:01.000Z';
  const nothing = { job: 'main', partitionsCreated: 0, partitionsDropped: 0, rowsRemoved: {} } as const;

  it('is said in counts, and leaves out what it did not do', () => {
    const run = {
      ...nothing,
      endedAt,
      partitionsCreated: 1,
      partitionsDropped: 2,
      rowsRemoved: { events: 1200, outbox: 0 },
    };
    expect(describeRun(run)).toBe('1 partition made, 2 partitions dropped, 1,200 of events removed');
  });

  it('is said to be nothing when it was', () => {
    expect(describeRun({ ...nothing, endedAt })).toBe('nothing to do');
  });

  it('of the metrics job is that it noted the sizes, beside the partitions it made, once it has ended', () => {
    const run = { ...nothing, job: 'metrics', endedAt } as const;
    expect(describeRun(run)).toBe('sizes noted');
    expect(describeRun({ ...run, partitionsCreated: 3 })).toBe('3 partitions made, sizes noted');
    expect(describeRun({ ...run, endedAt: null })).toBe('nothing done yet');
  });

  it('is never said to be nothing to do before the run has ended', () => {
    expect(describeRun({ ...nothing, endedAt: null })).toBe('nothing done yet');
  });
});
