import type { OperatorCaller } from '@/lib/audit/caller';
import type { ClientInfo } from '@/lib/platform/client-info';
import { config } from '@/lib/platform/config/config';
import { constantTimeEqual } from '@/lib/platform/crypto';
import { AppError } from '@/lib/platform/errors';
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
export async function authenticateOperator(token: string | null, client: ClientInfo): Promise<OperatorCaller> {
  const expected = config().PLATFORM_ADMIN_TOKEN;
  if (expected === undefined) throw new AppError('not_found', 'There is nothing at this path.');
  // Before the limit: an operator who shares an IP address with a guesser still gets in.
  if (constantTimeEqual(token ?? '', expected)) return { type: 'operator', client };
  if (token) await limitGuesses(token, client);
  throw new AppError('invalid_admin_token', 'Send the operator token in X-Platform-Admin-Token.');
}

/**
 * A repeated wrong token counts once: it tells a guesser nothing new, and a script with an outdated token repeats it
 * often. The limit per IP address comes first, so that a guesser stores no more rows than the address has guesses.
 */
async function limitGuesses(token: string, client: ClientInfo): Promise<void> {
  const ipAddress = client.ipAddress ?? 'unknown';
  const ofIp = { name: 'operator-ip', key: ipAddress, points: GUESSES, windowSeconds: WINDOW_SECONDS };
  await refuseBeyondRateLimit(ofIp, client);
  const ofToken = { name: 'operator-token', key: `${ipAddress} ${token}`, points: 1, windowSeconds: WINDOW_SECONDS };
  if ((await consumeRateLimit(ofToken)).allowed) await enforceRateLimits([ofIp], client);
}
