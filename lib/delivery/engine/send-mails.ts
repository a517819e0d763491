import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { deleteMail, leaseMails } from './messages-sql';
import { rescheduleMail } from './outbox/outbox-failures';

/** Sends an encrypted mail. @throws when the mail server does not accept it */
export type SendMail = (payloadEncrypted: Uint8Array) => Promise<void>;

/** Sends a few due mails. @returns whether more may be due */
export async function sendDueMails(send: SendMail): Promise<boolean> {
  const rows = await leaseMails.all(database());
  await Promise.all(
    rows.map(async ({ id, payload_encrypted }) => {
      try {
        await send(payload_encrypted);
      } catch (error) {
        log().warn({ err: error, outboxId: id }, 'email could not be sent; trying again later');
        await rescheduleMail(database(), id, error);
        return;
      }
      await deleteMail.run(database(), { mail: id });
    }),
  );
  return rows.length > 0;
}
