import { type Actor, recordAuditSql } from '@/lib/audit/record-audit';
import { ROLES, type Role } from '@/lib/audit/types';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { Sql } from '@/lib/platform/db';

/** Somebody whose role in an organization has just changed; null: they belong to it no more. */
export interface FormerInviter {
  organizationId: string;
  inviterId: string;
  inviterRole: Role | null;
}

/**
 * Withdraws the pending invitations that their inviter could not make any more: an ADMIN on the way out could otherwise
 * come back by one to another address of theirs. The organization must be locked.
 */
export async function withdrawInvitations(tx: Sql, actor: Actor, inviter: FormerInviter): Promise<void> {
  const { organizationId, inviterId, inviterRole } = inviter;
  const stillAllowed = ROLES.filter(
    (to) => inviterRole !== null && mayManage(inviterRole, 'invitation.manage', { to }),
  );
  const { rows } = await tx.query<{ id: string; role: Role }>(
    `DELETE FROM invitations
     WHERE organization_id = $1 AND invited_by_id = $2 AND accepted_at IS NULL AND role <> ALL ($3::"Role"[])
     RETURNING id, role`,
    [organizationId, inviterId, stillAllowed],
  );
  for (const { id, role } of rows) {
    await recordAuditSql(tx, actor, {
      action: 'invitation.revoked',
      organizationId,
      target: { type: 'invitation', id },
      details: { role, cause: 'inviter.may_not_invite' },
    });
  }
}
