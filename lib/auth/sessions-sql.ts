import type { Role } from '@/lib/audit/types';
import type { SessionMethod } from '@/lib/platform/prisma/generated/enums';
import { byIndex } from '@/lib/platform/sql/bounded-scan';
import {
  bigint,
  boolean,
  bytes,
  enumOf,
  float,
  integer,
  knownToBeSet,
  nullable,
  text,
  timestamp,
  uuid,
  uuids,
  withNulls,
} from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

const method = enumOf<SessionMethod>('SessionMethod');

export const insertSession = statement(
  `INSERT INTO sessions (id, user_id, organization_id, method, ip_address, user_agent, client_name, expires_at)
   VALUES ($id, $user, $organization, $method::"SessionMethod", $ipAddress, $userAgent, $clientName,
     now() + make_interval(days => $lifetimeDays))`,
  {
    params: {
      id: uuid,
      user: uuid,
      organization: nullable(uuid),
      method,
      ipAddress: nullable(text),
      userAgent: nullable(text),
      clientName: nullable(text),
      lifetimeDays: integer,
    },
  },
);

/** Lists a page of a person's open sessions, newest first. */
export const listOpenSessions = statement(
  `SELECT id, method, created_at, last_used_at, ip_address, user_agent, client_name FROM sessions
   WHERE user_id = $user AND closed_at IS NULL AND expires_at > clock_timestamp() AND ($cursor::uuid IS NULL OR id < $cursor)
   ORDER BY id DESC LIMIT $limit`,
  {
    params: { user: uuid, cursor: nullable(uuid), limit: bigint },
    columns: {
      id: uuid,
      method,
      created_at: timestamp,
      last_used_at: timestamp,
      ip_address: nullable(text),
      user_agent: nullable(text),
      client_name: nullable(text),
    },
  },
);

/** Lists the addresses of a person's last sessions, open or not. */
export const listAddresses = statement(
  'SELECT ip_address FROM (SELECT * FROM sessions WHERE user_id = $user ORDER BY id DESC LIMIT $sessions) s GROUP BY ip_address',
  { params: { user: uuid, sessions: bigint }, columns: { ip_address: nullable(text) } },
);

/**
 * Lists the addresses of the newest sessions of all people: of those who have used the service for an hour, since everybody may register.
 */
export const listNewestAddresses = statement(
  `SELECT ip_address FROM (SELECT * FROM sessions ORDER BY id DESC LIMIT $most) s JOIN users u ON u.id = s.user_id
   WHERE ip_address IS NOT NULL AND last_used_at > u.created_at + interval '1 hour' GROUP BY ip_address`,
  { params: { most: bigint }, columns: { ip_address: knownToBeSet(text) } },
);

/** Finds whether a person's session is open. */
export const findOpenSession = statement(
  'SELECT 1 FROM sessions WHERE id = $session AND user_id = $user AND closed_at IS NULL AND expires_at > clock_timestamp()',
  { params: { session: uuid, user: uuid } },
);

/** Closes a person's session if it is open. */
export const closeOpenSession = statement(
  `UPDATE sessions SET closed_at = clock_timestamp()
   WHERE id = $session AND user_id = $user AND closed_at IS NULL AND expires_at > clock_timestamp()
   RETURNING organization_id`,
  { params: { session: uuid, user: uuid }, columns: { organization_id: nullable(uuid) } },
);

/** Closes a person's open sessions, except the kept one. */
export const closeOpenSessions = statement(
  `UPDATE sessions SET closed_at = clock_timestamp()
   WHERE user_id = $user AND id IS DISTINCT FROM $kept::uuid AND closed_at IS NULL AND expires_at > clock_timestamp()
   RETURNING id, organization_id`,
  { params: { user: uuid, kept: nullable(uuid) }, columns: { id: uuid, organization_id: nullable(uuid) } },
);

/** Open sessions that a person has at most. Further ones close the oldest. */
const MAX_OPEN = 500;
/** Closed at once, so that a sign-in stays fast. The next one closes more. */
const CLOSED_AT_ONCE = 1_000;

