import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import type { CleanupStep, JobRun } from '@/lib/retention/jobs/job-run';
import { countExpired, deleteInBatches, type ExpiredRows } from './delete-in-batches';
import { countEndedSessions, deleteEndedSessions } from './ended-sessions';

/** A client polls at least every ten minutes. After the end it must still get `expired_token` (RFC 8628). */
const DEVICE_CODE_GRACE_MS = 15 * MINUTE_MS;
/** Their end is set by the clock of a web process, which may differ from the database's. */
const RATE_LIMIT_GRACE_MS = HOUR_MS;
const RUNS_KEPT_MS = 90 * DAY_MS;

/** Rows that are of no use after their expiry: a client gets the same answer whether the row is there or not. */
function expiredRows({ id, now }: JobRun): ExpiredRows[] {
  return [
    { table: 'user_tokens', key: 'id', where: 'expires_at <= $1 OR used_at <= $1', values: [now] },
    { table: 'device_codes', key: 'id', where: 'expires_at <= $1', values: [addMs(now, -DEVICE_CODE_GRACE_MS)] },
    // Accepted invitations too: they contain an email address, and the membership has the rest.
    { table: 'invitations', key: 'id', where: 'expires_at <= $1 OR accepted_at <= $1', values: [now] },
    {
      table: 'login_lockouts',
      key: 'address_hash',
      where: 'last_failed_at <= $1 AND (locked_until IS NULL OR locked_until <= $2)',
      values: [addMs(now, -config().AUTH_LOCKOUT_FAILURE_WINDOW_MINUTES * MINUTE_MS), now],
    },
    // A count without an end (NULL) never expires.
    { table: 'rate_limits', key: 'key', where: 'expire <= $1', values: [now.getTime() - RATE_LIMIT_GRACE_MS] },
    {
      table: 'retention_runs',
      key: 'id',
      // The last run of each job stays: schedules and pages need its time.
      where: `created_at <= $1 AND id <> $2 AND EXISTS (
        SELECT FROM retention_runs later WHERE later.job = retention_runs.job AND later.id > retention_runs.id)`,
      values: [addMs(now, -RUNS_KEPT_MS), id],
    },
  ];
}

/** Removes everything that has its own expiry: ended sessions with their tokens, links, codes, invitations, rate limits, old runs. */
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
