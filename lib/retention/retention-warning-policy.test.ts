import { describe, expect, it } from 'vitest';
import { judgeRetention, type RetainedRecord } from './retention-warning-policy';

const HOUR_MS = 3_600_000;
const now = new Date('2026-11-21T12:00:00Z');
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
const record = (change: Partial<RetainedRecord> = {}): RetainedRecord => ({
  rows: 2000,
  rowsADayAgo: 1000,
  removedSince: 0,
  oldestExpiresAt: ago(25),
  ...change,
});

describe('the warning of a table', () => {
  it('is that it grows, when it has more rows than a day ago, none was removed, and its oldest should be gone', () => {
    expect(judgeRetention(record(), now)).toBe('growing');
  });

  it('is none for a young deployment, which grows with nothing to remove yet', () => {
    expect(judgeRetention(record({ oldestExpiresAt: ago(-24 * 80) }), now)).toBeNull();
    expect(judgeRetention(record({ oldestExpiresAt: null }), now)).toBeNull();
  });

  it('is none until a day after the oldest row expired: the next run has to come round first', () => {
    expect(judgeRetention(record({ oldestExpiresAt: ago(24) }), now)).toBeNull();
    expect(judgeRetention(record({ oldestExpiresAt: new Date(ago(24).getTime() - 1) }), now)).toBe('growing');
  });

  it('is that rows are overdue, when something is removed or the table does not grow', () => {
    expect(judgeRetention(record({ removedSince: 1 }), now)).toBe('overdue');
    expect(judgeRetention(record({ rows: 1000 }), now)).toBe('overdue');
  });

  it('does not speak of growth that nobody has recorded', () => {
    expect(judgeRetention(record({ rowsADayAgo: null }), now)).toBe('overdue');
  });
});
