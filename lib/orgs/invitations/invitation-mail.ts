import type { Role } from '@/lib/audit/types';
import { INVITATION_PATH } from '@/lib/orgs/invitation-path-policy';
import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';

const ROLE_WORDS: Record<Role, string> = {
  VIEWER: 'a viewer',
  DEVELOPER: 'a developer',
  ADMIN: 'an admin',
  OWNER: 'an owner',
};

interface InvitationMail {
  /** The invitation's id. Its mail has the same id, so that a mail that still waits can be taken back. */
  id: string;
  /** The account of the address; null when it has none. */
  to: { email: string; userId: string | null };
  organizationName: string;
  inviter: { userId: string; email: string; isVerified: boolean };
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
    id: mail.id,
    to: to.email,
    ownerId: inviter.userId,
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

/** Longer names are cut in a mail: this is enough to recognize a name, and too short for a message. */
const MAX_CHARACTERS = 60;

/**
 * Returns another person's text for a mail that we send, on one line and cut to 60 characters. Mail programs turn
 * anything that looks like a link into one (`example.com`, `www.…`, `https://…`, `a@b.c`), so nothing that does is
 * left.
 */
export function withoutLinks(text: string): string {
  const folded = text.normalize('NFKC').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  const characters = [...folded];
  const short = characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS).join('').trim()}…` : folded;
  return short.replace(/[.。:/\\@](?=\S)/gu, '$& ');
}

/** Returns an address for a mail: unchanged when it can only be read as an address, else as text without links. */
export function addressWithoutLinks(email: string): string {
  return /^[\p{L}\p{M}\p{N}._+-]+@[^@\s]+$/u.test(email) ? email : withoutLinks(email);
}

/** Returns the page that accepts an invitation. */
export function invitationUrl(token: string): string {
  return `${config().baseUrl}${INVITATION_PATH}?token=${token}`;
}
