import { recordAuditSql } from '@/lib/audit/record-audit';
import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import type { Origin } from '@/lib/platform/origin';
import { sendNotice } from './notices';
import { issueUserToken } from './user-token';

const LINK_LIFETIME_SECONDS = 24 * 60 * 60;

/**
 * Mails the link that confirms a password whose owner had not proven the address when a provider account was linked
 * (CONTRACT 2, Identity provider). A newer link ends the older ones; a reset or a change of the password ends them too,
 * so that a link confirms no other password than the one it was sent for.
 */
export async function sendPasswordConfirmationMail(tx: Sql, userId: string, email: string): Promise<void> {
  const token = await issueUserToken(tx, userId, 'CONFIRM_PASSWORD', LINK_LIFETIME_SECONDS);
  await enqueueMail(tx, {
    to: email,
    userId,
    ...layOutMail({
      subject: 'Confirm the password of your account',
      paragraphs: [
        'A password was set for this account before anyone had shown that this address is theirs. Until it is confirmed, nobody can sign in with it; every other way in works.',
        'Confirm it only if you chose that password yourself.',
        'Projects, API keys, endpoints and members that were there have stayed, since they may be yours. Look through them, and revoke and remove what you did not make.',
      ],
      action: { label: 'Look at it and confirm', url: `${config().baseUrl}/verify-email?token=${token}` },
      closing: [
        'The link works once, for 24 hours. A newer one replaces it.',
        `You did not choose a password? Do not confirm it: someone else did. Replace it instead: ${config().baseUrl}/forgot-password`,
      ],
    }),
  });
}

/**
 * Confirms the password that stands. The caller has just used up a link sent for it; the links for an earlier one ended
 * when that was replaced.
 */
export async function confirmPassword(
  tx: Sql,
  origin: Origin,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE users SET password_confirmed = true, updated_at = now()
     WHERE id = $1 AND erased_at IS NULL AND password_hash IS NOT NULL AND NOT password_confirmed`,
    [userId],
  );
  if (rowCount === 0) return;
  await recordAuditSql(
    tx,
    { type: 'user', userId, ipAddress: origin.ipAddress },
    { action: 'account.password_confirmed', organizationId: null, target: { type: 'user', id: userId } },
  );
  await sendNotice(tx, { userId, email }, 'password_confirmed', { origin });
}
