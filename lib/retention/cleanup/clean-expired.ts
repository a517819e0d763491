import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import type { CleanupStep, JobRun } from '@/lib/retention/jobs/job-run';
import { KEPT_HOURS } from '@/lib/stats/kept-policy';
import { countExpired, deleteInBatches } from './delete-in-batches';
import { countEndedSessions, deleteEndedSessions } from './ended-sessions';
import {
  deviceCodes,
  type ExpiredRows,
  invitations,
  loginLockouts,
  rateLimits,
  retentionRuns,
  stats,
  storedBytes,
  userTokens,
} from './expired-rows-sql';

/** A client polls at least every ten minutes. After a code expires, it must still get `expired_token` (RFC 8628). */
const DEVICE_CODE_GRACE_MS = 15 * MINUTE_MS;
/** A web process sets the end of a rate limit by its own clock, which may differ from the database's. */
const RATE_LIMIT_GRACE_MS = HOUR_MS;
const RUNS_KEPT_MS = 90 * DAY_MS;

/** Rows without use after their expiry: a client gets the same response with or without the row. */
function expiredRows({ id, now, policy }: JobRun): { rows: ExpiredRows; values: unknown[] }[] {
  const failedUntil = addMs(now, -config().AUTH_LOCKOUT_FAILURE_WINDOW_MINUTES * MINUTE_MS);
  const { eventsDays, incomingEventsDays, succeededAttemptsDays, failedAttemptsDays } = policy;
  const storedDays = Math.max(eventsDays, incomingEventsDays, succeededAttemptsDays, failedAttemptsDays);
  return [
    { rows: userTokens, values: [now] },
    { rows: deviceCodes, values: [addMs(now, -DEVICE_CODE_GRACE_MS)] },
    { rows: invitations, values: [now] },
    { rows: loginLockouts, values: [failedUntil, now] },
    { rows: rateLimits, values: [now.getTime() - RATE_LIMIT_GRACE_MS] },
    { rows: retentionRuns, values: [addMs(now, -RUNS_KEPT_MS), id] },
    { rows: stats, values: [addMs(now, -KEPT_HOURS.minutes * HOUR_MS), addMs(now, -KEPT_HOURS.hours * HOUR_MS)] },
    { rows: storedBytes, values: [addMs(now, -storedDays * DAY_MS)] },
  ];
}

/** Removes everything that has its own expiry: ended sessions with their tokens, links, codes, invitations, rate limits, old runs, statistics. */
export const cleanExpired: CleanupStep = {
  async clean(run) {
    await deleteEndedSessions(run);
    for (const { rows, values } of expiredRows(run)) await deleteInBatches(run, rows, values);
  },

  async preview(run) {
    const counts = await Promise.all(
      expiredRows(run).map(
        async ({ rows: { table, count }, values }) => [table, await countExpired(count, values)] as const,
      ),
    );
    return { rows: { ...(await countEndedSessions(run)), ...Object.fromEntries(counts) } };
  },
};
