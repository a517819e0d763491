import { expect, it } from 'vitest';
import { retryFilterReason } from './retry-filter-reason';

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
