import type { CheckedRateLimits, RateLimitState } from '@/lib/platform/client-info';

/**
 * Returns the headers that report the rate limits that were checked for a request (draft-ietf-httpapi-ratelimit-headers):
 * all policies, and the limits with the least quota left. They are sent with every status.
 */
export function rateLimitHeaders({ rateLimits }: CheckedRateLimits): Record<string, string> | undefined {
  if (rateLimits === undefined) return undefined;
  const least = Math.min(...rateLimits.map(remaining));
  const tightest = rateLimits.filter((limit) => remaining(limit) === least);
  return {
    'RateLimit-Policy': rateLimits
      .map(({ name, points, windowSeconds }) => `"${name}";q=${points};w=${windowSeconds}`)
      .join(', '),
    RateLimit: tightest.map(({ name, resetSeconds }) => `"${name}";r=${least};t=${resetSeconds}`).join(', '),
  };
}

function remaining({ points, consumed }: RateLimitState): number {
  return Math.max(0, points - consumed);
}
