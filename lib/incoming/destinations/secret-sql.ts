import { statement } from '@/lib/platform/sql/statement';

/**
 * Gives destination $3 of source $2 of project $1 the secret $4, and keeps the previous one, if any, until $5. One
 * statement: when two rotations run at once, the second one moves the secret of the first.
 */
export const rotateSecret = statement(
  `UPDATE destinations SET previous_secret_encrypted = secret_encrypted,
          previous_secret_expires_at = CASE WHEN secret_encrypted IS NOT NULL THEN $5::timestamptz END,
          secret_encrypted = $4, updated_at = now()
   WHERE id = $3 AND source_id = $2 AND project_id = $1 AND deleted_at IS NULL`,
);
