import { sendNotice } from '@/lib/accounts/notices';
import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { decideCode, lockApproverSession } from './device-sql';
import { foldUserCode, hashUserCode, limitGuesses } from './user-code';

/**
 * Lets the client that shows this code act as the caller, in the organization of the caller's session, and mails the
 * caller a notice. When several people decide at once, one decision wins.
 * @throws AppError not_found for an unknown, decided or expired code; rate_limited
 */
export async function approveDeviceCode(caller: PersonCaller, typedCode: string): Promise<void> {
  await limitGuesses(caller, () =>
    inTransaction(async (tx) => {
      const email = await lockApprover(tx, caller);
      const id = await decide(tx, typedCode, { status: 'APPROVED', caller });
      if (id !== null) await sendNotice(tx, { userId: caller.userId, email }, 'device_approved', caller);
      return id;
    }),
  );
}

/**
 * Refuses the client that shows this code.
 * @throws AppError not_found for an unknown, decided or expired code; rate_limited
 */
export async function denyDeviceCode(caller: PersonCaller, typedCode: string): Promise<void> {
  await limitGuesses(caller, () => inTransaction((tx) => decide(tx, typedCode, { status: 'DENIED', caller })));
}

/**
 * Locks the caller's account and session until the approval is committed: whatever closes all sessions either commits
 * before and is seen here, or sees the approval and denies it.
 * @returns the address of the account
 */
async function lockApprover(tx: Sql, { userId, sessionId }: PersonCaller): Promise<string> {
  const approver = await lockApproverSession.first(tx, userId, sessionId);
  if (approver === undefined) throw new AppError('unauthenticated', 'This session has ended. Sign in again.');
  return approver.email;
}

async function decide(
  tx: Sql,
  typedCode: string,
  { status, caller }: { status: 'APPROVED' | 'DENIED'; caller: PersonCaller },
): Promise<string | null> {
  const userCode = foldUserCode(typedCode);
  if (userCode === null) return null;
  const { userId, organizationId } = caller;
  const decided = await decideCode.first(tx, hashUserCode(userCode), status, userId, organizationId);
  if (decided === undefined) return null;
  await recordAudit(tx, caller, {
    action: status === 'APPROVED' ? 'device.approved' : 'device.denied',
    organizationId,
    target: { type: 'device_code', id: decided.id },
  });
  return decided.id;
}
