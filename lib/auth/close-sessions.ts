import { sendNotice } from '@/lib/accounts/notices';
import { getUser } from '@/lib/accounts/queries';
import type { PersonCaller } from '@/lib/audit/caller';
import { type Actor, recordAudit } from '@/lib/audit/record-audit';
import type { Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { closeSession } from './sessions';

/**
 * Closes all open sessions of a person, or all but one, with an audit entry for each. Their tokens are invalid from
 * the commit on. Also denies device codes that the person approved and no client has exchanged yet: each could still
 * open a session.
 *
 * Locks the person's row first, as sign-ins and exchanges do: a concurrent one either commits before and is closed
 * here, or starts after.
 *
 * @param keptId the session that stays open
 * @returns how many were closed
 */
export async function closeSessions(tx: Sql, userId: string, actor: Actor, keptId?: string): Promise<number> {
  await tx.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  const { rows } = await tx.query<{ id: string; organization_id: string | null }>(
    `UPDATE sessions SET closed_at = clock_timestamp()
     WHERE user_id = $1 AND id IS DISTINCT FROM $2::uuid AND closed_at IS NULL AND expires_at > clock_timestamp()
     RETURNING id, organization_id`,
    [userId, keptId ?? null],
  );
  for (const { id, organization_id } of rows) {
    await recordAudit(tx, actor, {
      action: 'session.closed',
      organizationId: organization_id,
      target: { type: 'session', id },
    });
  }
  await denyApprovedDeviceCodes(tx, userId);
  return rows.length;
}

/** Denies the approved device codes of a person that no client has exchanged yet: each could still open a session. */
export async function denyApprovedDeviceCodes(tx: Sql, userId: string): Promise<void> {
  await tx.query(`UPDATE device_codes SET status = 'DENIED' WHERE user_id = $1 AND status = 'APPROVED'`, [userId]);
}

/**
 * Closes one of the caller's sessions; the next request with its access token is refused.
 * @throws AppError not_found for another person's session, and for one that has already ended
 */
export async function closeOwnSession(caller: PersonCaller, sessionId: string): Promise<void> {
  const session = { sessionId, userId: caller.userId };
  const wasOpen = await inTransaction((tx) => closeSession(tx, session, caller));
  if (!wasOpen) throw notFound('session');
}

/** Closes all of the caller's sessions, or all but the current one, and mails the caller a notice. */
export async function closeOwnSessions(caller: PersonCaller, options: { keepCurrent: boolean }): Promise<void> {
  const { userId, sessionId } = caller;
  await inTransaction(async (tx) => {
    const count = await closeSessions(tx, userId, caller, options.keepCurrent ? sessionId : undefined);
    if (count === 0) return;
    const { email } = await getUser(tx, userId);
    await sendNotice(tx, { userId, email }, 'sessions_closed', caller);
  });
}
