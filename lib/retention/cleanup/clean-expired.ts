import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import type { CleanupStep, JobRun } from '@/lib/retention/jobs/job-run';
import { countExpired, deleteInBatches, type ExpiredRows } from './delete-in-batches';
import { countEndedSessions, deleteEndedSessions } from './ended-sessions';

/** A client polls at least every ten minutes: one that comes after the end is still told `expired_token` (RFC 8628). */
const DEVICE_CODE_GRACE_MS = 15 * MINUTE_MS;
/** Their end is by the clock of whichever web process counted. */
const RATE_LIMIT_GRACE_MS = HOUR_MS;
const RUNS_KEPT_MS = 90 * DAY_MS;

/** What leaves as soon as it is good for nothing any more. Whoever comes with it is answered as if it were still there. */
function expiredRows({ id, now }: JobRun): ExpiredRows[] {
  return [
    { table: 'user_tokens', key: 'id', where: 'expires_at <= $1 OR used_at <= $1', values: [now] },
    { table: 'device_codes', key: 'id', where: 'expires_at <= $1', values: [addMs(now, -DEVICE_CODE_GRACE_MS)] },
    // Accepted ones too: they hold an address, and the membership tells the rest.
    { table: 'invitations', key: 'id', where: 'expires_at <= $1 OR accepted_at <= $1', values: [now] },
    {
      table: 'login_lockouts',
      key: 'address_hash',
      where: 'last_failed_at <= $1 AND (locked_until IS NULL OR locked_until <= $2)',
      values: [addMs(now, -config().AUTH_LOCKOUT_FAILURE_WINDOW_MINUTES * MINUTE_MS), now],
    },
    // Without an end (NULL) a count is for ever.
    { table: 'rate_limits', key: 'key', where: 'expire <= $1', values: [now.getTime() - RATE_LIMIT_GRACE_MS] },
    {
      table: 'retention_runs',
      key: 'id',
      // The last of each job stays, so that it can be told when it was.
      where: `created_at <= $1 AND id <> $2 AND EXISTS (
        SELECT FROM retention_runs later WHERE later.job = retention_runs.job AND later.id > retention_runs.id)`,
      values: [addMs(now, -RUNS_KEPT_MS), id],
    },
  ];
}

/** Everything with an expiry of its own: ended sessions with their tokens, links, codes, invitations, counts of tries, old runs. */
export const cleanExpired: CleanupStep = {
  async clean(run) {
    await deleteEndedSessions(run);
    for (const rows of expiredRows(run)) await deleteInBatches(run, rows);
  },

  async preview(run) {
    const counts = await Promise.all(
      expiredRows(run).map(async (rows) => [rows.table, await countExpired(rows)] as const),
    );
    return { rows: { ...(await countEndedSessions(run)), ...Object.fromEntries(counts) } };
  },
};
