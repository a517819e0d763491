import { bytes, nullable, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

export const MAILS_AT_ONCE = 4;

/**
 * Leases the oldest due mails. A lease, as for deliveries: a transaction must not wait for a mail server. It is
 * longer than the timeouts of the mail client.
 */
export const leaseMails = statement(
  `
  UPDATE outbox SET available_at = now() + interval '3 minutes'
  WHERE id = ANY(ARRAY(
    SELECT id FROM outbox WHERE status = 'PENDING' AND kind = 'MAIL' AND available_at <= now()
    ORDER BY available_at, id LIMIT ${MAILS_AT_ONCE} FOR UPDATE SKIP LOCKED))
  RETURNING id, payload_encrypted`,
  { id: uuid, payload_encrypted: nullable(bytes) },
);

export const deleteMail = statement('DELETE FROM outbox WHERE id = $1');
