import { describe, expect, it } from 'vitest';
import type { Attempt } from '@/lib/delivery/schema';
import { countRemoved, delayBeforeMs } from './attempt-list';

const at = (attemptNumber: number, time: string) =>
  ({ attemptNumber, startedAt: `2026-11-23T${time}.000Z` }) as Attempt;

const STARTED_AT = '2026-11-23T11:59:58.000Z';

it('an attempt follows the one before it, and the first one the request, after a delay', () => {
  const attempts = [at(3, '12:05:05'), at(2, '12:00:05'), at(1, '12:00:00')];
  expect(attempts.map((_, index) => delayBeforeMs(attempts, index, STARTED_AT))).toEqual([300_000, 5_000, 2_000]);
});

it('the first attempt follows a request at once that a clock ahead of its own has dated', () => {
  expect(delayBeforeMs([at(1, '11:59:57')], 0, STARTED_AT)).toBe(0);
});

it('has no delay when the attempt before it was removed or is not loaded', () => {
  const attempts = [at(5, '12:05:05'), at(3, '12:00:05')];
  expect(attempts.map((_, index) => delayBeforeMs(attempts, index, STARTED_AT))).toEqual([null, null]);
});

const list = (length: number, { hasMore = false, isValidating = false } = {}) => ({
  rows: Array.from({ length }, () => ({}) as Attempt),
  hasMore,
  isValidating,
});
const ended = { status: 'FAILED', attemptCount: 12, storedAttempts: 12 } as const;

describe('countRemoved', () => {
  it('counts from the list once it is complete, whatever the delivery says', () => {
    expect(countRemoved(ended, list(10))).toBe(2);
    expect(countRemoved(ended, list(0))).toBe(12);
    expect(countRemoved(ended, list(12))).toBe(0);
  });

  it('uses what the delivery says while the list is missing, incomplete or reloading', () => {
    const said = { ...ended, storedAttempts: 11 };
    expect(countRemoved(said, { rows: undefined, hasMore: false, isValidating: true })).toBe(1);
    expect(countRemoved(said, list(5, { hasMore: true }))).toBe(1);
    expect(countRemoved(said, list(5, { isValidating: true }))).toBe(1);
  });

  it('counts none for a pending delivery whose last attempt is not in the list yet', () => {
    expect(countRemoved({ status: 'PENDING', attemptCount: 3, storedAttempts: 3 }, list(2))).toBe(0);
  });
});
