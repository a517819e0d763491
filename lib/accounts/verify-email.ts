import type { AnonymousCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { ClientInfo } from '@/lib/platform/client-info';
import { config } from '@/lib/platform/config/config';
import { consumeInTransaction } from '@/lib/platform/count-in-transaction';
import { database, type Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { consumeRateLimit } from '@/lib/platform/rate-limit';
import { confirmCurrentPassword, findUnverifiedAddress, lockUnverifiedAddress, verifyAddress } from './accounts-sql';
import { sendNotice } from './notices';
import type { VerifyEmailPreview } from './schema';
import { consumeUserToken, issueUserToken, readUserToken } from './user-token';

const LINK_LIFETIME_SECONDS = 24 * 60 * 60;
/** Mails per address, across accounts: an address can be registered, erased and registered again. */
const ADDRESS_LIMIT = { name: 'verification-mail', points: 10, windowSeconds: 60 * 60 };
/** Mails that an account requests; the mail of the registration does not count. */
const RESEND_LIMIT = { name: 'resend-verification', points: 5, windowSeconds: 60 * 60 };

/** The purposes of links to /verify-email. */
const PURPOSES = ['VERIFY_EMAIL', 'CONFIRM_PASSWORD'] as const;

/**
 * Mails the link that verifies an address, at most ten times an hour per address. A newer link replaces the older
 * one. The mail does not contain the person's name: someone who registers another person's address could use it to send
 * them a message.
 */
export async function sendVerificationMail(tx: Sql, userId: string, email: string): Promise<void> {
  if (!(await consumeInTransaction(tx, { ...ADDRESS_LIMIT, key: email }))) return;
  const token = await issueUserToken(tx, userId, 'VERIFY_EMAIL', LINK_LIFETIME_SECONDS);
  await enqueueMail(tx, {
    to: email,
    userId,
    ...layOutMail({
      subject: 'Confirm your email address',
      paragraphs: ['Confirm that this address is yours, so we can reach you about your events and your account.'],
      action: { label: 'Confirm email address', url: `${config().baseUrl}/verify-email?token=${token}` },
      closing: [
        'This link works once and expires in 24 hours. A newer link replaces it.',
        'If you didn’t sign up, someone may have mistyped their address. Ignore this email.',
      ],
    }),
  });
}

/**
 * Mails the caller a new link, unless the address is already verified.
 * @throws AppError rate_limited beyond five mails an hour
 */
export async function resendVerification(caller: PersonCaller): Promise<void> {
  if ((await findUnverifiedAddress.first(database(), { user: caller.userId })) === undefined) return;
  const verdict = await consumeRateLimit({ ...RESEND_LIMIT, key: caller.userId }, caller.client);
  if (!verdict.allowed) {
    const { retryAfterSeconds } = verdict;
    throw new AppError('rate_limited', 'We emailed the link several times in the last hour. Check your inbox.', {
      retryAfterSeconds,
    });
  }
  await inTransaction(async (tx) => {
    // Locked: the address may have been verified meanwhile, and then no link is sent.
    const account = await lockUnverifiedAddress.first(tx, { user: caller.userId });
    if (account !== undefined) await sendVerificationMail(tx, caller.userId, account.email);
  });
}

/**
 * Returns what a link would confirm, without consuming its token: the page shows it before the person confirms.
 * @throws AppError invalid_token
 */
export async function previewVerification(_caller: AnonymousCaller, token: string): Promise<VerifyEmailPreview> {
  const { purpose, email } = await readUserToken(database(), token, PURPOSES);
  return { purpose: purpose === 'CONFIRM_PASSWORD' ? 'PASSWORD' : 'EMAIL', email };
}

/**
 * Confirms what the token was mailed for: the address, or the password set before a provider account was linked.
 * Never both: the registration link says nothing about who chose the password
 * (docs/decisions/011-linking-to-a-never-proven-address.md).
 * @throws AppError invalid_token
 */
export function verifyEmail(caller: AnonymousCaller, token: string): Promise<void> {
  return inTransaction(async (tx) => {
    const { purpose, userId, email } = await consumeUserToken(tx, token, PURPOSES);
    if (purpose === 'CONFIRM_PASSWORD') await confirmPassword(tx, caller.client, { userId, email });
    else await markEmailVerified(tx, caller.client, userId);
  });
}

/** Marks the address verified after its owner opened a mailed link. Does nothing if it already is. */
export async function markEmailVerified(tx: Sql, client: ClientInfo, userId: string): Promise<void> {
  if ((await verifyAddress.run(tx, { user: userId })) === 0) return;
  await recordAudit(tx, { type: 'user', userId, ipAddress: client.ipAddress }, 'account.email_verified', {
    organizationId: null,
    targetId: userId,
  });
}

/**
 * Mails the link that confirms a password which was set before the address was verified, when a provider account has
 * been linked (docs/decisions/011-linking-to-a-never-proven-address.md). A newer link replaces the older one. A reset
 * or change of the password ends it too, so a link confirms only the password it was sent for.
 */
export async function sendPasswordConfirmationMail(tx: Sql, userId: string, email: string): Promise<void> {
  const token = await issueUserToken(tx, userId, 'CONFIRM_PASSWORD', LINK_LIFETIME_SECONDS);
  await enqueueMail(tx, {
    to: email,
    userId,
    ...layOutMail({
      subject: 'Confirm your password',
      paragraphs: [
        'Someone set a password for this account before its email address was verified. Until you confirm the password, nobody can sign in with it. Your other sign-in methods work.',
        'Confirm it only if you chose the password yourself.',
        'We kept the existing projects, API keys, endpoints and members, since they may be yours. Review them, and delete anything you didn’t create.',
      ],
      action: { label: 'Review and confirm', url: `${config().baseUrl}/verify-email?token=${token}` },
      closing: [
        'This link works once and expires in 24 hours. A newer link replaces it.',
        `If you didn’t choose a password, someone else did. Don’t confirm it. Set a new one instead: ${config().baseUrl}/forgot-password`,
      ],
    }),
  });
}

/**
 * Confirms the current password. The caller has just consumed a link sent for it; links for an earlier password ended
 * when that was replaced.
 */
export async function confirmPassword(
  tx: Sql,
  client: ClientInfo,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  if ((await confirmCurrentPassword.run(tx, { user: userId })) === 0) return;
  await recordAudit(tx, { type: 'user', userId, ipAddress: client.ipAddress }, 'account.password_confirmed', {
    organizationId: null,
    targetId: userId,
  });
  await sendNotice(tx, { userId, email }, 'password_confirmed', { client });
}
