import { sendNotice } from '@/lib/accounts/notices';
import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { closeSessions } from '@/lib/auth/close-sessions';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { lockUserRow } from './lock-user-row';

/** The mail must not show the operator's IP address. */
const HIDDEN_CLIENT = { ipAddress: null, userAgent: null };

/** Closes every session of a person and mails them that the operator did so. @throws AppError not_found */
export async function closeUserSessions(caller: OperatorCaller, userId: string): Promise<void> {
  await inTransaction(async (tx) => {
    const user = await lockUserRow(tx, userId);
    const count = await closeSessions(tx, user.userId, caller);
    await recordAudit(tx, caller, {
      action: 'account.sessions_closed',
      organizationId: null,
      target: { type: 'user', id: user.userId },
      details: { count },
    });
    if (count > 0) await sendNotice(tx, user, 'sessions_closed_by_operator', { client: HIDDEN_CLIENT });
  });
}
