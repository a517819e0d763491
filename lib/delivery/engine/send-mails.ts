import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { rescheduleMail } from './outbox/outbox-failures';

/** Sends a sealed mail. @throws when it was not taken */
export type SendMail = (payloadEncrypted: Uint8Array) => Promise<void>;

const MAILS_AT_ONCE = 4;

/*
 * Leased like deliveries, by moving the time they are due: a mail server must not be waited for inside a transaction.
 * Long enough for every timeout of the mail client.
 */
const CLAIM_SQL = `
  UPDATE outbox SET available_at = now() + interval '3 minutes'
  WHERE id = ANY(ARRAY(
    SELECT id FROM outbox WHERE status = 'PENDING' AND kind = 'MAIL' AND available_at <= now()
    ORDER BY available_at, id LIMIT ${MAILS_AT_ONCE} FOR UPDATE SKIP LOCKED))
  RETURNING id, payload_encrypted`;

/** Sends the mails of the outbox that are due, a few at once. @returns whether there may be more */
export async function sendDueMails(send: SendMail): Promise<boolean> {
  const { rows } = await database().query<{ id: string; payload_encrypted: Buffer | null }>(CLAIM_SQL);
  await Promise.all(
    rows.map(async ({ id, payload_encrypted }) => {
      try {
        await send(payload_encrypted ?? Buffer.alloc(0));
      } catch (error) {
        log().warn({ err: error, outboxId: id }, 'a mail could not be sent; trying again later');
        await rescheduleMail(database(), id, error);
        return;
      }
      await database().query('DELETE FROM outbox WHERE id = $1', [id]);
    }),
  );
  return rows.length === MAILS_AT_ONCE;
}
