import type { OperatorCaller } from '@/lib/audit/caller';
import { config } from '@/lib/platform/config/config';
import { constantTimeEqual } from '@/lib/platform/crypto';
import { AppError } from '@/lib/platform/errors';
import type { Origin } from '@/lib/platform/origin';
import { consumeRateLimit, enforceRateLimits, refuseBeyondRateLimit } from '@/lib/platform/rate-limit';

const WINDOW_SECONDS = 60;
/** Different wrong tokens from one IP in a minute. */
const GUESSES = 20;

/**
 * Lets the operator in by PLATFORM_ADMIN_TOKEN, and by nothing else (spec 5.6): credentials of people and servers that
 * come beside it are not looked at.
 *
 * @throws AppError not_found while the variable is empty, as for a path that does not exist; invalid_admin_token;
 *   rate_limited for more than GUESSES different wrong tokens a minute from one IP
 */
export async function authenticateOperator(token: string | null, origin: Origin): Promise<OperatorCaller> {
  const expected = config().PLATFORM_ADMIN_TOKEN;
  if (expected === undefined) throw new AppError('not_found', 'There is nothing at this path.');
  // Judged before the limit: behind one address with a guesser, the operator still gets in.
  if (constantTimeEqual(token ?? '', expected)) return { type: 'operator', origin };
  if (token) await limitGuesses(token, origin);
  throw new AppError('invalid_admin_token', 'Send the token of the operator in X-Platform-Admin-Token.');
}

/**
 * The same wrong token again tells a guesser nothing new, and a program that was given a stale one asks often: it counts once.
 * The IP is judged first, so that a stranger's tokens make no more rows than the IP has guesses.
 */
async function limitGuesses(token: string, origin: Origin): Promise<void> {
  const ipAddress = origin.ipAddress ?? 'unknown';
  const ofIp = { name: 'operator-ip', key: ipAddress, points: GUESSES, windowSeconds: WINDOW_SECONDS };
  await refuseBeyondRateLimit(ofIp, origin);
  const ofToken = { name: 'operator-token', key: `${ipAddress} ${token}`, points: 1, windowSeconds: WINDOW_SECONDS };
  if ((await consumeRateLimit(ofToken)).allowed) await enforceRateLimits([ofIp], origin);
}
