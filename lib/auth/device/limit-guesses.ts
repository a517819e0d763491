import type { PersonCaller } from '@/lib/audit/caller';
import { notFound } from '@/lib/platform/errors';
import { enforceRateLimits, refundRateLimits } from '@/lib/platform/rate-limit';

const WRONG_BY_PERSON = { name: 'device-guess', points: 10, windowSeconds: 600 };
const WRONG_BY_IP = { name: 'device-guess-ip', points: 50, windowSeconds: 600 };

/**
 * Looks up a user code within the limits for wrong codes: 10 in 10 minutes per person, 50 per IP address (RFC 8628
 * section 5.1). A try is counted before the lookup, so parallel tries cannot pass the limit; a right code is
 * refunded.
 *
 * @param find returns null when no pending request has the code
 * @throws AppError not_found, rate_limited
 */
export async function limitGuesses<T>(caller: PersonCaller, find: () => Promise<T | null>): Promise<T> {
  const byPerson = { ...WRONG_BY_PERSON, key: caller.userId };
  const byIp = { ...WRONG_BY_IP, key: caller.client.ipAddress ?? 'unknown' };
  await enforceRateLimits([byPerson, byIp], caller.client);
  const found = await find();
  if (found === null) throw notFound('device code, or it was used or has expired');
  await refundRateLimits([byPerson, byIp], caller.client);
  return found;
}
