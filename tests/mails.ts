import { database } from '@/lib/platform/db';
import { decrypt } from '@/lib/platform/encryption';
import { MAIL_PURPOSE, type StoredMail } from '@/lib/platform/mail/message';

/** Reads the mails to an address in the outbox, oldest first. */
export async function queuedMails(to: string): Promise<StoredMail[]> {
  const { rows } = await database().query<{ payload_encrypted: Buffer }>(
    `SELECT payload_encrypted FROM outbox WHERE kind = 'MAIL' ORDER BY id`,
  );
  return rows
    .map((row) => JSON.parse(decrypt(row.payload_encrypted, MAIL_PURPOSE)) as StoredMail)
    .filter((mail) => mail.to === to);
}

/** Returns the token in the link of a mail. */
export function tokenIn(mail: StoredMail | undefined): string {
  return /\?token=([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
}
