import type { AnonymousCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAuditSql } from '@/lib/audit/record-audit';
import { config } from '@/lib/platform/config/config';
import { inTransaction, type Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import { issueUserToken, useUserToken } from './user-token';

const LINK_LIFETIME_SECONDS = 24 * 60 * 60;

/**
 * Mails the link that proves an address. A newer link ends the older ones. The mail does not call the person by name:
 * whoever registers a stranger's address would write to them through us.
 */
export async function sendVerificationMail(tx: Sql, userId: string, email: string): Promise<void> {
  const token = await issueUserToken(tx, userId, 'VERIFY_EMAIL', LINK_LIFETIME_SECONDS);
  await enqueueMail(tx, {
    to: email,
    userId,
    ...layOutMail({
      subject: 'Confirm your email address',
      paragraphs: ['Confirm that this address is yours, so that we can reach you about your events and your account.'],
      action: { label: 'Confirm email address', url: `${config().baseUrl}/verify-email?token=${token}` },
      closing: [
        'The link works once, for 24 hours. A newer one replaces it.',
        'You did not sign up? Then someone mistyped their address: ignore this mail and nothing happens.',
      ],
    }),
  });
}

/** Sends the caller a new link, unless the address is proven already. */
export function resendVerification(caller: PersonCaller): Promise<void> {
  return inTransaction(async (tx) => {
    const { rows } = await tx.query<{ email: string }>(
      'SELECT email FROM users WHERE id = $1 AND erased_at IS NULL AND email_verified_at IS NULL FOR NO KEY UPDATE',
      [caller.userId],
    );
    const user = rows[0];
    if (user !== undefined) await sendVerificationMail(tx, caller.userId, user.email);
  });
}

/**
 * Marks the address proven to which the token was mailed.
 * @throws AppError invalid_token
 */
export function verifyEmail(caller: AnonymousCaller, token: string): Promise<void> {
  return inTransaction(async (tx) => {
    const userId = await useUserToken(tx, token, 'VERIFY_EMAIL');
    const { rowCount } = await tx.query(
      `UPDATE users SET email_verified_at = now(), updated_at = now()
       WHERE id = $1 AND erased_at IS NULL AND email_verified_at IS NULL`,
      [userId],
    );
    if (rowCount === 0) return;
    await recordAuditSql(
      tx,
      { type: 'user', userId, ipAddress: caller.origin.ipAddress },
      { action: 'account.email_verified', organizationId: null, target: { type: 'user', id: userId } },
    );
  });
}
