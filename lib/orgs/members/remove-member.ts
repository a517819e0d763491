import type { PersonCaller } from '@/lib/audit/caller';
import { recordAuditSql } from '@/lib/audit/record-audit';
import { withdrawInvitations } from '@/lib/orgs/invitations/withdraw-invitations';
import { forbidden, lockOwnOrganization } from '@/lib/orgs/lock-organization';
import { mayManage } from '@/lib/orgs/permissions-policy';
import { inTransaction } from '@/lib/platform/db';
import { getMember } from './queries';
import { refuseLastOwner } from './refuse-last-owner';

/**
 * Takes a member out of the caller's organization, or lets the caller leave it; it holds from their next request on. Their
 * sessions go on in another organization of theirs, or in none: where a session is, is judged by the membership whenever
 * it is used, so nothing of theirs is touched here. Keys belong to projects and stay.
 *
 * @throws AppError not_found for whoever is no member; forbidden for another when the caller may not manage members, or
 *   it is an OWNER and the caller is none; last_owner (CONTRACT 3)
 */
export function removeMember(caller: PersonCaller, userId: string): Promise<void> {
  return inTransaction(async (tx) => {
    const { id: organizationId, callerRole } = await lockOwnOrganization(tx, caller);
    const isLeaving = userId === caller.userId;
    if (!isLeaving && !mayManage(callerRole, 'member.manage', {})) throw forbidden('member.manage');
    const member = await getMember(tx, organizationId, userId);
    if (!isLeaving && !mayManage(callerRole, 'member.manage', { from: member.role })) throw forbidden('owner.manage');
    if (member.role === 'OWNER') await refuseLastOwner(tx, organizationId, member.userId);
    await tx.query('DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2', [
      organizationId,
      member.userId,
    ]);
    await recordAuditSql(tx, caller, {
      action: isLeaving ? 'member.left' : 'member.removed',
      organizationId,
      target: { type: 'user', id: member.userId },
      details: { role: member.role },
    });
    await withdrawInvitations(tx, caller, { organizationId, inviterId: member.userId, inviterRole: null });
  });
}
