import { SECOND_MS } from '@/lib/platform/clock';
import { ANSWER_TIMEOUT_MS } from '@/lib/platform/net/failure-reason';

/**
 * How long a claimed delivery is one worker's: time for an attempt, and to wait for a slot that a hanging receiver holds.
 * A dead worker's deliveries are due again after that.
 */
const LEASE_SECONDS = 40;

/** What must be left of a lease for an attempt to start: all the time it may take, and time to record it. */
const ATTEMPT_NEEDS_MS = ANSWER_TIMEOUT_MS + 3 * SECOND_MS;

export interface LeaseClock {
  seconds: number;
  /** By performance.now(). Taken before the statement runs, so that it never outlasts what the database's clock says. */
  endsAt: number;
}

/** A lease for a statement that is about to run. */
export function leaseFromNow(): LeaseClock {
  return { seconds: LEASE_SECONDS, endsAt: performance.now() + LEASE_SECONDS * SECOND_MS };
}

/** Whether an attempt that starts now is over before its lease ends; if not, another worker may send it at the same time. */
export function leaseCoversAttempt(leaseEndsAt: number): boolean {
  return leaseEndsAt - performance.now() >= ATTEMPT_NEEDS_MS;
}
