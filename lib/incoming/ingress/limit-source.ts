import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';

const WINDOW_SECONDS = 60;

/**
 * Counts a request to a source. Each web process counts for itself: a shared count would cost a statement for each request.
 * @throws AppError rate_limited beyond SOURCE_REQUESTS_PER_MINUTE
 */
export async function limitSource(sourceId: string): Promise<void> {
  const points = config().SOURCE_REQUESTS_PER_MINUTE;
  const limiter = once('source-limiter', () => new RateLimiterMemory({ points, duration: WINDOW_SECONDS }));
  try {
    await limiter.consume(sourceId);
  } catch (refusal) {
    if (!isRefusal(refusal)) throw refusal;
    throw new AppError('rate_limited', 'This source gets too many requests. Send this one again later.', {
      retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / SECOND_MS)),
    });
  }
}

/** Not by its class: the limiter may belong to the other copy of lib/ in the web process. */
function isRefusal(thrown: unknown): thrown is RateLimiterRes {
  return typeof thrown === 'object' && thrown !== null && 'msBeforeNext' in thrown;
}