/** Closes a person's oldest open sessions beyond those that they may have. Sign-ins at once do not wait for each other. */
export const closeOldestSessions = statement(
  `UPDATE sessions SET closed_at = clock_timestamp() WHERE id = ANY(ARRAY(
     SELECT id FROM sessions WHERE closed_at IS NULL AND id = ANY(ARRAY(
       SELECT id FROM sessions
       WHERE ${byIndex('user_id', '$user')} AND closed_at IS NULL AND expires_at > clock_timestamp()
       ORDER BY user_id DESC, id DESC OFFSET ${MAX_OPEN} LIMIT ${CLOSED_AT_ONCE}))
     FOR UPDATE SKIP LOCKED))
   RETURNING id, organization_id`,
  { params: { user: uuid }, columns: { id: uuid, organization_id: nullable(uuid) } },
);

/** Denies the approved device codes of a person. */
export const denyApprovedCodes = statement(
  `UPDATE device_codes SET status = 'DENIED' WHERE user_id = $user AND status = 'APPROVED'`,
  { params: { user: uuid } },
);

/** Moves a person's session to another organization. */
export const moveSession = statement(
  'UPDATE sessions SET organization_id = $organization WHERE id = $session AND user_id = $user',
  { params: { organization: uuid, session: uuid, user: uuid } },
);

/** Sets the organization that a person's later sign-ins start in. */
export const setLastOrganization = statement('UPDATE users SET last_organization_id = $organization WHERE id = $user', {
  params: { organization: uuid, user: uuid },
});

/** SQL for the expiry of a refresh token of session `s`: its lifetime from now, but never after the session's. */
const EXPIRY_SQL = 'LEAST(now() + make_interval(secs => $lifetimeSeconds), s.expires_at)';

/** SQL for the remaining lifetime of a refresh token just inserted, as a cookie's Max-Age. */
const MAX_AGE_SQL = 'round(extract(epoch FROM expires_at - now()))::int AS max_age_seconds';

/** Stores the first refresh token of a session. */
export const insertRefreshToken = statement(
  `INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
   SELECT $id, s.id, $tokenHash, ${EXPIRY_SQL} FROM sessions s WHERE s.id = $session
   RETURNING ${MAX_AGE_SQL}`,
  {
    params: { id: uuid, tokenHash: bytes, lifetimeSeconds: float, session: uuid },
    columns: { max_age_seconds: integer },
  },
);

/**
 * Spends a token and issues the next in one statement, so that only one of several requests succeeds. Also updates
 * the session's `last_used_at`.
 */
export const spendRefreshToken = statement(
  `
  WITH spent AS (
    UPDATE refresh_tokens r SET spent_at = clock_timestamp()
    FROM sessions s JOIN users u ON u.id = s.user_id AND u.erased_at IS NULL
    WHERE r.token_hash = $tokenHash AND r.spent_at IS NULL AND r.expires_at > clock_timestamp()
      AND s.id = r.session_id AND s.closed_at IS NULL AND s.expires_at > clock_timestamp()
    RETURNING s.id, s.user_id, s.organization_id, s.expires_at
  ), used AS (
    UPDATE sessions SET last_used_at = now() FROM spent WHERE sessions.id = spent.id
  )
  INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
  SELECT $nextId, s.id, $nextHash, ${EXPIRY_SQL} FROM spent s
  RETURNING session_id, ${MAX_AGE_SQL},
    (SELECT user_id FROM spent) AS user_id, (SELECT organization_id FROM spent) AS organization_id`,
  {
    params: { tokenHash: bytes, nextId: uuid, nextHash: bytes, lifetimeSeconds: float },
    columns: { session_id: uuid, max_age_seconds: integer, user_id: uuid, organization_id: nullable(uuid) },
  },
);

/** Finds a spent token of an open session. Its use is a replay after `raceSeconds`. */
export const findSpentToken = statement(
  `SELECT r.session_id, s.user_id, u.email, r.spent_at < clock_timestamp() - make_interval(secs => $raceSeconds) AS is_replay
   FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id JOIN users u ON u.id = s.user_id
   WHERE r.token_hash = $tokenHash AND r.spent_at IS NOT NULL
     AND s.closed_at IS NULL AND s.expires_at > clock_timestamp() AND u.erased_at IS NULL`,
  {
    params: { raceSeconds: float, tokenHash: bytes },
    columns: { session_id: uuid, user_id: uuid, email: text, is_replay: boolean },
  },
);

