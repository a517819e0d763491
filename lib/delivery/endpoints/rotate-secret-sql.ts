import { statement } from '@/lib/platform/sql/statement';

/**
 * Gives endpoint $2 of project $1 the secret $3, and keeps the one before until $4. One statement: when two rotations run
 * at once, the second one moves the secret of the first.
 */
export const replaceSecret = statement(
  `UPDATE endpoints SET previous_secret_encrypted = secret_encrypted, previous_secret_expires_at = $4,
          secret_encrypted = $3, updated_at = now()
   WHERE id = $2 AND project_id = $1 AND deleted_at IS NULL`,
);
