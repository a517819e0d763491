import { getUser } from '@/lib/accounts/accounts';
import { lockLiveAccount } from '@/lib/accounts/accounts-sql';
import { describeClient, sendNotice } from '@/lib/accounts/notices';
import { refuseWeakPassword } from '@/lib/accounts/password-policy';
import type { ChangePasswordBody, ForgotPasswordBody, ResetPasswordBody, User } from '@/lib/accounts/schema';
import { consumeUserToken, endUserTokens, issueUserToken, readUserToken } from '@/lib/accounts/user-token';
import { markEmailVerified } from '@/lib/accounts/verify-email';
import type { AnonymousCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { runInBackground } from '@/lib/platform/background';
import type { ClientInfo } from '@/lib/platform/client-info';
import { config } from '@/lib/platform/config/config';
import { database, type Sql } from '@/lib/platform/db';
import { AppError, fieldError } from '@/lib/platform/errors';
import { startHashDeadline } from '@/lib/platform/hashing/hash-turns';
import { hashPassword } from '@/lib/platform/hashing/passwords';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { consumeRateLimit, enforceRateLimits, forgetAttempts, refundRateLimits } from '@/lib/platform/rate-limit';
import { attemptsOn, checkPassword } from './check-password';
import { closeSessions } from './close-sessions';
import { endLockout } from './lockout';
import { changeCheckedPassword, lockAccountOfAddress, setPassword } from './passwords-sql';
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
  const isThere = (await lockLiveAccount.run(tx, { user: userId })) > 0;
  const isOpen = (await findOpenSession.run(tx, { session: sessionId, user: userId })) > 0;
  if (!isThere || !isOpen) throw new AppError('unauthenticated', 'This session has ended. Sign in again.');
  const isReplaced = (await changeCheckedPassword.run(tx, { user: userId, checkedHash, newHash })) > 0;
  if (!isReplaced) throw wrongPassword();
}

async function finishChange(tx: Sql, caller: PersonCaller, { id, email }: User): Promise<void> {
  await recordAudit(tx, caller, 'account.password_changed', { organizationId: null, targetId: id });
  await endUserTokens(tx, id, ['RESET_PASSWORD', 'CONFIRM_PASSWORD']);
  await closeSessions(tx, id, caller, caller.sessionId);
  await sendNotice(tx, { userId: id, email }, 'password_changed', { client: caller.client });
}

function wrongPassword(): AppError {
  return fieldError('currentPassword', 'is not your password');
}

const LINK_LIFETIME_SECONDS = 30 * 60;
/**
 * Requests per address. An address without an account counts too, so that both take the same time. A stranger may use them up; the links
 * that were mailed work until there are new ones.
 */
const MAIL_LIMIT = { name: 'forgot-password', points: 5, windowSeconds: LINK_LIFETIME_SECONDS };
/**
 * A refusal for the IP address reveals nothing about any email address. The mails of a few networks stay below what a slow mail server
 * takes, so they do not delay those of others.
 */
const REQUESTS_BY_IP = { name: 'forgot-password-ip', points: 60, windowSeconds: 60 };

/**
 * Mails a link that sets a new password, or the first one, to the address if it has an account. The account is looked
 * up after the response is sent, so neither the response nor its time reveals whether there is one. Requests beyond
 * five in half an hour are dropped silently: a refusal would reveal that the owner has asked.
 * @throws AppError rate_limited for the IP; overloaded
 */
export async function forgotPassword(caller: AnonymousCaller, { email }: ForgotPasswordBody): Promise<void> {
  await enforceRateLimits([{ ...REQUESTS_BY_IP, key: caller.client.ipAddress ?? 'unknown' }], caller.client);
  const limit = { ...MAIL_LIMIT, key: email };
  const verdict = await consumeRateLimit(limit);
  if (!verdict.allowed) return;
  try {
    runInBackground('email a reset link', () => inTransaction((tx) => sendResetMail(tx, email, caller.client)));
  } catch (error) {
    // Not counted for the address: a flood by others would use up the requests of its owner.
    await refundRateLimits([limit]);
    throw error;
  }
}

async function sendResetMail(tx: Sql, email: string, client: ClientInfo): Promise<void> {
  const user = await lockAccountOfAddress.first(tx, { email });
  if (user === undefined) return;
  const token = await issueUserToken(tx, user.id, 'RESET_PASSWORD', LINK_LIFETIME_SECONDS);
  const wording = user.has_password ? RESET : ADD;
  await enqueueMail(tx, {
    to: email,
    userId: user.id,
    ...layOutMail({
      subject: wording.subject,
      paragraphs: [wording.why, 'Setting it signs you out everywhere.'],
      action: { label: wording.label, url: `${config().baseUrl}/reset-password?token=${token}` },
      closing: [
        'This link works once and expires in 30 minutes. A newer link replaces it.',
        ...describeClient(client),
        'If you didn’t request this, ignore this email. Nothing changes.',
      ],
    }),
  });
}

const RESET = {
  subject: 'Reset your password',
  why: 'Someone, probably you, asked to reset your password.',
  label: 'Set a new password',
};

const ADD = {
  subject: 'Add a password to your account',
  why: 'Someone, probably you, asked to add a password to your account. Your other sign-in methods keep working.',
  label: 'Set a password',
};

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
    const isFirst = (await setPassword.first(tx, { user: userId, hash: passwordHash }))?.is_first === true;
    await recordAudit(tx, actor, isFirst ? 'account.password_added' : 'account.password_reset', {
      organizationId: null,
      targetId: userId,
    });
    await markEmailVerified(tx, caller.client, userId);
    await endUserTokens(tx, userId, ['RESET_PASSWORD', 'CONFIRM_PASSWORD', 'VERIFY_EMAIL']);
    await closeSessions(tx, userId, actor);
    await endLockout(tx, user.email);
    // A stranger may have used up the sign-ins of this minute.
    await forgetAttempts(tx, attemptsOn(user.email));
    await sendNotice(tx, user, isFirst ? 'password_added' : 'password_reset', { client: caller.client });
  });
}
