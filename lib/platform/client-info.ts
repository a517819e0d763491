import type { JudgedLimits } from './judged-limits';

/** The client of a request, as the audit log and the session list record it, and the rate limits that judged the request. */
export interface ClientInfo extends JudgedLimits {
  ipAddress: string | null;
  userAgent: string | null;
  /** Returns a signal that aborts when the client disconnects before it has the response. */
  disconnectSignal?(): AbortSignal;
}
