import { byteStrings, bytes, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Sets the hashes of the tokens in the URLs of a source or tunnel, within the transaction that changes its row. */
export const setUrlTokens = statement(
  `WITH ended AS (
     DELETE FROM url_tokens
     WHERE project_id = $project AND parent_id = $parent AND token_hash <> ALL($tokenHashes::bytea[])
   )
   INSERT INTO url_tokens (token_hash, parent_id, project_id)
   SELECT token_hash, $parent, $project FROM unnest($tokenHashes::bytea[]) AS t (token_hash) ON CONFLICT DO NOTHING`,
  { params: { project: uuid, parent: uuid, tokenHashes: byteStrings } },
);

/** Finds the projects of tokens by their hashes. */
export const findProjectsOfUrlTokens = statement(
  'SELECT token_hash, project_id FROM url_tokens WHERE token_hash = ANY($tokenHashes::bytea[])',
  {
    params: { tokenHashes: byteStrings },
    columns: { token_hash: bytes, project_id: uuid },
    name: 'projects-of-url-tokens',
  },
);
