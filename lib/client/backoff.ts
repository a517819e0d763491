const BASE_MS = 500;
/** The longest backoff, in milliseconds. */
export const MAX_BACKOFF_MS = 8_000;
/** The longest Retry-After that a call waits for, in milliseconds. */
export const MAX_RETRY_AFTER_MS = 60_000;

interface Wait {
  /** Retries so far. */
  retries: number;
  retryAfterSeconds: number | null;
  /** From 0 to 1. */
  random: number;
}

/**
 * Returns the milliseconds to wait before a retry: exponential backoff with full jitter, after the Retry-After of the response.
 * Null when the server asks to wait longer than MAX_RETRY_AFTER_MS: an earlier retry would only be rejected again.
 */
export function retryDelayMs({ retries, retryAfterSeconds, random }: Wait): number | null {
  const backoffMs = Math.floor(random * Math.min(MAX_BACKOFF_MS, BASE_MS * 2 ** retries));
  const askedMs = (retryAfterSeconds ?? 0) * 1000;
  return askedMs > MAX_RETRY_AFTER_MS ? null : askedMs + backoffMs;
}
