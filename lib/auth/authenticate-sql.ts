import type { Role } from '@/lib/audit/types';
import { boolean, enumOf, float, nullable, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

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
