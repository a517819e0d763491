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

/** The client of a request, as the audit log and the session list record it, and the rate limits that counted the request. */
export interface ClientInfo extends CheckedRateLimits {
  ipAddress: string | null;
  userAgent: string | null;
  /** The project that the request was for, once it is known, for the log. */
  projectId?: string;
  /** The owner of the organization that a body is for, if it is known before the body is read. */
  ownerId?: string;
  /** The W3C trace context of the request: that of its span while tracing is on, else the caller's; null without one. */
  traceparent?: string | null;
  /** Returns a signal that aborts when the client disconnects before it has the response. */
  disconnectSignal?(): AbortSignal;
}
