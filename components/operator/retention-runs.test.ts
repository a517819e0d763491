import { describe, expect, it } from 'vitest';
import { describeWork } from './retention-runs';

describe('what a run did', () => {
  const endedAt = '2026-03-01T02:00:01.000Z';
  const nothing = { partitionsCreated: 0, partitionsDropped: 0, rowsRemoved: {} };

  it('is said in counts, and leaves out what it did not do', () => {
    const run = { endedAt, partitionsCreated: 1, partitionsDropped: 2, rowsRemoved: { events: 1200, outbox: 0 } };
    expect(describeWork(run)).toBe('1 partition made, 2 partitions dropped, 1,200 of events removed');
  });

  it('is said to be nothing when it was', () => {
    expect(describeWork({ ...nothing, endedAt })).toBe('nothing to do');
  });

  it('is never said to be nothing to do before the run has ended', () => {
    expect(describeWork({ ...nothing, endedAt: null })).toBe('nothing done yet');
  });
});