/** Finds the session of a refresh token, also of a spent one. */
export const findSessionOfToken = statement(
  'SELECT r.session_id, s.user_id FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id WHERE r.token_hash = $tokenHash',
  { params: { tokenHash: bytes }, columns: { session_id: uuid, user_id: uuid } },
);

/** Finds whether the session of a refresh token was closed before it expired. */
export const findEndOfToken = statement(
  `SELECT s.closed_at IS NOT NULL AS is_closed
   FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id WHERE r.token_hash = $tokenHash`,
  { params: { tokenHash: bytes }, columns: { is_closed: boolean } },
);

/** Finds whether a session has a refresh token that can be spent. */
export const findUnspentToken = statement(
  'SELECT 1 FROM refresh_tokens WHERE session_id = $session AND spent_at IS NULL AND expires_at > now() LIMIT 1',
  { params: { session: uuid } },
);

/**
 * Finds the live person of an open session with their role in the organization of the request. The organization and the project
 * are those of the path, null when it names none.
 *
 * Each request of a person costs this one query: session, user, and membership in the organization, each found by
 * primary key. So logout, demotion, removal, erasure and deletion take effect at the next request.
 */
export const findPerson = statement(
  `
  SELECT m.organization_id, m.role, s.last_used_at < now() - interval '1 minute' AS is_stale
  FROM sessions s
  JOIN users u ON u.id = s.user_id AND u.erased_at IS NULL
  LEFT JOIN projects p ON p.id = $project AND p.deleted_at IS NULL
  LEFT JOIN organizations o ON o.deleted_at IS NULL
    AND o.id = CASE WHEN $project::uuid IS NOT NULL THEN p.organization_id ELSE coalesce($organization::uuid, s.organization_id) END
  LEFT JOIN memberships m ON m.organization_id = o.id AND m.user_id = u.id
  WHERE s.id = $session AND s.user_id = $user AND s.closed_at IS NULL AND s.expires_at > clock_timestamp()`,
  {
    params: { project: nullable(uuid), organization: nullable(uuid), session: uuid, user: uuid },
    columns: { organization_id: nullable(uuid), role: nullable(enumOf<Role>('Role')), is_stale: boolean },
    name: 'authenticate-person',
  },
);

/** Finds what `findPerson` does, for persons of open connections, in their order. */
export const findPersons = statement(
  `
  SELECT s.id IS NOT NULL AS is_open, m.role,
    (extract(epoch FROM s.expires_at - clock_timestamp()) * 1000)::float8 AS ends_in_ms
  FROM unnest($sessions::uuid[], $users::uuid[], $organizations::uuid[], $projects::uuid[])
    WITH ORDINALITY AS given (session_id, user_id, organization_id, project_id, n)
  LEFT JOIN (sessions s JOIN users u ON u.id = s.user_id AND u.erased_at IS NULL)
    ON s.id = given.session_id AND s.user_id = given.user_id AND s.closed_at IS NULL AND s.expires_at > clock_timestamp()
  LEFT JOIN projects p ON p.id = given.project_id AND p.deleted_at IS NULL
  LEFT JOIN organizations o ON o.id = given.organization_id AND o.deleted_at IS NULL
    AND (given.project_id IS NULL OR p.organization_id = o.id)
  LEFT JOIN memberships m ON m.organization_id = o.id AND m.user_id = u.id
  ORDER BY given.n`,
  {
    params: { sessions: uuids, users: uuids, organizations: withNulls(uuids), projects: withNulls(uuids) },
    columns: { is_open: boolean, role: nullable(enumOf<Role>('Role')), ends_in_ms: nullable(float) },
    name: 'authenticate-persons',
  },
);

/** Records that a session is used, at most once a minute. */
export const recordUse = statement(
  `UPDATE sessions SET last_used_at = now() WHERE id = $session AND last_used_at < now() - interval '1 minute'`,
  { params: { session: uuid } },
);
