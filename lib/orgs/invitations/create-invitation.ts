import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { Role } from '@/lib/audit/types';
import { forbidden, lockOwnOrganization } from '@/lib/orgs/lock-organization';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { CreateInvitationBody, Invitation } from '@/lib/orgs/schema';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { sendInvitationMail } from './invitation-mail';
import { limitInvitations } from './limit-invitations';
import { refuseMemberBeyondLimit } from './limit-members';
import { getInvitation } from './queries';

const LIFETIME_DAYS = 7;

/**
 * Invites an address to the caller's organization by mail, for 7 days, single use, for that address only. A pending
 * invitation to the same address is replaced, and its link ends.
 *
 * @throws AppError forbidden when the caller's role may not invite for this role; conflict when the address belongs
 *   to a member; limit_reached when there are too many members and pending invitations; rate_limited beyond 5 a day for
 *   the address, 50 for the organization or 100 for the caller
 */
export function createInvitation(caller: PersonCaller, body: CreateInvitationBody): Promise<Invitation> {
  return limitInvitations(caller, body.email, () => inTransaction((tx) => invite(tx, caller, body)));
}

async function invite(tx: Sql, caller: PersonCaller, { email, role }: CreateInvitationBody): Promise<Invitation> {
  const { id: organizationId, callerRole } = await lockOwnOrganization(tx, caller);
  if (!mayManage(callerRole, 'invitation.manage', {})) throw forbidden('invitation.manage');
  if (!mayManage(callerRole, 'invitation.manage', { to: role })) throw forbidden('owner.manage');
  const account = await findAccount(tx, organizationId, email);
  if (account?.is_member === true) throw new AppError('conflict', 'This address already belongs to a member.');
  const replaced = await endPending(tx, organizationId, email);
  const isOwnersReplaced = replaced.some((old) => !mayManage(callerRole, 'invitation.manage', { from: old.role }));
  if (isOwnersReplaced) throw forbidden('owner.manage');
  await refuseMemberBeyondLimit(tx, organizationId);
  const [id, token] = [newId(), randomToken()];
  await tx.query(
    `INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by_id, expires_at)
     VALUES ($1, $2, $3, $4::"Role", $5, $6, now() + make_interval(days => $7))`,
    [id, organizationId, email, role, sha256(token), caller.userId, LIFETIME_DAYS],
  );
  await recordAudit(tx, caller, {
    action: 'invitation.created',
    organizationId,
    target: { type: 'invitation', id },
    details: { role, ...(replaced[0] === undefined ? {} : { replacesId: replaced[0].id }) },
  });
  const names = await readNames(tx, organizationId, caller.userId);
  await sendInvitationMail(tx, { ...names, to: { email, userId: account?.id ?? null }, role, token });
  return getInvitation(tx, organizationId, id);
}

async function findAccount(tx: Sql, organizationId: string, email: string) {
  const { rows } = await tx.query<{ id: string; is_member: boolean }>(
    `SELECT u.id, m.user_id IS NOT NULL AS is_member
     FROM users u LEFT JOIN memberships m ON m.user_id = u.id AND m.organization_id = $1
     WHERE u.email = $2 AND u.erased_at IS NULL`,
    [organizationId, email],
  );
  return rows[0];
}

/** Deletes earlier invitations to the address, also expired ones. Returns those that were still valid: at most one. */
async function endPending(tx: Sql, organizationId: string, email: string): Promise<{ id: string; role: Role }[]> {
  const { rows } = await tx.query<{ id: string; role: Role; is_live: boolean }>(
    `DELETE FROM invitations WHERE organization_id = $1 AND email = $2 AND accepted_at IS NULL
     RETURNING id, role, expires_at > now() AS is_live`,
    [organizationId, email],
  );
  return rows.filter((row) => row.is_live);
}

async function readNames(tx: Sql, organizationId: string, inviterId: string) {
  const { rows } = await tx.query<{ name: string; email: string; is_verified: boolean }>(
    `SELECT o.name, u.email, u.email_verified_at IS NOT NULL AS is_verified
     FROM organizations o JOIN users u ON u.id = $2 AND u.erased_at IS NULL WHERE o.id = $1`,
    [organizationId, inviterId],
  );
  const row = rows[0];
  if (row === undefined) throw new AppError('unauthenticated', 'This account no longer exists.');
  return { organizationName: row.name, inviter: { email: row.email, isVerified: row.is_verified } };
}
