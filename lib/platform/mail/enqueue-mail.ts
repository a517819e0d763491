import { getDomain } from 'tldts';
import { config } from '@/lib/platform/config/config';
import { sha256 } from '@/lib/platform/crypto';
import type { Sql } from '@/lib/platform/db';
import { encrypt } from '@/lib/platform/encryption';
import { newId } from '@/lib/platform/ids';
import { addMails, wakeWorker } from './enqueue-mail-sql';

/** A mail to send. */
export interface Mail {
  /** The id of what it is about, if the end of that withdraws the mail. */
  id?: string;
  /** One bare address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** The recipient's account: erasing it deletes a mail that is not sent yet. */
  userId?: string;
  /** The owner or inviter who can cause any number of these. They have places of their own, and owners take turns. */
  ownerId?: string;
}

/** A mail in the queue, before encryption. Its id is the Message-ID, so that a mail sent twice can be recognized. */
export interface StoredMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** The encryption purpose of mails (lib/platform/encryption.ts). */
export const MAIL_PURPOSE = 'mail';

/**
 * Adds a mail to the queue in the transaction of the change that it reports: it is sent only if that commits.
 * Encrypts it, because it contains an address and often a token.
 */
export function enqueueMail(tx: Sql, mail: Mail): Promise<void> {
  return enqueueMails(tx, [mail]);
}

/** Adds several mails in one statement. See `enqueueMail`. */
export async function enqueueMails(tx: Sql, mails: readonly Mail[]): Promise<void> {
  if (mails.length === 0) return;
  const ids = mails.map(({ id }) => id ?? newId());
  await addMails.run(tx, {
    ids,
    users: mails.map(({ userId }) => userId ?? null),
    owners: mails.map(({ ownerId }) => ownerId ?? null),
    domains: mails.map(({ to }) => idOfDomain(to)),
    encryptedContents: mails.map(({ userId: _user, ownerId: _owner, ...message }, index) => {
      const stored: StoredMail = { ...message, id: ids[index] ?? '' };
      return encrypt(JSON.stringify(stored), MAIL_PURPOSE);
    }),
  });
  await wakeWorker.run(tx);
}

/**
 * Returns an id of the registrable domain of an address. Whoever has a domain has any number of subdomains, and so has who uses a service
 * that gives names away.
 */
export function idOfDomain(address: string): string {
  const host = address.slice(address.lastIndexOf('@') + 1);
  return sha256(getDomain(host, { allowPrivateDomains: false, extractHostname: false }) ?? host).toString('hex', 0, 16);
}

/** Returns whether emails are sent to a mail server. The web process does not get MAIL_URL, which may contain a password. */
export function isMailSent(): boolean {
  const { MAIL_ENABLED, MAIL_URL } = config();
  return MAIL_ENABLED || MAIL_URL !== undefined;
}
