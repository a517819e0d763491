import { statement } from '@/lib/platform/sql/statement';

/**
 * Moves the secret of a source to the previous one. One statement: when two rotations run at once, the second one moves the
 * secret of the first. $1 project, $2 source, $3 the new secret, $4 the end of the old one; without an old one there is
 * nothing to keep.
 */
export const rotateSecret = statement(
  `UPDATE sources SET previous_secret_encrypted = secret_encrypted,
          previous_secret_expires_at = CASE WHEN secret_encrypted IS NOT NULL THEN $4::timestamptz END,
          secret_encrypted = $3, updated_at = now()
   WHERE id = $2 AND project_id = $1 AND deleted_at IS NULL`,
);

/** Moves the token of a source's URL to the previous one. $1 project, $2 source, $3 hash, $4 ciphertext, $5 the end of the old one. */
export const rotateToken = statement(
  `UPDATE sources SET previous_token_hash = token_hash, previous_token_expires_at = $5::timestamptz,
          token_hash = $3, token_encrypted = $4, updated_at = now()
   WHERE id = $2 AND project_id = $1 AND deleted_at IS NULL`,
);
