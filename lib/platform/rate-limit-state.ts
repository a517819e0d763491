/** A rate limit that was checked for a request, with its state afterwards. */
export interface RateLimitState {
  name: string;
  /** Attempts allowed in a window. */
  points: number;
  windowSeconds: number;
  /** Attempts in the current window, including refused ones. */
  consumed: number;
  resetSeconds: number;
}

/** Collects the rate limits that were checked for a request, for the headers of its response. */
export interface CheckedRateLimits {
  rateLimits?: RateLimitState[];
}

/** Adds a limit to those of a request, or replaces its earlier state. */
export function setRateLimitState(to: CheckedRateLimits, state: RateLimitState): void {
  to.rateLimits = [...(to.rateLimits ?? []).filter(({ name }) => name !== state.name), state];
}

/** Subtracts a refunded attempt. */
export function refundRateLimitState(to: CheckedRateLimits, name: string): void {
  to.rateLimits = to.rateLimits?.map((limit) =>
    limit.name === name ? { ...limit, consumed: Math.max(0, limit.consumed - 1) } : limit,
  );
}
