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
      subject: 'Confirm the password of your account',
      paragraphs: [
        'A password was set for this account before anyone had verified this address. Until the password is confirmed, nobody can sign in with it. Every other way to sign in works.',
        'Confirm it only if you chose that password yourself.',
        'The existing projects, API keys, endpoints and members were kept, since they may be yours. Review them, and remove what you did not create.',
      ],
      action: { label: 'Review and confirm', url: `${config().baseUrl}/verify-email?token=${token}` },
      closing: [
        'The link works once, for 24 hours. A newer one replaces it.',
        `If you did not choose a password, someone else did. Do not confirm it. Replace it instead: ${config().baseUrl}/forgot-password`,
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
