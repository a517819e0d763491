import type { JudgedLimit, JudgedLimits } from '@/lib/platform/judged-limits';

/**
 * Returns the headers that report the rate limits that were checked for a request (draft-ietf-httpapi-ratelimit-headers):
 * all policies, and the limits with the least quota left. They are sent with every status.
 */
export function rateLimitHeaders({ judgedLimits }: JudgedLimits): Record<string, string> | undefined {
  if (judgedLimits === undefined) return undefined;
  const least = Math.min(...judgedLimits.map(remaining));
  const tightest = judgedLimits.filter((limit) => remaining(limit) === least);
  return {
    'RateLimit-Policy': judgedLimits
      .map(({ name, points, windowSeconds }) => `"${name}";q=${points};w=${windowSeconds}`)
      .join(', '),
    RateLimit: tightest.map(({ name, resetSeconds }) => `"${name}";r=${least};t=${resetSeconds}`).join(', '),
  };
}

function remaining({ points, consumed }: JudgedLimit): number {
  return Math.max(0, points - consumed);
}
