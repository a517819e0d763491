/** Where a request came from, as the audit log and the session list record it. */
export interface Origin {
  ipAddress: string | null;
  userAgent: string | null;
  /** Makes a signal that aborts when the client hangs up before the answer is written. */
  hangUp?(): AbortSignal;
}
