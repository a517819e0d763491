import { lockAccount } from '@/lib/accounts/lock-account';
import { markEmailVerified } from '@/lib/accounts/verify-email';
import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { ROLES, type Role } from '@/lib/audit/types';
import { lockOrganizations } from '@/lib/orgs/last-owner';
import { findRole } from '@/lib/orgs/lock-organization';
import { getMembership } from '@/lib/orgs/queries';
import type { AcceptedInvitation } from '@/lib/orgs/schema';
import { sha256 } from '@/lib/platform/crypto';
import type { Sql } from '@/lib/platform/db';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { acceptPending, findInvitingOrganization, setMembership } from './accept-sql';
import { invalidInvitation } from './invalid-invitation';

/** An invitation that has just been accepted. */
interface UsedInvitation {
  id: string;
  organizationId: string;
  role: Role;
  /** Whether its token came by email, which proves the address. */
  was_emailed: boolean;
}

/**
 * Makes the caller a member of the organization that invited their address. When two requests accept at once, one
 * joins. An emailed token verifies the address; one from a copied link does not. An existing member keeps the higher of
 * the two roles.
 *
 * @throws AppError invalid_token for an invitation that is for another address, used, revoked, replaced or expired
 */
export function acceptInvitation(caller: PersonCaller, token: string): Promise<AcceptedInvitation> {
  return inTransaction(async (tx) => {
    // The account before the organization: sign-in, switching and erasure use the same order.
    const email = await lockAccount(tx, caller.userId);
    const invitation = await useInvitation(tx, token, email);
    const { id, organizationId, role } = invitation;
    if (invitation.was_emailed) await markEmailVerified(tx, caller.client, caller.userId);
    await recordAudit(tx, caller, {
      action: 'invitation.accepted',
      organizationId,
      target: { type: 'invitation', id },
      details: { role },
    });
    await join(tx, caller, invitation);
    return { organization: await getMembership(tx, caller.userId, organizationId) };
  });
}

/** Reads the invitation under the organization's lock, which revoking, replacing and erasing hold too. */
async function useInvitation(tx: Sql, token: string, email: string): Promise<UsedInvitation> {
  const tokenHash = sha256(token);
  const found = await findInvitingOrganization.first(tx, tokenHash, email);
  if (found === undefined) throw invalidInvitation();
  const organizationId = found.organization_id;
  if ((await lockOrganizations(tx, [organizationId])).length === 0) throw invalidInvitation();
  const accepted = await acceptPending.first(tx, tokenHash, organizationId, email);
  if (accepted === undefined) throw invalidInvitation();
  return { ...accepted, organizationId };
}

async function join(
  tx: Transaction,
  caller: PersonCaller,
  { id, organizationId, role }: UsedInvitation,
): Promise<void> {
  const { userId } = caller;
  const before = await findRole(tx, organizationId, userId);
  if (before !== null && ROLES.indexOf(before) >= ROLES.indexOf(role)) return;
  await setMembership.run(tx, organizationId, userId, role);
  await recordAudit(tx, caller, {
    organizationId,
    target: { type: 'user', id: userId },
    ...(before === null
      ? { action: 'member.added' as const, details: { role, invitationId: id } }
      : { action: 'member.role_changed' as const, details: { from: before, to: role, invitationId: id } }),
  });
}
