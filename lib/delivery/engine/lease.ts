import { SECOND_MS } from '@/lib/platform/clock';
import { ANSWER_TIMEOUT_MS } from '@/lib/platform/net/failure-reason';

/**
 * How long a claimed delivery is one worker's: time for an attempt, and to wait for a slot that a hanging receiver holds.
 * A dead worker's deliveries are due again after that.
 */
const DELIVERY_LEASE_SECONDS = 30;

/**
 * How long a taken outbox row is one worker's. Its deliveries are stored after about a second, so this is time for a slow
 * database; a dead worker's rows are due again after it.
 */
const OUTBOX_LEASE_SECONDS = 10;

/** What must be left of a lease for an attempt to start: all the time it may take, and time to record it. */
const ATTEMPT_NEEDS_MS = ANSWER_TIMEOUT_MS + 3 * SECOND_MS;
/** What must be left of an outbox row's lease: time to send, notice that it lasts, and store the delivery. */
const UNSTORED_ATTEMPT_NEEDS_MS = 4 * SECOND_MS;

interface Lease {
  seconds: number;
  /** By performance.now(). Taken before the statement runs, so that it never outlasts what the database's clock says. */
  endsAt: number;
}

/** A lease of deliveries for a statement that is about to run. */
export function deliveryLease(): Lease {
  return leaseOf(DELIVERY_LEASE_SECONDS);
}

/** A lease of outbox rows for a statement that is about to run. */
export function outboxLease(): Lease {
  return leaseOf(OUTBOX_LEASE_SECONDS);
}

/**
 * Whether an attempt that starts now ends before its lease does; otherwise another worker may send it at the same time.
 * A delivery that is not stored yet gets a lease of its own when its attempt lasts.
 */
export function leaseCoversAttempt(job: { leaseEndsAt: number; entry: unknown }): boolean {
  const neededMs = job.entry === null ? ATTEMPT_NEEDS_MS : UNSTORED_ATTEMPT_NEEDS_MS;
  return job.leaseEndsAt - performance.now() >= neededMs;
}

function leaseOf(seconds: number): Lease {
  return { seconds, endsAt: performance.now() + seconds * SECOND_MS };
}
