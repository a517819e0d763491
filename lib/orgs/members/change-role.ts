import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { revokeInvitations } from '@/lib/orgs/invitations/revoke-invitations';
import { forbidden, lockOwnOrganization } from '@/lib/orgs/lock-organization';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { Member, UpdateMemberBody } from '@/lib/orgs/schema';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { getMember, refuseLastOwner } from './queries';

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
    await tx.prisma.membership.updateMany({ where: { organizationId, userId: before.userId }, data: { role } });
    await recordAudit(tx, caller, {
      action: 'member.role_changed',
      organizationId,
      target: { type: 'user', id: before.userId },
      details: { from: before.role, to: role },
    });
    await revokeInvitations(tx, caller, { organizationId, inviterId: before.userId, inviterRole: role });
    return { ...before, role };
  });
}
