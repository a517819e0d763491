import type { Outcome } from '@/lib/delivery/engine/types';
import { timeOfId } from '@/lib/platform/ids';
import { isTimeout } from '@/lib/platform/net/failure-reason';

/** The largest value of an integer column: 24 days. */
const MAX_MS = 2_147_483_647;

/**
 * Reads the parameters that the statistics need of attempts: target, outcome, whether it was the last of the delivery's schedule,
 * and milliseconds from the event's creation to its success; null without one.
 */
export function statColumns(outcomes: readonly Outcome[]): unknown[][] {
  return [
    outcomes.map(({ job }) => job.targetId),
    outcomes.map(kindOf),
    outcomes.map(({ result, retryMs }) => !result.succeeded && retryMs === null),
    outcomes.map(latencyOf),
  ];
}

/** The same rules as in the trigger of what others insert: prisma/migrations/20261125000000_initial. */
function kindOf({ result: { succeeded, error, responseStatus } }: Outcome): string {
  if (succeeded) return 'SUCCEEDED';
  if (error !== null && isTimeout(error)) return 'TIMED_OUT';
  if (responseStatus === null || responseStatus < 300) return 'NO_RESPONSE';
  if (responseStatus < 400) return 'REDIRECT';
  return responseStatus < 500 ? 'CLIENT_ERROR' : 'SERVER_ERROR';
}

/**
 * Returns the milliseconds from the event's creation to the success of a delivery; null without one. A delivery that was retried
 * by hand would measure the person, and an incoming event that is replayed is old: neither has a latency.
 */
export function latencyOf({ job, result }: Outcome): number | null {
  const { source, attemptNumber, scheduleStep } = job;
  if (!result.succeeded || source.eventId === null || attemptNumber !== scheduleStep + 1) return null;
  const elapsedMs = result.startedAt.getTime() + result.durationMs - timeOfId(source.eventId);
  return Math.min(MAX_MS, Math.max(0, elapsedMs));
}
