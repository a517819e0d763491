import { boolean, integer, nullable, text, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** SQL for the expiry of a refresh token of session `s`: $4 seconds from now, but never after the session's. */
const EXPIRY_SQL = 'LEAST(now() + make_interval(secs => $4), s.expires_at)';

/** SQL for the remaining lifetime of a refresh token just inserted, as a cookie's Max-Age. */
const MAX_AGE_SQL = 'round(extract(epoch FROM expires_at - now()))::int AS max_age_seconds';

/** Stores the first refresh token of a session. $1 id, $2 session, $3 hash, $4 lifetime in seconds. */
export const insertRefreshToken = statement(
  `INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
   SELECT $1, s.id, $3, ${EXPIRY_SQL} FROM sessions s WHERE s.id = $2
   RETURNING ${MAX_AGE_SQL}`,
  { max_age_seconds: integer },
);

/**
 * Spends a token and issues the next in one statement, so that only one of several requests succeeds. Also updates
 * the session's `last_used_at`. $1 hash, $2 id, $3 hash and $4 lifetime in seconds of the next.
 */
export const spendRefreshToken = statement(
  `
  WITH spent AS (
    UPDATE refresh_tokens r SET spent_at = clock_timestamp()
    FROM sessions s JOIN users u ON u.id = s.user_id AND u.erased_at IS NULL
    WHERE r.token_hash = $1 AND r.spent_at IS NULL AND r.expires_at > clock_timestamp()
      AND s.id = r.session_id AND s.closed_at IS NULL AND s.expires_at > clock_timestamp()
    RETURNING s.id, s.user_id, s.organization_id, s.expires_at
  ), used AS (
    UPDATE sessions SET last_used_at = now() FROM spent WHERE sessions.id = spent.id
  )
  INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
  SELECT $2, s.id, $3, ${EXPIRY_SQL} FROM spent s
  RETURNING session_id, ${MAX_AGE_SQL},
    (SELECT user_id FROM spent) AS user_id, (SELECT organization_id FROM spent) AS organization_id`,
  { session_id: uuid, max_age_seconds: integer, user_id: uuid, organization_id: nullable(uuid) },
);

/** Finds a spent token of an open session. $1 hash, $2 seconds after which its use is a replay. */
export const findSpentToken = statement(
  `SELECT r.session_id, s.user_id, u.email, r.spent_at < clock_timestamp() - make_interval(secs => $2) AS is_replay
   FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id JOIN users u ON u.id = s.user_id
   WHERE r.token_hash = $1 AND r.spent_at IS NOT NULL
     AND s.closed_at IS NULL AND s.expires_at > clock_timestamp() AND u.erased_at IS NULL`,
  { session_id: uuid, user_id: uuid, email: text, is_replay: boolean },
);

/** Finds the session of a refresh token, also of a spent one. $1 hash. */
export const findSessionOfToken = statement(
  'SELECT r.session_id, s.user_id FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id WHERE r.token_hash = $1',
  { session_id: uuid, user_id: uuid },
);

/** Finds whether the session of a refresh token was closed before it expired. $1 hash. */
export const findEndOfToken = statement(
  `SELECT s.closed_at IS NOT NULL AS is_closed
   FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id WHERE r.token_hash = $1`,
  { is_closed: boolean },
);

/** Finds whether a session has a refresh token that can be spent. $1 session. */
export const findUnspentToken = statement(
  'SELECT 1 FROM refresh_tokens WHERE session_id = $1 AND spent_at IS NULL AND expires_at > now()',
);
