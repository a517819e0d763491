import { booleans, byteStrings, uuids, withNulls } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Adds mails to the queue. `users` are the accounts that they are for. */
export const addMails = statement(
  `INSERT INTO mails (id, user_id, payload_encrypted, is_bulk)
   SELECT id, user_id, content, is_bulk
   FROM unnest($ids::uuid[], $users::uuid[], $encryptedContents::bytea[], $areBulk::bool[]) mail (id, user_id, content, is_bulk)`,
  { params: { ids: uuids, users: withNulls(uuids), encryptedContents: byteStrings, areBulk: booleans } },
);

/** Wakes a worker that sends mails, once the transaction commits. Mails are of no cell. */
export const wakeWorker = statement(`SELECT pg_notify('eds_mail', '')`);
