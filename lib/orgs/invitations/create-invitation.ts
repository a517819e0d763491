import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { Role } from '@/lib/audit/types';
import { forbidden, lockOwnOrganization } from '@/lib/orgs/lock-organization';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { CreateInvitationBody, NewInvitation } from '@/lib/orgs/schema';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { isMailSent } from '@/lib/platform/mail/is-mail-sent';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { sendInvitationMail } from './invitation-mail';
import { deleteEarlier, findInvitee, findNames, insertInvitation } from './invite-sql';
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
export function createInvitation(caller: PersonCaller, body: CreateInvitationBody): Promise<NewInvitation> {
  return limitInvitations(caller, body.email, () => inTransaction((tx) => invite(tx, caller, body)));
}

async function invite(
  tx: Transaction,
  caller: PersonCaller,
  { email, role }: CreateInvitationBody,
): Promise<NewInvitation> {
  const { id: organizationId, callerRole } = await lockOwnOrganization(tx, caller);
  if (!mayManage(callerRole, 'invitation.manage', {})) throw forbidden('invitation.manage');
  if (!mayManage(callerRole, 'invitation.manage', { to: role })) throw forbidden('owner.manage');
  const account = await findInvitee.first(tx, organizationId, email);
  if (account?.is_member === true) throw new AppError('conflict', 'This address already belongs to a member.');
  const replaced = await endPending(tx, organizationId, email);
  const isOwnersReplaced = replaced.some((old) => !mayManage(callerRole, 'invitation.manage', { from: old.role }));
  if (isOwnersReplaced) throw forbidden('owner.manage');
  await refuseMemberBeyondLimit(tx, organizationId);
  const [id, token] = [newId(), randomToken()];
  await insertInvitation.run(tx, id, organizationId, email, role, sha256(token), caller.userId, LIFETIME_DAYS);
  await recordAudit(tx, caller, {
    action: 'invitation.created',
    organizationId,
    target: { type: 'invitation', id },
    details: { role, ...(replaced[0] === undefined ? {} : { replacesId: replaced[0].id }) },
  });
  const names = await readNames(tx, organizationId, caller.userId);
  await sendInvitationMail(tx, { ...names, to: { email, userId: account?.id ?? null }, role, token });
  return { ...(await getInvitation(tx, organizationId, id)), isEmailed: isMailSent() };
}

/** Deletes earlier invitations to the address, also expired ones. Returns those that were still valid: at most one. */
async function endPending(tx: Sql, organizationId: string, email: string): Promise<{ id: string; role: Role }[]> {
  const deleted = await deleteEarlier.all(tx, organizationId, email);
  return deleted.filter((row) => row.is_live);
}

async function readNames(tx: Sql, organizationId: string, inviterId: string) {
  const row = await findNames.first(tx, organizationId, inviterId);
  if (row === undefined) throw new AppError('unauthenticated', 'This account no longer exists.');
  return { organizationName: row.name, inviter: { email: row.email, isVerified: row.is_verified } };
}
