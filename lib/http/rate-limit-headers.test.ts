import { describe, expect, it } from 'vitest';
import {
  type CheckedRateLimits,
  type RateLimitState,
  refundRateLimitState,
  setRateLimitState,
} from '@/lib/platform/client-info';
import { rateLimitHeaders } from './rate-limit-headers';

const limit = (overrides: Partial<RateLimitState>): RateLimitState => ({
  name: 'login-ip',
  points: 10,
  windowSeconds: 60,
  consumed: 1,
  resetSeconds: 42,
  ...overrides,
});

function headersOf(...limits: RateLimitState[]) {
  const request: CheckedRateLimits = {};
  for (const each of limits) setRateLimitState(request, each);
  return rateLimitHeaders(request);
}

describe('the RateLimit headers', () => {
  it('are absent when no limit was checked', () => {
    expect(rateLimitHeaders({})).toBeUndefined();
  });

  it('contain the policy, the remaining quota, and the seconds until it resets', () => {
    expect(headersOf(limit({}))).toEqual({
      'RateLimit-Policy': '"login-ip";q=10;w=60',
      RateLimit: '"login-ip";r=9;t=42',
    });
  });

  it('list every policy, and the limit with the least quota left', () => {
    expect(headersOf(limit({}), limit({ name: 'login-address', points: 5, consumed: 3, resetSeconds: 7 }))).toEqual({
      'RateLimit-Policy': '"login-ip";q=10;w=60, "login-address";q=5;w=60',
      RateLimit: '"login-address";r=2;t=7',
    });
  });

  it('list all limits that are equally low', () => {
    const headers = headersOf(limit({}), limit({ name: 'login-address', resetSeconds: 60 }));
    expect(headers?.RateLimit).toBe('"login-ip";r=9;t=42, "login-address";r=9;t=60');
  });

  it('report 0 for an exceeded limit', () => {
    expect(headersOf(limit({ consumed: 13 }))?.RateLimit).toBe('"login-ip";r=0;t=42');
  });

  it('report the latest state of a limit that was checked twice, or refunded', () => {
    expect(headersOf(limit({}), limit({ consumed: 4, resetSeconds: 41 }))?.RateLimit).toBe('"login-ip";r=6;t=41');
    const request: CheckedRateLimits = { rateLimits: [limit({ consumed: 4 })] };
    refundRateLimitState(request, 'login-ip');
    refundRateLimitState(request, 'another');
    expect(rateLimitHeaders(request)?.RateLimit).toBe('"login-ip";r=7;t=42');
  });
});
