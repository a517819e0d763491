import { nameProvider } from '@/lib/accounts/accounts';
import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { listLockouts } from '@/lib/auth/lockout';
import { database } from '@/lib/platform/db';
import { type Listing, pageToListing } from '@/lib/platform/pagination';
import { inCamelCase, present } from '@/lib/platform/present';
import { scanPage } from '@/lib/platform/sql/bounded-scan';
import { type SearchUsersQuery, UserRecord } from './schema';
import { PERSON_ROWS, personScan } from './users-sql';

/**
 * Lists people whose address starts with the given text, newest first; erased accounts are left out. Writes the
 * people in the result to the audit log, because the result is personal data.
 */
export async function searchUsers(caller: OperatorCaller, query: SearchUsersQuery): Promise<Listing<UserRecord>> {
  const page = await scanPage(database(), personScan(query.email), query, PERSON_ROWS);
  const shown = page.rows;
  const lockouts = await listLockouts(shown.map(({ email }) => email));
  await recordAudit(database(), caller, 'account.searched', {
    organizationId: null,
    targetId: shown.length === 1 ? (shown[0]?.id ?? null) : null,
    details: { userIds: shown.map(({ id }) => id) },
  });
  return pageToListing(page, (row) =>
    present(UserRecord, {
      ...inCamelCase(row),
      providers: row.issuers.map(nameProvider),
      lockout: lockouts.get(row.email) ?? null,
    }),
  );
}
