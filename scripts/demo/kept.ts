import { addMs, HOUR_MS } from '@/lib/platform/clock';
import { expiryCutoff, type RetentionPolicy } from '@/lib/retention/retention-policy';
import { type AttemptRow, endOf, isSuccess } from './history';

/** Retention runs every few hours. Rows that expire this soon are left out as well, so that none is overdue while it waits. */
const MARGIN_MS = HOUR_MS;

/** Returns the time up to which retention has removed the rows of a class that it keeps for `days`. */
export function removedUntil(now: Date, days: number): Date {
  return addMs(expiryCutoff(now, days), MARGIN_MS);
}

/** Returns the attempts of a delivery that retention has left. Attempts end sooner than their delivery (docs/specification.md#retention). */
export function keptAttempts(attempts: readonly AttemptRow[], policy: RetentionPolicy, now: Date): AttemptRow[] {
  return attempts
    .slice(-policy.maxAttemptsPerDelivery)
    .filter((attempt) => endOf(attempt) > removedUntil(now, daysOf(attempt, policy)));
}

function daysOf({ answer }: AttemptRow, policy: RetentionPolicy): number {
  return isSuccess(answer) ? policy.succeededAttemptsDays : policy.failedAttemptsDays;
}
