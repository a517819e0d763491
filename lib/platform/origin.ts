import type { JudgedLimits } from './judged-limits';

/** Where a request came from, as the audit log and the session list record it; and the rate limits that it was judged by. */
export interface Origin extends JudgedLimits {
  ipAddress: string | null;
  userAgent: string | null;
  /** Makes a signal that aborts when the client hangs up before the answer is written. */
  hangUp?(): AbortSignal;
}
