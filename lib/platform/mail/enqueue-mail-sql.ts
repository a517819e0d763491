import { byteStrings, uuids, withNulls } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Adds mails to the queue. `users` are the accounts that they are for. Those to an address that nobody has proven take turns by its
 * domain: strangers can cause any number of them, and the mail server of a domain of theirs may hang.
 */
export const addMails = statement(
  `INSERT INTO mails (id, user_id, payload_encrypted, is_bulk, turn_id)
   SELECT m.id, m.user_id, m.content, m.owner_id IS NOT NULL,
          coalesce(m.owner_id, CASE WHEN u.id IS NOT NULL AND u.email_verified_at IS NULL THEN m.domain_id END)
   FROM unnest($ids::uuid[], $users::uuid[], $owners::uuid[], $domains::uuid[], $encryptedContents::bytea[])
     m (id, user_id, owner_id, domain_id, content)
   LEFT JOIN users u ON u.id = m.user_id`,
  {
    params: {
      ids: uuids,
      users: withNulls(uuids),
      owners: withNulls(uuids),
      domains: uuids,
      encryptedContents: byteStrings,
    },
  },
);

/** Deletes mails that are not sent yet. */
export const withdrawMails = statement('DELETE FROM mails WHERE id = ANY($mails)', { params: { mails: uuids } });

/** Wakes a worker that sends mails, once the transaction commits. Mails are of no cell. */
export const wakeWorker = statement(`SELECT pg_notify('eds_mail', '')`);
