import { describe, expect, it } from 'vitest';
import { describeWork } from './retention-runs';

describe('what a run did', () => {
  it('is said in counts, and leaves out what it did not do', () => {
    const run = { partitionsCreated: 1, partitionsDropped: 2, rowsRemoved: { events: 1200, outbox: 0 } };
    expect(describeWork(run)).toBe('1 partition made, 2 partitions dropped, 1,200 of events removed');
  });

  it('is said to be nothing when it was', () => {
    expect(describeWork({ partitionsCreated: 0, partitionsDropped: 0, rowsRemoved: {} })).toBe('nothing to do');
  });
});
