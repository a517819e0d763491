import type { Sql } from '@/lib/platform/db';
import { encrypt } from '@/lib/platform/encryption';
import { newId } from '@/lib/platform/ids';
import { addMail, wakeWorker } from './enqueue-mail-sql';
import { MAIL_PURPOSE, type Mail, type StoredMail } from './message';

/**
 * Adds a mail to the outbox in the transaction of the change that it reports: it is sent only if that commits.
 * Encrypts it, because it contains an address and often a token.
 */
export async function enqueueMail(tx: Sql, mail: Mail): Promise<void> {
  const { userId, ...message } = mail;
  const id = newId();
  const stored: StoredMail = { id, ...message };
  await addMail.run(tx, id, userId ?? null, encrypt(JSON.stringify(stored), MAIL_PURPOSE));
  await wakeWorker.run(tx);
}
