import { expect, it } from 'vitest';
import { RESPONSE_TIMEOUT_MS } from '@/lib/platform/net/failure-reason';
import { attemptQuantilesOf, BUCKET_BOUNDS_MS } from './sum-stats';

it('no quantile of attempts is above their timeout', () => {
  const bucket = BUCKET_BOUNDS_MS.findIndex((bound) => bound > RESPONSE_TIMEOUT_MS);
  const timeouts = [...Array(bucket).fill(0), 36];
  expect(attemptQuantilesOf([timeouts, null, timeouts])?.p95Ms).toBeLessThanOrEqual(RESPONSE_TIMEOUT_MS);
});
