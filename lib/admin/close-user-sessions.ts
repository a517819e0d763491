import { sendNotice } from '@/lib/accounts/notices';
import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAuditSql } from '@/lib/audit/record-audit';
import { closeSessions } from '@/lib/auth/close-sessions';
import { inTransaction } from '@/lib/platform/db';
import { lockUser } from './lock-user';

/** Where the operator sits is not the person's to know. */
const NOWHERE = { ipAddress: null, userAgent: null };

/** Closes every session of a person (spec 5.2.5), and mails them that it was done and by whom. @throws AppError not_found */
export async function closeUserSessions(caller: OperatorCaller, userId: string): Promise<void> {
  await inTransaction(async (tx) => {
    const user = await lockUser(tx, userId);
    const count = await closeSessions(tx, user.userId, caller);
    await recordAuditSql(tx, caller, {
      action: 'account.sessions_closed',
      organizationId: null,
      target: { type: 'user', id: user.userId },
      details: { count },
    });
    if (count > 0) await sendNotice(tx, user, 'sessions_closed_by_operator', { origin: NOWHERE });
  });
}
