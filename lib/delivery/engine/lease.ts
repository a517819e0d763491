import { SECOND_MS } from '@/lib/platform/clock';
import { RESPONSE_TIMEOUT_MS, TURN_TIMEOUT_MS } from '@/lib/platform/net/failure-reason';

/**
 * How long a claimed delivery belongs to one worker: time for an attempt, and to wait for a slot that a hanging receiver uses.
 * The deliveries of a dead worker are due again after that.
 */
export const DELIVERY_LEASE_SECONDS = 30;

/**
 * How long a taken outbox row belongs to one worker. Its deliveries are stored after about a second; the rest is time for a slow
 * database. The rows of a dead worker are due again after that.
 */
const OUTBOX_LEASE_SECONDS = 10;

/** What must remain of a delivery's lease when an attempt starts: its timeouts, and time to record it. */
const ATTEMPT_NEEDS_MS = TURN_TIMEOUT_MS + RESPONSE_TIMEOUT_MS + 3 * SECOND_MS;
/** What must remain of an outbox row's lease when an attempt starts: time to store the delivery if the attempt is slow. */
const UNSTORED_ATTEMPT_NEEDS_MS = 4 * SECOND_MS;

interface Lease {
  seconds: number;
  /** By performance.now(). Computed before the statement runs, so that it never ends later than in the database. */
  endsAt: number;
}

/** Makes a lease of deliveries for a statement that runs next. */
export function deliveryLease(): Lease {
  return leaseOf(DELIVERY_LEASE_SECONDS);
}

/** Makes a lease of outbox rows for a statement that runs next. */
export function outboxLease(): Lease {
  return leaseOf(OUTBOX_LEASE_SECONDS);
}

interface Leased {
  leaseEndsAt: number;
  entry: unknown;
}

/** Time to read and to sign a large body before it is sent. */
const LARGE_BODY_NEEDS_MS = 4 * SECOND_MS;

/**
 * Whether an attempt that starts now ends before its lease. Otherwise another worker may send it at the same time. An unstored
 * delivery needs less: it gets a lease of its own if its attempt is slow.
 */
export function leaseCoversAttempt(job: Leased & { message: { largeBytes?: number } }): boolean {
  return coversSending(job, job.message.largeBytes === undefined ? 0 : LARGE_BODY_NEEDS_MS);
}

/** Whether the rest of a lease covers sending, and other milliseconds before it. */
export function coversSending(job: Leased, beforeMs = 0): boolean {
  const neededMs = job.entry === null ? ATTEMPT_NEEDS_MS : UNSTORED_ATTEMPT_NEEDS_MS;
  return job.leaseEndsAt - performance.now() >= neededMs + beforeMs;
}

function leaseOf(seconds: number): Lease {
  return { seconds, endsAt: performance.now() + seconds * SECOND_MS };
}
