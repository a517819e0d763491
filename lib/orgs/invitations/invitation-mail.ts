import type { Role } from '@/lib/audit/types';
import type { Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import { invitationUrl } from './invitation-url';
import { addressWithoutLinks, withoutLinks } from './without-links';

const ROLE_WORDS: Record<Role, string> = {
  VIEWER: 'a viewer',
  DEVELOPER: 'a developer',
  ADMIN: 'an admin',
  OWNER: 'an owner',
};

interface InvitationMail {
  /** The account of the address; null when it has none. */
  to: { email: string; userId: string | null };
  organizationName: string;
  inviter: { email: string; isVerified: boolean };
  role: Role;
  token: string;
}

/**
 * Mails an invitation. The inviter chose its recipient and the names in it, so the names contain no links, the
 * subject contains no names, and an unverified address of the inviter is marked as such.
 */
export async function sendInvitationMail(tx: Sql, mail: InvitationMail): Promise<void> {
  const { to, inviter, role } = mail;
  const address = addressWithoutLinks(inviter.email);
  await enqueueMail(tx, {
    to: to.email,
    ...(to.userId === null ? {} : { userId: to.userId }),
    ...layOutMail({
      subject: "You're invited to join an organization",
      paragraphs: [
        `You’re invited to join “${withoutLinks(mail.organizationName)}” as ${ROLE_WORDS[role]}.`,
        `Invited by: ${address}${inviter.isVerified ? '' : ' (unverified address)'}`,
      ],
      action: { label: 'View invitation', url: invitationUrl(mail.token) },
      closing: [
        'This link works once, only for an account with this email address, and expires in 7 days. A newer link replaces it.',
        'If you don’t know who invited you, ignore this email. The sender chose the names above.',
      ],
    }),
  });
}
