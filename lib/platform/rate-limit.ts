import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import { SECOND_MS } from '@/lib/platform/clock';
import { database, type Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { deleteCount, limiterClient, refundAttempts } from '@/lib/platform/rate-limit-sql';
import { type CheckedRateLimits, refundRateLimitState, setRateLimitState } from './client-info';
import { type Limit, storedRateLimitKey } from './count-in-transaction';

type RateLimitVerdict = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/**
 * Counts an attempt, even if it is refused, atomically across processes: the count is one row of `rate_limits`.
 * A database error is thrown and never counts as allowed.
 *
 * @param request collects the limit for the response headers; omitted if the client must not know of the limit
 * @returns if refused, the seconds (an integer, at least 1) after which an attempt passes
 */
export async function consumeRateLimit(limit: Limit, request?: CheckedRateLimits): Promise<RateLimitVerdict> {
  const { consumedPoints, msBeforeNext } = await consume(limit, request);
  if (consumedPoints <= limit.points) return { allowed: true };
  return { allowed: false, retryAfterSeconds: toWaitSeconds(msBeforeNext) };
}

/**
 * Counts an attempt against the limits in order, up to the one that refuses it: attempts that are refused by their IP
 * address must not use up the limit of an account.
 * @throws AppError rate_limited when one is exceeded, with the wait after which an attempt passes all of them
 */
export async function enforceRateLimits(limits: readonly Limit[], request?: CheckedRateLimits): Promise<void> {
  for (const limit of limits) {
    const { consumedPoints, msBeforeNext } = await consume(limit, request);
    if (consumedPoints <= limit.points) continue;
    // A limit that is used up, also by this attempt, would refuse the next one.
    const waits = await Promise.all(limits.map((each) => msUntilNotSpent(each)));
    throw rateLimited(toWaitSeconds(Math.max(msBeforeNext, ...waits)));
  }
}

function rateLimited(retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', 'Too many attempts. Wait before the next one.', { retryAfterSeconds });
}

/**
 * Checks whether an attempt would pass, without counting it.
 * @throws AppError rate_limited when it would not
 */
export async function refuseBeyondRateLimit(limit: Limit, request?: CheckedRateLimits): Promise<void> {
  const waitMs = await msUntilNotSpent(limit, request);
  if (waitMs > 0) throw rateLimited(toWaitSeconds(waitMs));
}

async function msUntilNotSpent(limit: Limit, request?: CheckedRateLimits): Promise<number> {
  const count = await limiter(limit).get(storedRateLimitKey(limit));
  reportState(request, limit, count ?? { consumedPoints: 0, msBeforeNext: limit.windowSeconds * SECOND_MS });
  return count !== null && count.consumedPoints >= limit.points ? count.msBeforeNext : 0;
}

/** Subtracts a counted attempt that turned out not to need a limit, such as a successful one. */
export async function refundRateLimits(
  limits: readonly Pick<Limit, 'name' | 'key'>[],
  request?: CheckedRateLimits,
): Promise<void> {
  await refundAttempts.run(database(), { keys: limits.map(storedRateLimitKey) });
  if (request !== undefined) for (const { name } of limits) refundRateLimitState(request, name);
}

/** Forgets the attempts of a key: the next one begins a window. */
export async function forgetAttempts(sql: Sql, limit: Pick<Limit, 'name' | 'key'>): Promise<void> {
  await deleteCount.run(sql, { key: storedRateLimitKey(limit) });
}

type Count = Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>;

async function consume(limit: Limit, request?: CheckedRateLimits): Promise<Count> {
  const count = await limiter(limit)
    .consume(storedRateLimitKey(limit))
    .catch((refusal: unknown) => {
      // The library rejects with the count if the limit is exceeded, and with an Error if the database failed.
      if (refusal instanceof Error) throw refusal;
      return refusal as RateLimiterRes;
    });
  reportState(request, limit, count);
  return count;
}

function reportState(
  request: CheckedRateLimits | undefined,
  limit: Limit,
  { consumedPoints, msBeforeNext }: Count,
): void {
  const { name, points, windowSeconds, isDiscreet = false } = limit;
  if (request === undefined || (isDiscreet && consumedPoints <= points)) return;
  const resetSeconds = toWaitSeconds(msBeforeNext);
  setRateLimitState(request, { name, points, windowSeconds, consumed: consumedPoints, resetSeconds });
}

function limiter({ points, windowSeconds }: Limit): RateLimiterPostgres {
  return once(
    `rate-limiter.${points}.${windowSeconds}`,
    () =>
      new RateLimiterPostgres({
        storeClient: limiterClient,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        // This would be a timer in every process. The retention process deletes expired rows.
        clearExpiredByTimeout: false,
        keyPrefix: '',
        points,
        duration: windowSeconds,
      }),
  );
}

function toWaitSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / SECOND_MS));
}
