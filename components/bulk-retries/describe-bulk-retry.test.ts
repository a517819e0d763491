import { expect, it } from 'vitest';
import type { BulkRetry } from '@/lib/delivery/schema';
import {
  describeDeliveries,
  describeMatching,
  describeSkipped,
  percentOf,
  rateOf,
  retryFilterReason,
} from './describe-bulk-retry';

const NONE = { pending: 0, disabled: 0, deleted: 0, gone: 0 };
const RUNNING: BulkRetry = {
  id: 'id',
  status: 'RUNNING',
  filter: {},
  total: 1000,
  retried: 400,
  skipped: NONE,
  failedTries: 0,
  error: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  completedAt: null,
};

it('names how many deliveries there are', () => {
  expect([describeDeliveries(1), describeDeliveries(4312)]).toEqual(['1 delivery', '4,312 deliveries']);
  expect(describeMatching({ count: 4312, isExact: true })).toBe('4,312 matching');
  expect(describeMatching({ count: 100_000, isExact: false })).toBe('100,000+ matching');
  expect(describeMatching(undefined)).toBe('matching');
});

it('says why deliveries were skipped, and nothing when none was', () => {
  expect(describeSkipped({ skipped: NONE })).toBeUndefined();
  expect(describeSkipped({ skipped: { ...NONE, disabled: 1200, gone: 1 } })).toBe(
    'Skipped: 1,200 to a paused or disabled endpoint or destination, 1 no longer there or no longer matching.',
  );
});

it('counts skipped deliveries as progress, and a completed one as full', () => {
  expect(percentOf({ ...RUNNING, skipped: { ...NONE, disabled: 100 } })).toBe(50);
  expect(percentOf({ ...RUNNING, status: 'COMPLETED', total: 0 })).toBe(100);
  expect(percentOf({ ...RUNNING, status: 'CANCELED' })).toBe(40);
});

it('measures the rate until it ends', () => {
  expect(rateOf(RUNNING, new Date('2026-01-01T00:00:02Z'))).toBe(200);
  expect(rateOf({ ...RUNNING, completedAt: '2026-01-01T00:00:04Z' }, new Date('2026-01-02T00:00:00Z'))).toBe(100);
  expect(rateOf(RUNNING, new Date('2026-01-01T00:00:00.500Z'))).toBeUndefined();
});

it('asks for a state that can be retried', () => {
  expect(retryFilterReason(undefined, undefined)).toContain('Choose the state');
  expect(retryFilterReason('QUEUED', { count: 3, isExact: true })).toContain('sent anyway');
  expect(retryFilterReason('RETRYING', { count: 3, isExact: true })).toBeUndefined();
  expect(retryFilterReason('FAILED', { count: 3, isExact: true })).toBeUndefined();
  expect(retryFilterReason('SUCCEEDED', undefined)).toBeUndefined();
});

it('refuses nothing and too many', () => {
  expect(retryFilterReason('FAILED', { count: 0, isExact: true })).toBe('No delivery matches.');
  expect(retryFilterReason('FAILED', { count: 100_000, isExact: false })).toContain('shorter time');
});
