import type { OperatorCaller } from '@/lib/audit/caller';
import { config } from '@/lib/platform/config/config';
import { constantTimeEqual } from '@/lib/platform/crypto';
import { AppError } from '@/lib/platform/errors';
import type { Origin } from '@/lib/platform/origin';
import { consumeRateLimit, enforceRateLimits, refuseBeyondRateLimit } from '@/lib/platform/rate-limit';

const WINDOW_SECONDS = 60;
/** Different wrong tokens that one IP address may send in a window. */
const GUESSES = 20;

/**
 * Authenticates the operator by PLATFORM_ADMIN_TOKEN alone; an access token or API key in the request is ignored.
 *
 * @throws AppError not_found while the variable is unset, as for an unknown path; invalid_admin_token;
 *   rate_limited for more than GUESSES different wrong tokens in a minute from one IP address
 */
export async function authenticateOperator(token: string | null, origin: Origin): Promise<OperatorCaller> {
  const expected = config().PLATFORM_ADMIN_TOKEN;
  if (expected === undefined) throw new AppError('not_found', 'There is nothing at this path.');
  // Before the limit: an operator who shares an IP address with a guesser still gets in.
  if (constantTimeEqual(token ?? '', expected)) return { type: 'operator', origin };
  if (token) await limitGuesses(token, origin);
  throw new AppError('invalid_admin_token', 'Send the operator token in X-Platform-Admin-Token.');
}

/**
 * A repeated wrong token counts once: it tells a guesser nothing new, and a script with an outdated token repeats it
 * often. The limit per IP address comes first, so that a guesser stores no more rows than the address has guesses.
 */
async function limitGuesses(token: string, origin: Origin): Promise<void> {
  const ipAddress = origin.ipAddress ?? 'unknown';
  const ofIp = { name: 'operator-ip', key: ipAddress, points: GUESSES, windowSeconds: WINDOW_SECONDS };
  await refuseBeyondRateLimit(ofIp, origin);
  const ofToken = { name: 'operator-token', key: `${ipAddress} ${token}`, points: 1, windowSeconds: WINDOW_SECONDS };
  if ((await consumeRateLimit(ofToken)).allowed) await enforceRateLimits([ofIp], origin);
}
