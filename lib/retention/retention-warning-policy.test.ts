import { describe, expect, it } from 'vitest';
import { evaluateRetention, type RetainedRecord } from './retention-warning-policy';

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
  it('is growing when it has more rows than a day ago, no row was removed, and its oldest is overdue', () => {
    expect(evaluateRetention(record(), now)).toBe('growing');
  });

  it('is absent for a young deployment, which grows and has nothing to remove', () => {
    expect(evaluateRetention(record({ oldestExpiresAt: ago(-24 * 80) }), now)).toBeNull();
    expect(evaluateRetention(record({ oldestExpiresAt: null }), now)).toBeNull();
  });

  it('is absent until a day after the oldest row expired, since the next run may be a day away', () => {
    expect(evaluateRetention(record({ oldestExpiresAt: ago(24) }), now)).toBeNull();
    expect(evaluateRetention(record({ oldestExpiresAt: new Date(ago(24).getTime() - 1) }), now)).toBe('growing');
  });

  it('is overdue when rows are removed or the table does not grow', () => {
    expect(evaluateRetention(record({ removedSince: 1 }), now)).toBe('overdue');
    expect(evaluateRetention(record({ rows: 1000 }), now)).toBe('overdue');
  });

  it('is not growing without a record', () => {
    expect(evaluateRetention(record({ rowsADayAgo: null }), now)).toBe('overdue');
  });
});
