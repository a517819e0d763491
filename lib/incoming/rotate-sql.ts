import { secretRotation } from '@/lib/delivery/endpoints/rotate-secret-sql';
import { statement } from '@/lib/platform/sql/statement';

export const replaceSourceSecret = secretRotation('sources');
export const replaceDestinationSecret = secretRotation('destinations');

/** Moves the token of a source's URL to the previous one. $1 project, $2 source, $3 hash, $4 ciphertext, $5 the end of the old one. */
export const rotateToken = statement(
  `UPDATE sources SET previous_token_hash = token_hash, previous_token_expires_at = $5::timestamptz,
          token_hash = $3, token_encrypted = $4, updated_at = now()
   WHERE id = $2 AND project_id = $1 AND deleted_at IS NULL`,
);
