import { lockLiveAccount } from '@/lib/accounts/accounts-sql';
import { sendNotice } from '@/lib/accounts/notices';
import { refuseWeakPassword } from '@/lib/accounts/password-policy';
import { getUser } from '@/lib/accounts/queries';
import type { ChangePasswordBody, User } from '@/lib/accounts/schema';
import { endUserTokens } from '@/lib/accounts/user-token';
import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { database, type Sql } from '@/lib/platform/db';
import { AppError, fieldError } from '@/lib/platform/errors';
import { startHashDeadline } from '@/lib/platform/hashing/hash-turns';
import { hashPassword } from '@/lib/platform/hashing/passwords';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { checkPassword } from './check-password';
import { closeSessions } from './close-sessions';
import { changeCheckedPassword } from './passwords-sql';
import { findOpenSession } from './sessions-sql';

/**
 * Replaces the caller's password and closes their other sessions. A wrong `currentPassword` counts like a failed
 * sign-in: otherwise somebody with a stolen session could guess the password here without limit.
 *
 * @throws AppError validation_failed for `currentPassword` or `newPassword`; rate_limited, account_locked,
 *   overloaded; unauthenticated when the session was closed or the account erased meanwhile
 */
export async function changePassword(caller: PersonCaller, body: ChangePasswordBody): Promise<void> {
  const { currentPassword, newPassword } = body;
  const user = await getUser(database(), caller.userId);
  if (!user.hasPassword) {
    throw fieldError(
      'currentPassword',
      'cannot be checked because this account has no password. Add one with forgot-password',
    );
  }
  await refuseWeakPassword(newPassword, user.email, 'newPassword');
  const deadline = startHashDeadline(caller.client, true);
  const account = await checkPassword(caller.client, { email: user.email, password: currentPassword }, deadline);
  if (account === null) throw wrongPassword();
  const passwordHash = await hashPassword(newPassword, deadline);
  await inTransaction(async (tx) => {
    await replaceCheckedPassword(tx, caller, account.passwordHash, passwordHash);
    await finishChange(tx, caller, user);
  });
}

/**
 * Between the password check and this transaction, a reset, an erasure or linking a provider account may have
 * replaced the password or closed the session. All of them lock the user's row, so what is read under this lock still
 * holds at the commit.
 */
async function replaceCheckedPassword(
  tx: Sql,
  caller: PersonCaller,
  checkedHash: string,
  newHash: string,
): Promise<void> {
  const { userId, sessionId } = caller;
  const isThere = (await lockLiveAccount.run(tx, userId)) > 0;
  const isOpen = (await findOpenSession.run(tx, sessionId, userId)) > 0;
  if (!isThere || !isOpen) throw new AppError('unauthenticated', 'This session has ended. Sign in again.');
  const isReplaced = (await changeCheckedPassword.run(tx, userId, checkedHash, newHash)) > 0;
  if (!isReplaced) throw wrongPassword();
}

async function finishChange(tx: Sql, caller: PersonCaller, { id, email }: User): Promise<void> {
  await recordAudit(tx, caller, {
    action: 'account.password_changed',
    organizationId: null,
    target: { type: 'user', id },
  });
  await endUserTokens(tx, id, ['RESET_PASSWORD', 'CONFIRM_PASSWORD']);
  await closeSessions(tx, id, caller, caller.sessionId);
  await sendNotice(tx, { userId: id, email }, 'password_changed', { client: caller.client });
}

function wrongPassword(): AppError {
  return fieldError('currentPassword', 'is not your password');
}
