import { sendNotice } from '@/lib/accounts/notices';
import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { closeSessions } from '@/lib/auth/close-sessions';
import { endLockout } from '@/lib/auth/lockout';
import type { Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { lockUser } from './users-sql';

/** Ends the lockout of a person and deletes their failed sign-ins. @throws AppError not_found */
export async function unlockUser(caller: OperatorCaller, userId: string): Promise<void> {
  await inTransaction(async (tx) => {
    const user = await lockUserRow(tx, userId);
    await endLockout(tx, user.email);
    await recordAudit(tx, caller, 'account.unlocked', { organizationId: null, targetId: user.userId });
  });
}

/** The mail must not show the operator's IP address. */
const HIDDEN_CLIENT = { ipAddress: null, userAgent: null };

/** Closes every session of a person and mails them that the operator did so. @throws AppError not_found */
export async function closeUserSessions(caller: OperatorCaller, userId: string): Promise<void> {
  await inTransaction(async (tx) => {
    const user = await lockUserRow(tx, userId);
    const count = await closeSessions(tx, user.userId, caller);
    await recordAudit(tx, caller, 'account.sessions_closed', {
      organizationId: null,
      targetId: user.userId,
      details: { count },
    });
    if (count > 0) await sendNotice(tx, user, 'sessions_closed_by_operator', { client: HIDDEN_CLIENT });
  });
}

/**
 * Locks the row of a person with the lock that a sign-in takes, so that the two run one after the other.
 * @throws AppError not_found
 */
async function lockUserRow(tx: Sql, userId: string): Promise<{ userId: string; email: string }> {
  const row = await lockUser.first(tx, { user: userId });
  if (row === undefined) throw notFound('user');
  return { userId: row.id, email: row.email };
}
