import { sendNotice } from '@/lib/accounts/notices';
import { refuseWeakPassword } from '@/lib/accounts/password-policy';
import type { ResetPasswordBody } from '@/lib/accounts/schema';
import { consumeUserToken, endUserTokens, readUserToken } from '@/lib/accounts/user-token';
import { markEmailVerified } from '@/lib/accounts/verify-email';
import type { AnonymousCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { database } from '@/lib/platform/db';
import { startHashDeadline } from '@/lib/platform/hashing/hash-turns';
import { hashPassword } from '@/lib/platform/hashing/passwords';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { closeSessions } from './close-sessions';
import { endLockout } from './lockout';
import { setPassword } from './passwords-sql';

/**
 * Sets a new password, or the first one, with the token of a mailed link. Ends a lockout and closes every session.
 * Opening the link verifies the address, so the password needs no confirmation. A refused password does not use up
 * the link.
 *
 * @throws AppError invalid_token; validation_failed for a weak password; overloaded
 */
export async function resetPassword(caller: AnonymousCaller, body: ResetPasswordBody): Promise<void> {
  const { token, password } = body;
  // Saves the hashing, which takes about 360 ms and must not happen in a transaction. Consuming the token decides.
  const { email } = await readUserToken(database(), token, ['RESET_PASSWORD']);
  await refuseWeakPassword(password, email);
  const passwordHash = await hashPassword(password, startHashDeadline(caller.client));
  await inTransaction(async (tx) => {
    const user = await consumeUserToken(tx, token, ['RESET_PASSWORD']);
    const { userId } = user;
    const actor = { type: 'user', userId, ipAddress: caller.client.ipAddress } as const;
    const isFirst = (await setPassword.first(tx, userId, passwordHash))?.is_first === true;
    await recordAudit(tx, actor, {
      action: isFirst ? 'account.password_added' : 'account.password_reset',
      organizationId: null,
      target: { type: 'user', id: userId },
    });
    await markEmailVerified(tx, caller.client, userId);
    await endUserTokens(tx, userId, ['RESET_PASSWORD', 'CONFIRM_PASSWORD', 'VERIFY_EMAIL']);
    await closeSessions(tx, userId, actor);
    await endLockout(tx, user.email);
    await sendNotice(tx, user, isFirst ? 'password_added' : 'password_reset', { client: caller.client });
  });
}
