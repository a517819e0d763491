import type { Sql } from '@/lib/platform/db';
import { encrypt } from '@/lib/platform/encryption';
import { newId } from '@/lib/platform/ids';
import { MAIL_PURPOSE, type Mail, type StoredMail } from './message';

/**
 * Puts a mail into the outbox, in the transaction of the change it tells of: it is sent if and only if that commits.
 * Sealed, since it holds an address and often a token.
 */
export async function enqueueMail(tx: Sql, mail: Mail): Promise<void> {
  const { userId, ...message } = mail;
  const id = newId();
  const stored: StoredMail = { id, ...message };
  await tx.query(`INSERT INTO outbox (id, kind, user_id, payload_encrypted) VALUES ($1, 'MAIL', $2, $3)`, [
    id,
    userId ?? null,
    encrypt(JSON.stringify(stored), MAIL_PURPOSE),
  ]);
  await tx.query(`SELECT pg_notify('eds_outbox', '')`);
}
