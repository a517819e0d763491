import type { JudgedLimit, JudgedLimits } from '@/lib/platform/judged-limits';

/**
 * The headers that tell a client how it stands with the rate limits that its request was judged by, whatever the answer is
 * (draft-ietf-httpapi-ratelimit-headers): every policy, and of the limits those with the least left.
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
