import { integer } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Counts the keys of a project that work at this moment: `lasting` ones, and `rotated` ones in their grace period.
 *
 * The same condition as `active` in KEY_STATE_SQL, written so that the index on the end of keys serves it.
 * statement_timestamp() and not now(): the transaction may have waited for its lock since it began.
 */
export const countWorkingKeys = statement(
  `SELECT count(*) FILTER (WHERE k.rotated_at IS NULL)::int AS lasting,
          count(*) FILTER (WHERE k.rotated_at IS NOT NULL)::int AS rotated
   FROM api_keys k WHERE k.project_id = $1 AND k.revoked_at IS NULL
     AND (LEAST(k.expires_at, k.grace_ends_at) IS NULL
       OR LEAST(k.expires_at, k.grace_ends_at) > statement_timestamp())`,
  { lasting: integer, rotated: integer },
);
