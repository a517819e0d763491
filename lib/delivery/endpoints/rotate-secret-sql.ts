import { bytes, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Makes the statement that gives a row a new secret, and keeps the previous one, if any. One statement: when two rotations
 * run at once, the second one moves the secret of the first. `expiresAt` is the end of the previous one.
 */
export const secretRotation = (table: 'endpoints' | 'destinations' | 'sources') =>
  statement(
    `UPDATE ${table} SET previous_secret_encrypted = secret_encrypted,
            previous_secret_expires_at = CASE WHEN secret_encrypted IS NOT NULL THEN $expiresAt::timestamptz END,
            secret_encrypted = $secret, updated_at = now()
     WHERE id = $row AND project_id = $project AND deleted_at IS NULL`,
    { params: { expiresAt: timestamp, secret: bytes, row: uuid, project: uuid } },
  );

export const replaceEndpointSecret = secretRotation('endpoints');

/** Makes the statement that ends the previous secret of a row, if it has one that is valid. */
export const previousSecretEnd = (table: 'endpoints' | 'destinations' | 'sources') =>
  statement(
    `UPDATE ${table} SET previous_secret_encrypted = NULL, previous_secret_expires_at = NULL, updated_at = now()
     WHERE id = $row AND project_id = $project AND deleted_at IS NULL AND previous_secret_expires_at > now()`,
    { params: { row: uuid, project: uuid } },
  );

export const endEndpointSecret = previousSecretEnd('endpoints');
