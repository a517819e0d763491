import { describeClient } from '@/lib/accounts/describe-client';
import type { ForgotPasswordBody } from '@/lib/accounts/schema';
import { issueUserToken } from '@/lib/accounts/user-token';
import type { AnonymousCaller } from '@/lib/audit/caller';
import { runInBackground } from '@/lib/platform/background';
import type { ClientInfo } from '@/lib/platform/client-info';
import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { consumeRateLimit, enforceRateLimits, refundRateLimits } from '@/lib/platform/rate-limit';
import { lockAccountOfAddress } from './passwords-sql';

const LINK_LIFETIME_SECONDS = 30 * 60;
/** Requests per address. An address without an account counts too, so that both take the same time. */
const MAIL_LIMIT = { name: 'forgot-password', points: 5, windowSeconds: 60 * 60 };
/** A refusal for the IP address reveals nothing about any email address. */
const REQUESTS_BY_IP = { name: 'forgot-password-ip', points: 300, windowSeconds: 10 * 60 };

/**
 * Mails a link that sets a new password, or the first one, to the address if it has an account. The account is looked
 * up after the response is sent, so neither the response nor its time reveals whether there is one. Requests beyond
 * five an hour are dropped silently: a refusal would reveal that the owner has asked.
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
  const user = await lockAccountOfAddress.first(tx, email);
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
