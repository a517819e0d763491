import type { PersonCaller } from '@/lib/audit/caller';
import { auditChange } from '@/lib/audit/record-audit';
import { database, type Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { lockCopiedTables } from '@/lib/platform/sql/copied-rows-sql';
import { revokeInvitations } from './invitations/invitations';
import { forbidden, lastOwner, lockOwnOrganization } from './locks';
import { findMember, findOwnership, listMemberRows } from './orgs-sql';
import { mayManage } from './permissions-policy';
import { Member, type UpdateMemberBody } from './schema';
import { organizationOf } from './tenant';

/** Lists the members of the caller's organization, newest first. */
export async function listMembers(caller: PersonCaller, page: Page): Promise<Listing<Member>> {
  const rows = await listMemberRows.all(database(), {
    organization: organizationOf(caller),
    cursor: page.cursor ?? null,
    limit: page.limit + 1,
  });
  return toListing(rows, page.limit, (row) => present(Member, row));
}

/** Returns one member. @throws AppError not_found */
async function getMember(sql: Sql, organizationId: string, userId: string): Promise<Member> {
  const row = await findMember.first(sql, { organization: organizationId, user: userId });
  if (row === undefined) throw notFound('member');
  return present(Member, row);
}

/**
 * Refuses to remove or demote the last owner. The caller must hold the organization's lock.
 * @throws AppError last_owner
 */
async function refuseLastOwner(tx: Sql, organizationId: string, ownerId: string): Promise<void> {
  const organization = await findOwnership.first(tx, { organization: organizationId, user: ownerId });
  if (organization === undefined || organization.has_other_owner) return;
  const named = [{ id: organizationId, name: organization.name }];
  if (organization.has_other_member) throw lastOwner(named);
  throw lastOwner(named, 'You’re the only member of this organization. Delete it instead, or invite another owner.');
}

/**
 * Changes the role of a member of the caller's organization, from the member's next request on. To transfer
 * ownership, an owner makes somebody else OWNER and then steps down.
 *
 * @throws AppError not_found for a person who is not a member; forbidden when an OWNER is involved and the caller is
 *   not one; last_owner
 */
export function changeRole(caller: PersonCaller, userId: string, { role }: UpdateMemberBody): Promise<Member> {
  return inTransaction(async (tx) => {
    const { id: organizationId, callerRole } = await lockOwnOrganization(tx, caller);
    if (!mayManage(callerRole, 'member.manage', {})) throw forbidden('member.manage');
    const before = await getMember(tx, organizationId, userId);
    if (!mayManage(callerRole, 'member.manage', { from: before.role, to: role })) throw forbidden('owner.manage');
    if (before.role === role) return before;
    if (before.role === 'OWNER') await refuseLastOwner(tx, organizationId, before.userId);
    await lockCopiedTables(tx);
    await tx.prisma.membership.updateMany({ where: { organizationId, userId: before.userId }, data: { role } });
    await auditChange(tx, caller, 'member.role_changed', before.userId, { from: before.role, to: role });
    await revokeInvitations(tx, caller, {
      organizationIds: [organizationId],
      inviterId: before.userId,
      inviterRole: role,
    });
    return { ...before, role };
  });
}

/**
 * Removes a member from the caller's organization, or lets the caller leave it, from the member's next request on.
 * Their sessions continue in another organization, or in none: every request reads the live membership, so no session
 * is changed here. Keys belong to projects and stay.
 *
 * @throws AppError not_found for a person who is not a member; forbidden when the caller may not manage the member;
 *   last_owner
 */
export function removeMember(caller: PersonCaller, userId: string): Promise<void> {
  return inTransaction(async (tx) => {
    const { id: organizationId, callerRole } = await lockOwnOrganization(tx, caller);
    const isLeaving = userId === caller.userId;
    if (!isLeaving && !mayManage(callerRole, 'member.manage', {})) throw forbidden('member.manage');
    const member = await getMember(tx, organizationId, userId);
    if (!isLeaving && !mayManage(callerRole, 'member.manage', { from: member.role })) throw forbidden('owner.manage');
    if (member.role === 'OWNER') await refuseLastOwner(tx, organizationId, member.userId);
    await lockCopiedTables(tx);
    await tx.prisma.membership.deleteMany({ where: { organizationId, userId: member.userId } });
    await auditChange(tx, caller, isLeaving ? 'member.left' : 'member.removed', member.userId, { role: member.role });
    await revokeInvitations(tx, caller, {
      organizationIds: [organizationId],
      inviterId: member.userId,
      inviterRole: null,
    });
  });
}
