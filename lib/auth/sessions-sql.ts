import type { Role } from '@/lib/audit/types';
import type { SessionMethod } from '@/lib/platform/prisma/generated/enums';
import { boolean, enumOf, float, integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Stores a session. $1 id, $2 user, $3 organization, $4 method, $5 IP address, $6 user agent, $7 name of the client, $8
 * lifetime in days.
 */
export const insertSession = statement(
  `INSERT INTO sessions (id, user_id, organization_id, method, ip_address, user_agent, client_name, expires_at)
   VALUES ($1, $2, $3, $4::"SessionMethod", $5, $6, $7, now() + make_interval(days => $8))`,
);

/** Lists a page of a person's open sessions, newest first. $1 user, $2 cursor or null, $3 rows. */
export const listOpenSessions = statement(
  `SELECT id, method, created_at, last_used_at, ip_address, user_agent, client_name FROM sessions
   WHERE user_id = $1 AND closed_at IS NULL AND expires_at > clock_timestamp() AND ($2::uuid IS NULL OR id < $2)
   ORDER BY id DESC LIMIT $3`,
  {
    id: uuid,
    method: enumOf<SessionMethod>('SessionMethod'),
    created_at: timestamp,
    last_used_at: timestamp,
    ip_address: nullable(text),
    user_agent: nullable(text),
    client_name: nullable(text),
  },
);

/** Lists the addresses of a person's last sessions, open or not. $1 user, $2 sessions. */
export const listAddresses = statement(
  'SELECT ip_address FROM (SELECT * FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT $2) s GROUP BY ip_address',
  { ip_address: nullable(text) },
);

/** Finds whether a person's session is open. $1 session, $2 user. */
export const findOpenSession = statement(
  'SELECT 1 FROM sessions WHERE id = $1 AND user_id = $2 AND closed_at IS NULL AND expires_at > clock_timestamp()',
);

/** Closes a person's session if it is open. $1 session, $2 user. */
export const closeOpenSession = statement(
  `UPDATE sessions SET closed_at = clock_timestamp()
   WHERE id = $1 AND user_id = $2 AND closed_at IS NULL AND expires_at > clock_timestamp()
   RETURNING organization_id`,
  { organization_id: nullable(uuid) },
);

/** Closes a person's open sessions. $1 user, $2 the session that stays open, or null. */
export const closeOpenSessions = statement(
  `UPDATE sessions SET closed_at = clock_timestamp()
   WHERE user_id = $1 AND id IS DISTINCT FROM $2::uuid AND closed_at IS NULL AND expires_at > clock_timestamp()
   RETURNING id, organization_id`,
  { id: uuid, organization_id: nullable(uuid) },
);

/** Denies the approved device codes of a person. $1 user. */
export const denyApprovedCodes = statement(
  `UPDATE device_codes SET status = 'DENIED' WHERE user_id = $1 AND status = 'APPROVED'`,
);

/** Moves a person's session to another organization. $1 session, $2 organization, $3 user. */
export const moveSession = statement('UPDATE sessions SET organization_id = $2 WHERE id = $1 AND user_id = $3');

/** Sets the organization that a person's later sign-ins start in. $1 user, $2 organization. */
export const setLastOrganization = statement('UPDATE users SET last_organization_id = $2 WHERE id = $1');

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

/**
 * Finds the live person of an open session with their role in the organization of the request. $1 session, $2 user, $3
 * organization and $4 project of the path, null when it names none.
 *
 * Each request of a person costs this one query: session, user, and membership in the organization, each found by
 * primary key. So logout, demotion, removal, erasure and deletion take effect at the next request.
 */
export const findPerson = statement(
  `
  SELECT m.organization_id, m.role, s.last_used_at < now() - interval '1 minute' AS is_stale
  FROM sessions s
  JOIN users u ON u.id = s.user_id AND u.erased_at IS NULL
  LEFT JOIN projects p ON p.id = $4 AND p.deleted_at IS NULL
  LEFT JOIN organizations o ON o.deleted_at IS NULL
    AND o.id = CASE WHEN $4::uuid IS NOT NULL THEN p.organization_id ELSE coalesce($3::uuid, s.organization_id) END
  LEFT JOIN memberships m ON m.organization_id = o.id AND m.user_id = u.id
  WHERE s.id = $1 AND s.user_id = $2 AND s.closed_at IS NULL AND s.expires_at > clock_timestamp()`,
  { organization_id: nullable(uuid), role: nullable(enumOf<Role>('Role')), is_stale: boolean },
  { name: 'authenticate-person' },
);

/**
 * Finds what `findPerson` does, for persons of open connections, in their order. $1 sessions, $2 users, $3 their organizations,
 * $4 their projects or null.
 */
export const findPersons = statement(
  `
  SELECT s.id IS NOT NULL AS is_open, m.role,
    (extract(epoch FROM s.expires_at - clock_timestamp()) * 1000)::float8 AS ends_in_ms
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[])
    WITH ORDINALITY AS given (session_id, user_id, organization_id, project_id, n)
  LEFT JOIN (sessions s JOIN users u ON u.id = s.user_id AND u.erased_at IS NULL)
    ON s.id = given.session_id AND s.user_id = given.user_id AND s.closed_at IS NULL AND s.expires_at > clock_timestamp()
  LEFT JOIN projects p ON p.id = given.project_id AND p.deleted_at IS NULL
  LEFT JOIN organizations o ON o.id = given.organization_id AND o.deleted_at IS NULL
    AND (given.project_id IS NULL OR p.organization_id = o.id)
  LEFT JOIN memberships m ON m.organization_id = o.id AND m.user_id = u.id
  ORDER BY given.n`,
  { is_open: boolean, role: nullable(enumOf<Role>('Role')), ends_in_ms: nullable(float) },
  { name: 'authenticate-persons' },
);

/** Records that a session is used, at most once a minute. $1 session. */
export const recordUse = statement(
  `UPDATE sessions SET last_used_at = now() WHERE id = $1 AND last_used_at < now() - interval '1 minute'`,
);
