import { boolean, bytes, nullable, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Adds a mail to the outbox. `user` is the account that it is for. */
export const addMail = statement(
  `INSERT INTO outbox (id, kind, user_id, payload_encrypted, is_bulk)
   VALUES ($id, 'MAIL', $user, $encryptedContent, $isBulk)`,
  { params: { id: uuid, user: nullable(uuid), encryptedContent: bytes, isBulk: boolean } },
);

/** Wakes the worker that sends what is in the outbox, once the transaction commits. */
export const wakeWorker = statement(`SELECT pg_notify('eds_outbox', '')`);
