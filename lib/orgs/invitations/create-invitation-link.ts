import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { forbidden, lockOwnOrganization } from '@/lib/orgs/lock-organization';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { InvitationLink } from '@/lib/orgs/schema';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { invitationUrl } from './invitation-mail';
import { setLinkHash } from './invitations-sql';
import { getInvitation } from './queries';

/**
 * Makes a link to a pending invitation for the caller to hand over. It replaces the link that was made before; the emailed
 * one still works. Accepting by this link does not verify the address, since the inviter knows it too. It ends when the
 * caller may no longer manage the invitation.
 *
 * @throws AppError not_found, also for an accepted or expired invitation; forbidden when the caller's role may not
 *   manage it
 */
export function createInvitationLink(caller: PersonCaller, invitationId: string): Promise<InvitationLink> {
  return inTransaction(async (tx) => {
    const { id: organizationId, callerRole } = await lockOwnOrganization(tx, caller);
    if (!mayManage(callerRole, 'invitation.manage', {})) throw forbidden('invitation.manage');
    const { id, role } = await getInvitation(tx, organizationId, invitationId);
    if (!mayManage(callerRole, 'invitation.manage', { from: role })) throw forbidden('owner.manage');
    const token = randomToken();
    await setLinkHash.run(tx, organizationId, id, sha256(token), caller.userId);
    await recordAudit(tx, caller, {
      action: 'invitation.link_created',
      organizationId,
      target: { type: 'invitation', id },
      details: { role },
    });
    return { url: invitationUrl(token) };
  });
}
