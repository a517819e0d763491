import type { PersonCaller } from '@/lib/audit/caller';
import { lastOwner } from '@/lib/orgs/last-owner';
import { organizationOf } from '@/lib/orgs/organization-of';
import type { Member } from '@/lib/orgs/schema';
import { database, type Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import type { RowOf } from '@/lib/platform/sql/statement';
import { findMember, findOwnership, listMemberRows } from './members-sql';

/** Lists the members of the caller's organization, newest first. */
export async function listMembers(caller: PersonCaller, page: Page): Promise<Listing<Member>> {
  const rows = await listMemberRows.all(database(), organizationOf(caller), page.cursor ?? null, page.limit + 1);
  return toListing(rows, page.limit, presentMember);
}

/** Returns one member. @throws AppError not_found */
export async function getMember(sql: Sql, organizationId: string, userId: string): Promise<Member> {
  const row = await findMember.first(sql, organizationId, userId);
  if (row === undefined) throw notFound('member');
  return presentMember(row);
}

function presentMember(row: RowOf<typeof findMember.columns>): Member {
  return {
    userId: row.user_id,
    email: row.email,
    name: row.name,
    role: row.role,
    createdAt: row.created_at.toISOString(),
  };
}

/**
 * Refuses to remove or demote the last owner. The caller must hold the organization's lock.
 * @throws AppError last_owner
 */
export async function refuseLastOwner(tx: Sql, organizationId: string, ownerId: string): Promise<void> {
  const organization = await findOwnership.first(tx, organizationId, ownerId);
  if (organization === undefined || organization.has_other_owner) return;
  const named = [{ id: organizationId, name: organization.name }];
  if (organization.has_other_member) throw lastOwner(named);
  throw lastOwner(named, 'You’re the only member of this organization. Delete it instead, or invite another owner.');
}
