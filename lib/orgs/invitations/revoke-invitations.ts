import { type Actor, recordAudit } from '@/lib/audit/record-audit';
import { ROLES, type Role } from '@/lib/audit/types';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { Sql } from '@/lib/platform/db';
import { deleteOfInviter, endLinksOf } from './invite-sql';

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
