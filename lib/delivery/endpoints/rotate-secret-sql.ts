import { statement } from '@/lib/platform/sql/statement';

/**
 * Makes the statement that gives a row a new secret, and keeps the previous one, if any. One statement: when two rotations
 * run at once, the second one moves the secret of the first. $1 project, $2 row, $3 the new secret, $4 the end of the old one.
 */
export const secretRotation = (table: 'endpoints' | 'destinations' | 'sources') =>
  statement(
    `UPDATE ${table} SET previous_secret_encrypted = secret_encrypted,
            previous_secret_expires_at = CASE WHEN secret_encrypted IS NOT NULL THEN $4::timestamptz END,
            secret_encrypted = $3, updated_at = now()
     WHERE id = $2 AND project_id = $1 AND deleted_at IS NULL`,
  );

export const replaceEndpointSecret = secretRotation('endpoints');
