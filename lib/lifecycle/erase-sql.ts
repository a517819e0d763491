import { boolean, text } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Locks the account $1, unless it is erased. */
export const lockAccount = statement(
  `SELECT email, email_verified_at IS NOT NULL AS is_proven FROM users
   WHERE id = $1 AND erased_at IS NULL FOR UPDATE`,
  { email: text, is_proven: boolean },
);

/** Finds whether session $1 of person $2 is still open. */
export const findOpenSession = statement('SELECT 1 FROM sessions WHERE id = $1 AND user_id = $2 AND closed_at IS NULL');

/** Removes person $2 from organization $1. */
export const deleteMembership = statement('DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2');

/** Deletes organizations $1. The name often identifies a person: it is $2 until the row is removed. */
export const markDeleted = statement(
  `UPDATE organizations SET deleted_at = now(), updated_at = now(), name = $2
   WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL`,
);

export const deleteMemberships = statement('DELETE FROM memberships WHERE organization_id = ANY($1::uuid[])');

/** Makes the workers read their endpoints again. */
export const wakeDelivery = statement(`SELECT pg_notify('eds_delivery', '')`);
