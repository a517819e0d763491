import { HOUR_MS, SECOND_MS } from '@/lib/platform/clock';

/** Retries come up to 10 % late (CONTRACT 5): most of that spreads them, the rest is left for a queue to be emptied. */
const MAX_JITTER = 0.08;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;
const STATUSES_WITH_RETRY_AFTER: ReadonlySet<number | null> = new Set([429, 503]);

interface FailedAttempt {
  /** Seconds before each retry: the endpoint's own schedule, else the deployment's. */
  scheduleSeconds: readonly number[];
  /** Attempts since the delivery was made or last retried by hand, this one included. */
  attempts: number;
  responseStatus: number | null;
  /** The answer's Retry-After, as sent. */
  retryAfter: string | null;
  now: Date;
  /** From 0 to 1. */
  random: number;
}

/**
 * Milliseconds until the next attempt, or null when the schedule is spent. Up to 10 % later than the schedule says, never
 * earlier; a Retry-After of 429 or 503 that is longer takes its place, up to 24 hours.
 */
export function nextRetryMs(failed: FailedAttempt): number | null {
  const seconds = failed.scheduleSeconds[failed.attempts - 1];
  if (seconds === undefined) return null;
  const scheduledMs = Math.ceil(seconds * SECOND_MS * (1 + MAX_JITTER * failed.random));
  if (!STATUSES_WITH_RETRY_AFTER.has(failed.responseStatus)) return scheduledMs;
  return Math.max(scheduledMs, Math.min(retryAfterMs(failed.retryAfter, failed.now), LONGEST_RETRY_AFTER_MS));
}

/** Milliseconds that a Retry-After asks for: whole seconds or an HTTP date (RFC 9110, 10.2.3); 0 for anything else. */
function retryAfterMs(value: string | null, now: Date): number {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS;
  // Dates only: Date.parse would read a stray "-5" as a year.
  const at = /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}
