import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { recordTimelyPoll, slowDownPolls } from './device-sql';

/** Each early poll adds this to the interval, permanently (RFC 8628 section 3.5). */
const SLOW_DOWN_SECONDS = 5;
/** The lifetime of a code: a longer interval would have no effect. */
const MAX_INTERVAL_SECONDS = 600;

/**
 * Records a poll for a code that is not decided yet.
 * @returns the error to send: authorization_pending, or slow_down with the new `interval` in seconds
 */
export async function recordPoll(codeId: string): Promise<AppError> {
  const isInTime = (await recordTimelyPoll.run(database(), codeId)) === 1;
  if (isInTime) return pending();
  const slowed = await slowDownPolls.first(database(), codeId, SLOW_DOWN_SECONDS, MAX_INTERVAL_SECONDS);
  // Decided since it was read: the next poll gets the decision.
  if (slowed === undefined) return pending();
  const interval = slowed.interval_seconds;
  return new AppError('slow_down', `Polled too soon. Wait ${interval} seconds before each poll.`, {
    extra: { interval },
  });
}

function pending(): AppError {
  return new AppError('authorization_pending', 'Nobody has approved this code yet. Poll again after the interval.');
}
