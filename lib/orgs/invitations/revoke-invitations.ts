import type { PersonCaller } from '@/lib/audit/caller';
import { type Actor, recordAudit } from '@/lib/audit/record-audit';
import { ROLES, type Role } from '@/lib/audit/types';
import { forbidden, lockOwnOrganization } from '@/lib/orgs/lock-organization';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { Sql } from '@/lib/platform/db';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { deleteOfInviter, endLinksOf } from './invitations-sql';
import { getInvitation } from './queries';

/** A person whose role in an organization has just changed; `inviterRole` is null when they were removed. */
interface FormerInviter {
  organizationId: string;
  inviterId: string;
  inviterRole: Role | null;
}

/**
 * Revokes the pending invitations that their inviter may no longer make, and ends the links that the person copied of
 * others' invitations for these roles. Otherwise a removed ADMIN could return with an invitation to a second address. The
 * caller must hold the organization's lock.
 */
export async function revokeInvitations(tx: Sql, actor: Actor, inviter: FormerInviter): Promise<void> {
  const { organizationId, inviterId, inviterRole } = inviter;
  const stillAllowed = ROLES.filter(
    (to) => inviterRole !== null && mayManage(inviterRole, 'invitation.manage', { to }),
  );
  const revoked = await deleteOfInviter.all(tx, organizationId, inviterId, stillAllowed);
  for (const { id, role } of revoked) {
    await recordAudit(tx, actor, {
      action: 'invitation.revoked',
      organizationId,
      target: { type: 'invitation', id },
      details: { role, cause: 'inviter.may_not_invite' },
    });
  }
  for (const { id, role } of await endLinksOf.all(tx, organizationId, inviterId, stillAllowed)) {
    await recordAudit(tx, actor, {
      action: 'invitation.link_revoked',
      organizationId,
      target: { type: 'invitation', id },
      details: { role, cause: 'link_creator.may_not_invite' },
    });
  }
}

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
