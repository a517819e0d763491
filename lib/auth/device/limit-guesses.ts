import type { PersonCaller } from '@/lib/audit/caller';
import { notFound } from '@/lib/platform/errors';
import { enforceRateLimits, refundRateLimits } from '@/lib/platform/rate-limit';

const WRONG_BY_PERSON = { name: 'device-guess', points: 10, windowSeconds: 600 };
const WRONG_BY_IP = { name: 'device-guess-ip', points: 50, windowSeconds: 600 };

/**
 * Looks a user code up for a person, who may be wrong 10 times in 10 minutes, and 50 times from one IP address whoever
 * they are (RFC 8628 section 5.1). A try is counted before it is looked up, so that of many at once no more than that are
 * judged, and taken off again when the code was right.
 *
 * @param find null when the code names nothing that waits for a decision
 * @throws AppError not_found, rate_limited
 */
export async function limitGuesses<T>(caller: PersonCaller, find: () => Promise<T | null>): Promise<T> {
  const byPerson = { ...WRONG_BY_PERSON, key: caller.userId };
  const byIp = { ...WRONG_BY_IP, key: caller.origin.ipAddress ?? 'unknown' };
  await enforceRateLimits([byPerson, byIp], caller.origin);
  const found = await find();
  if (found === null) throw notFound('device code, or it was used or has expired');
  await refundRateLimits([byPerson, byIp], caller.origin);
  return found;
}
