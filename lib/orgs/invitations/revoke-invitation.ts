import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { forbidden, lockOwnOrganization } from '@/lib/orgs/lock-organization';
import { mayManage } from '@/lib/orgs/permissions-policy';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { getInvitation } from './queries';

/**
 * Revokes a pending invitation: its link is invalid from the commit on. When it is accepted at the same time, one
 * of the two succeeds.
 * @throws AppError not_found, also for an accepted or expired invitation; forbidden when the caller's role may not
 *   manage it
 */
export function revokeInvitation(caller: PersonCaller, invitationId: string): Promise<void> {
  return inTransaction(async (tx) => {
    const { id: organizationId, callerRole } = await lockOwnOrganization(tx, caller);
    if (!mayManage(callerRole, 'invitation.manage', {})) throw forbidden('invitation.manage');
    const { id, role } = await getInvitation(tx, organizationId, invitationId);
    if (!mayManage(callerRole, 'invitation.manage', { from: role })) throw forbidden('owner.manage');
    await tx.prisma.invitation.deleteMany({ where: { organizationId, id } });
    await recordAudit(tx, caller, {
      action: 'invitation.revoked',
      organizationId,
      target: { type: 'invitation', id },
      details: { role },
    });
  });
}
