import type { CheckedRateLimits } from './rate-limit-state';

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
