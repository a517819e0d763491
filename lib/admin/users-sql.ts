import type { Role } from '@/lib/audit/types';
import { boolean, integer, jsonOf, nullable, text, texts, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Selects people, newest first. $1 the cursor or null, $2 how their address starts or null, $3 how many. */
export const selectUsers = statement(
  `
  SELECT u.id, u.email, u.name, u.created_at,
    u.email_verified_at IS NOT NULL AS email_verified, u.password_hash IS NOT NULL AS has_password,
    ARRAY(SELECT i.issuer FROM identities i WHERE i.user_id = u.id ORDER BY i.id) AS issuers,
    (SELECT count(*)::int FROM sessions s
     WHERE s.user_id = u.id AND s.closed_at IS NULL AND s.expires_at > clock_timestamp()) AS open_sessions,
    (SELECT coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role) ORDER BY o.id), '[]')
     FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
     WHERE m.user_id = u.id) AS organizations
  FROM users u
  WHERE u.erased_at IS NULL AND ($1::uuid IS NULL OR u.id < $1) AND ($2::text IS NULL OR starts_with(u.email, $2))
  ORDER BY u.id DESC LIMIT $3`,
  {
    id: uuid,
    email: text,
    name: nullable(text),
    created_at: timestamp,
    email_verified: boolean,
    has_password: boolean,
    issuers: texts,
    open_sessions: integer,
    organizations: jsonOf<{ id: string; name: string; role: Role }[]>('json'),
  },
);

/** Selects the addresses of the people $1 whose account is not erased. */
export const selectAddresses = statement('SELECT id, email FROM users WHERE id = ANY($1) AND erased_at IS NULL', {
  id: uuid,
  email: text,
});

/** Locks the row of a person with the lock that a sign-in takes. */
export const lockUser = statement('SELECT id, email FROM users WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE', {
  id: uuid,
  email: text,
});
