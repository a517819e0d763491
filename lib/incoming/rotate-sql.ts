import { previousSecretEnd, secretRotation } from '@/lib/delivery/endpoints/rotate-secret-sql';
import { bytes, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

export const replaceSourceSecret = secretRotation('sources');
export const replaceDestinationSecret = secretRotation('destinations');
export const endSourceSecret = previousSecretEnd('sources');
export const endDestinationSecret = previousSecretEnd('destinations');

/** Moves the token of a source's URL to the previous one, which works until `endsAt`. */
export const rotateToken = statement(
  `UPDATE sources SET previous_token_hash = token_hash, previous_token_expires_at = $endsAt::timestamptz,
          token_hash = $tokenHash, token_encrypted = $tokenEncrypted, updated_at = now()
   WHERE id = $source AND project_id = $project AND deleted_at IS NULL`,
  { params: { endsAt: timestamp, tokenHash: bytes, tokenEncrypted: bytes, source: uuid, project: uuid } },
);
