import type { DeviceCodes, SignedIn } from '@/lib/auth/schema';
import { CliError, EXIT } from '@/lib/cli/cli-error';
import { isApiError, NetworkError } from '@/lib/client';

const DEFAULT_INTERVAL_SECONDS = 5;
const DEFAULT_LIFETIME_SECONDS = 600;
const LONGEST_SECONDS = 3_600;
const SLOW_DOWN_SECONDS = 5;

/** What polling depends on. */
export interface Polling {
  exchange(): Promise<SignedIn>;
  /** Waits some milliseconds; rejects when the command is stopped. */
  sleep(ms: number): Promise<void>;
  /** Milliseconds of a clock that only moves forward. */
  now(): number;
}

/**
 * Polls until a person has decided, as RFC 8628 section 3.5 says: at the interval of the server, and 5 s slower after each
 * slow_down. A server that cannot be reached is asked again.
 * @throws CliError when the sign-in is denied, or the codes expire first
 */
export async function waitForApproval(
  codes: Pick<DeviceCodes, 'interval' | 'expiresIn'>,
  { exchange, sleep, now }: Polling,
): Promise<SignedIn> {
  const deadline = now() + secondsOf(codes.expiresIn, DEFAULT_LIFETIME_SECONDS) * 1000;
  let seconds = secondsOf(codes.interval, DEFAULT_INTERVAL_SECONDS);
  for (;;) {
    if (now() + seconds * 1000 >= deadline) throw expired();
    await sleep(seconds * 1000);
    try {
      return await exchange();
    } catch (error) {
      seconds = nextInterval(error, seconds);
    }
  }
}

/** @throws the error when it is final */
function nextInterval(error: unknown, seconds: number): number {
  if (isApiError(error, 'slow_down')) return seconds + SLOW_DOWN_SECONDS;
  if (isApiError(error, 'access_denied')) throw notApproved('The sign-in was denied in the browser.', error.code);
  if (isApiError(error, 'expired_token')) throw expired();
  // The response to an earlier poll was lost: it had the tokens.
  if (isApiError(error, 'invalid_grant')) throw notApproved('The code was already used.', error.code);
  if (isApiError(error, 'authorization_pending') || error instanceof NetworkError) return seconds;
  // A server that restarts, or has too much to do.
  if (isApiError(error) && [429, 502, 503, 504].includes(error.status)) {
    return Math.max(seconds, secondsOf(error.retryAfterSeconds ?? 0, seconds));
  }
  throw error;
}

/** Returns a number that a timer can wait: a server may send anything. */
function secondsOf(value: number, fallback: number): number {
  return typeof value === 'number' && value >= 1 ? Math.min(value, LONGEST_SECONDS) : fallback;
}

function expired(): CliError {
  return notApproved('The code expired before it was approved.', 'expired_token');
}

function notApproved(message: string, code: string): CliError {
  return new CliError(message, code, { exitCode: EXIT.notSignedIn, next: 'eds login' });
}
