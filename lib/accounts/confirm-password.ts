import { recordAudit } from '@/lib/audit/record-audit';
import type { ClientInfo } from '@/lib/platform/client-info';
import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import { confirmCurrentPassword } from './accounts-sql';
import { sendNotice } from './notices';
import { issueUserToken } from './user-token';

const LINK_LIFETIME_SECONDS = 24 * 60 * 60;

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
  if ((await confirmCurrentPassword.run(tx, userId)) === 0) return;
  await recordAudit(
    tx,
    { type: 'user', userId, ipAddress: client.ipAddress },
    { action: 'account.password_confirmed', organizationId: null, target: { type: 'user', id: userId } },
  );
  await sendNotice(tx, { userId, email }, 'password_confirmed', { client });
}
