import { config } from '@/lib/platform/config/config';
import type { Origin } from '@/lib/platform/origin';
import { enforceRateLimits } from '@/lib/platform/rate-limit';

const WINDOW_SECONDS = 60;

/**
 * Counts a sign-in attempt per IP and then per folded address (spec 5.3): every one, whatever becomes of it. One that is
 * refused for its IP does not count for the address, else one client could keep any number of people out.
 * The count per address appears in an answer only when it refuses: it would tell a stranger when somebody signs in.
 * @throws AppError rate_limited beyond AUTH_RATE_LIMIT_LOGIN_PER_MINUTE of either
 */
export function enforceLoginRateLimit(origin: Origin, email: string): Promise<void> {
  const limit = { points: config().AUTH_RATE_LIMIT_LOGIN_PER_MINUTE, windowSeconds: WINDOW_SECONDS };
  return enforceRateLimits(
    [
      { ...limit, name: 'login-ip', key: origin.ipAddress ?? 'unknown' },
      { ...limit, name: 'login-address', key: email, isDiscreet: true },
    ],
    origin,
  );
}
