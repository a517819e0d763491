import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAuditSql } from '@/lib/audit/record-audit';
import { endLockout } from '@/lib/auth/lockout';
import { inTransaction } from '@/lib/platform/db';
import { lockUser } from './lock-user';

/** Ends the lockout of a person at once and forgets their failed sign-ins (spec 5.3). @throws AppError not_found */
export async function unlockUser(caller: OperatorCaller, userId: string): Promise<void> {
  await inTransaction(async (tx) => {
    const user = await lockUser(tx, userId);
    await endLockout(tx, user.email);
    await recordAuditSql(tx, caller, {
      action: 'account.unlocked',
      organizationId: null,
      target: { type: 'user', id: user.userId },
    });
  });
}
