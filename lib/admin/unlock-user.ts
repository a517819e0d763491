import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { endLockout } from '@/lib/auth/lockout';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { lockUserRow } from './lock-user-row';

/** Ends the lockout of a person and deletes their failed sign-ins. @throws AppError not_found */
export async function unlockUser(caller: OperatorCaller, userId: string): Promise<void> {
  await inTransaction(async (tx) => {
    const user = await lockUserRow(tx, userId);
    await endLockout(tx, user.email);
    await recordAudit(tx, caller, {
      action: 'account.unlocked',
      organizationId: null,
      target: { type: 'user', id: user.userId },
    });
  });
}
