import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { rescheduleMail } from './outbox/outbox-failures';

/** Sends an encrypted mail. @throws when the mail server does not accept it */
export type SendMail = (payloadEncrypted: Uint8Array) => Promise<void>;

const MAILS_AT_ONCE = 4;

/*
 * A lease, as for deliveries: a transaction must not wait for a mail server. It is longer than the timeouts of the mail client.
 */
const CLAIM_SQL = `
  UPDATE outbox SET available_at = now() + interval '3 minutes'
  WHERE id = ANY(ARRAY(
    SELECT id FROM outbox WHERE status = 'PENDING' AND kind = 'MAIL' AND available_at <= now()
    ORDER BY available_at, id LIMIT ${MAILS_AT_ONCE} FOR UPDATE SKIP LOCKED))
  RETURNING id, payload_encrypted`;

/** Sends a few due mails of the outbox. @returns whether more may be due */
export async function sendDueMails(send: SendMail): Promise<boolean> {
  const { rows } = await database().query<{ id: string; payload_encrypted: Buffer | null }>(CLAIM_SQL);
  await Promise.all(
    rows.map(async ({ id, payload_encrypted }) => {
      try {
        await send(payload_encrypted ?? Buffer.alloc(0));
      } catch (error) {
        log().warn({ err: error, outboxId: id }, 'mail could not be sent; trying again later');
        await rescheduleMail(database(), id, error);
        return;
      }
      await database().query('DELETE FROM outbox WHERE id = $1', [id]);
    }),
  );
  return rows.length === MAILS_AT_ONCE;
}
