import { lockAccount } from '@/lib/accounts/lock-account';
import { markEmailVerified } from '@/lib/accounts/verify-email';
import type { AnonymousCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { ROLES, type Role } from '@/lib/audit/types';
import { lockOrganizations } from '@/lib/orgs/last-owner';
import { findRole } from '@/lib/orgs/lock-organization';
import { getMembership } from '@/lib/orgs/queries';
import type { AcceptedInvitation, InvitationPreview } from '@/lib/orgs/schema';
import { sha256 } from '@/lib/platform/crypto';
import { database, type Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { acceptPending, findInvitingOrganization, findPreview, setMembership } from './invitations-sql';

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

/**
 * Returns what an invitation is to, without consuming its token: the page shows it before the person accepts. It also
 * returns whether the address has an account: only readers of its mail get here, and registering reveals the same.
 *
 * @throws AppError invalid_token
 */
export async function previewInvitation(_caller: AnonymousCaller, token: string): Promise<InvitationPreview> {
  const row = await findPreview.first(database(), sha256(token));
  if (row === undefined) throw invalidInvitation();
  return { organizationName: row.name, role: row.role, email: row.email, hasAccount: row.has_account };
}

/** One error for every unusable token: different ones would reveal which invitations exist. */
function invalidInvitation(): AppError {
  return new AppError(
    'invalid_token',
    'This invitation isn’t valid. It was used, revoked or replaced, has expired, or is for another address.',
  );
}
