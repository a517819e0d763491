import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { revokeInvitations } from '@/lib/orgs/invitations/revoke-invitations';
import { forbidden, lockOwnOrganization } from '@/lib/orgs/lock-organization';
import { mayManage } from '@/lib/orgs/permissions-policy';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { getMember, refuseLastOwner } from './queries';

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
    await tx.prisma.membership.deleteMany({ where: { organizationId, userId: member.userId } });
    await recordAudit(tx, caller, {
      action: isLeaving ? 'member.left' : 'member.removed',
      organizationId,
      target: { type: 'user', id: member.userId },
      details: { role: member.role },
    });
    await revokeInvitations(tx, caller, { organizationId, inviterId: member.userId, inviterRole: null });
  });
}
