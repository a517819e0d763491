import { statement } from '@/lib/platform/sql/statement';

/** Adds a mail to the outbox. $1 its id, $2 the account that it is for, or null, $3 its encrypted content. */
export const addMail = statement(
  `INSERT INTO outbox (id, kind, user_id, payload_encrypted) VALUES ($1, 'MAIL', $2, $3)`,
);

/** Wakes the worker that sends what is in the outbox, once the transaction commits. */
export const wakeWorker = statement(`SELECT pg_notify('eds_outbox', '')`);
