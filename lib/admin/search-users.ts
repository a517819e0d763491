import { nameProvider } from '@/lib/accounts/list-identities';
import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { Role } from '@/lib/audit/types';
import { listLockouts } from '@/lib/auth/list-lockouts';
import { database } from '@/lib/platform/db';
import { type Listing, toListing } from '@/lib/platform/pagination';
import type { SearchUsersQuery, UserRecord } from './schema';

interface UserRow {
  id: string;
  email: string;
  name: string | null;
  created_at: Date;
  email_verified: boolean;
  has_password: boolean;
  issuers: string[];
  open_sessions: number;
  organizations: { id: string; name: string; role: Role }[];
}

const USERS_SQL = `
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
  ORDER BY u.id DESC LIMIT $3`;

/**
 * Lists people whose address starts with the given text, newest first; erased accounts are left out. Writes the
 * people in the result to the audit log, because the result is personal data.
 */
export async function searchUsers(caller: OperatorCaller, query: SearchUsersQuery): Promise<Listing<UserRecord>> {
  const { rows } = await database().query<UserRow>(USERS_SQL, [
    query.cursor ?? null,
    query.email ?? null,
    query.limit + 1,
  ]);
  const shown = rows.slice(0, query.limit);
  const lockouts = await listLockouts(shown.map(({ email }) => email));
  await recordAudit(database(), caller, {
    action: 'account.searched',
    organizationId: null,
    target: { type: 'user', id: shown.length === 1 ? (shown[0]?.id ?? null) : null },
    details: { userIds: shown.map(({ id }) => id) },
  });
  return toListing(rows, query.limit, (row) => presentUserRecord(row, lockouts.get(row.email) ?? null));
}

function presentUserRecord(row: UserRow, lockout: UserRecord['lockout']): UserRecord {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    emailVerified: row.email_verified,
    hasPassword: row.has_password,
    providers: row.issuers.map(nameProvider),
    lockout,
    openSessions: row.open_sessions,
    organizations: row.organizations,
  };
}
