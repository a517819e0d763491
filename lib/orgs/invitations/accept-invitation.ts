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
import { AppError } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { invalidInvitation } from './invalid-invitation';

/** An invitation that has just been accepted. */
interface UsedInvitation {
  id: string;
  organizationId: string;
  role: Role;
}

/**
 * Makes the caller a member of the organization that invited their address. When two requests accept at once, one
 * joins. The token came by mail, so accepting verifies the address. An existing member keeps the higher of the two
 * roles.
 *
 * @throws AppError invalid_token for an invitation that is for another address, used, withdrawn, replaced or expired
 */
export function acceptInvitation(caller: PersonCaller, token: string): Promise<AcceptedInvitation> {
  return inTransaction(async (tx) => {
    const email = await lockAccount(tx, caller.userId);
    const invitation = await useInvitation(tx, token, email);
    const { id, organizationId, role } = invitation;
    await markEmailVerified(tx, caller.client, caller.userId);
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

/** Locks the account before the organization: sign-in, switching and erasure use the same order. */
async function lockAccount(tx: Sql, userId: string): Promise<string> {
  const { rows } = await tx.query<{ email: string }>(
    'SELECT email FROM users WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE',
    [userId],
  );
  if (rows[0] === undefined) throw new AppError('unauthenticated', 'This account no longer exists.');
  return rows[0].email;
}

/** Reads the invitation under the organization's lock, which revoking, replacing and erasing hold too. */
async function useInvitation(tx: Sql, token: string, email: string): Promise<UsedInvitation> {
  const tokenHash = sha256(token);
  const found = await tx.query<{ organization_id: string }>(
    'SELECT organization_id FROM invitations WHERE token_hash = $1 AND email = $2',
    [tokenHash, email],
  );
  const organizationId = found.rows[0]?.organization_id;
  if (organizationId === undefined) throw invalidInvitation();
  if ((await lockOrganizations(tx, [organizationId])).length === 0) throw invalidInvitation();
  const { rows } = await tx.query<{ id: string; role: Role }>(
    `UPDATE invitations SET accepted_at = now()
     WHERE token_hash = $1 AND organization_id = $2 AND email = $3
       AND accepted_at IS NULL AND expires_at > clock_timestamp()
     RETURNING id, role`,
    [tokenHash, organizationId, email],
  );
  if (rows[0] === undefined) throw invalidInvitation();
  return { ...rows[0], organizationId };
}

async function join(tx: Sql, caller: PersonCaller, { id, organizationId, role }: UsedInvitation): Promise<void> {
  const { userId } = caller;
  const before = await findRole(tx, organizationId, userId);
  if (before !== null && ROLES.indexOf(before) >= ROLES.indexOf(role)) return;
  await tx.query(
    `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3::"Role")
     ON CONFLICT (organization_id, user_id) DO UPDATE SET role = EXCLUDED.role`,
    [organizationId, userId, role],
  );
  await recordAudit(tx, caller, {
    organizationId,
    target: { type: 'user', id: userId },
    ...(before === null
      ? { action: 'member.added' as const, details: { role, invitationId: id } }
      : { action: 'member.role_changed' as const, details: { from: before, to: role, invitationId: id } }),
  });
}
