import { nameProvider } from '@/lib/accounts/list-identities';
import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { listLockouts } from '@/lib/auth/list-lockouts';
import { database } from '@/lib/platform/db';
import { type Listing, toListing } from '@/lib/platform/pagination';
import type { RowOf } from '@/lib/platform/sql/statement';
import type { SearchUsersQuery, UserRecord } from './schema';
import { selectUsers } from './users-sql';

/**
 * Lists people whose address starts with the given text, newest first; erased accounts are left out. Writes the
 * people in the result to the audit log, because the result is personal data.
 */
export async function searchUsers(caller: OperatorCaller, query: SearchUsersQuery): Promise<Listing<UserRecord>> {
  const rows = await selectUsers.all(database(), query.cursor ?? null, query.email ?? null, query.limit + 1);
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

function presentUserRecord(row: RowOf<typeof selectUsers.columns>, lockout: UserRecord['lockout']): UserRecord {
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
