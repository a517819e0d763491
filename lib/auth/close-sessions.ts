import { getUser } from '@/lib/accounts/accounts';
import { lockUserRow } from '@/lib/accounts/accounts-sql';
import { sendNotice } from '@/lib/accounts/notices';
import type { PersonCaller } from '@/lib/audit/caller';
import { type Actor, recordAudits } from '@/lib/audit/record-audit';
import type { Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { closeSession } from './sessions';
import { closeOpenSessions, denyApprovedCodes } from './sessions-sql';

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
  await lockUserRow.run(tx, { user: userId });
  const closed = await closeOpenSessions.all(tx, { user: userId, kept: keptId ?? null });
  const entries = closed.map(({ id, organization_id }) => ({ organizationId: organization_id, targetId: id }));
  await recordAudits(tx, actor, 'session.closed', entries);
  await denyApprovedDeviceCodes(tx, userId);
  return closed.length;
}

/** Denies the approved device codes of a person that no client has exchanged yet: each could still open a session. */
export async function denyApprovedDeviceCodes(tx: Sql, userId: string): Promise<void> {
  await denyApprovedCodes.run(tx, { user: userId });
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
