import type { ClientInfo } from '@/lib/platform/client-info';
import { config } from '@/lib/platform/config/config';
import { enforceRateLimits } from '@/lib/platform/rate-limit';

const WINDOW_SECONDS = 60;

/**
 * Counts every sign-in attempt, whatever its result, per IP address and then per folded email address. An attempt
 * refused for its IP address does not count for the email address, otherwise one client could keep any number of
 * people out. The RateLimit headers show the count per address only when it refuses: the count
 * would reveal when other people sign in.
 * @throws AppError rate_limited beyond AUTH_RATE_LIMIT_LOGIN_PER_MINUTE of either
 */
export function enforceLoginRateLimit(client: ClientInfo, email: string): Promise<void> {
  const limit = { points: config().AUTH_RATE_LIMIT_LOGIN_PER_MINUTE, windowSeconds: WINDOW_SECONDS };
  return enforceRateLimits(
    [
      { ...limit, name: 'login-ip', key: client.ipAddress ?? 'unknown' },
      { ...limit, name: 'login-address', key: email, isDiscreet: true },
    ],
    client,
  );
}
