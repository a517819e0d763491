import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { Role } from '@/lib/audit/types';
import { forbidden, lockOwnOrganization } from '@/lib/orgs/lock-organization';
import { organizationOf } from '@/lib/orgs/organization-of';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { CreateInvitationBody, NewInvitation } from '@/lib/orgs/schema';
import type { ClientInfo } from '@/lib/platform/client-info';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { isMailSent } from '@/lib/platform/mail/enqueue-mail';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { consumeRateLimit, type Limit, refundRateLimits } from '@/lib/platform/rate-limit';
import { sendInvitationMail } from './invitation-mail';
import { countMembersAndPending, deleteEarlier, findInvitee, findNames, insertInvitation } from './invitations-sql';
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
  const id = newId();
  const token = randomToken();
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

const DAY_SECONDS = 24 * 60 * 60;
/** Limits the mails to strangers that one organization can cause. */
const BY_ORGANIZATION = { name: 'invitation-organization', points: 50, windowSeconds: DAY_SECONDS };
/** Limits one person too: they can create more organizations. */
const BY_PERSON = { name: 'invitation-person', points: 100, windowSeconds: DAY_SECONDS };
/** Limits the mails that one mailbox gets from all organizations. */
const BY_ADDRESS = { name: 'invitation-address', points: 5, windowSeconds: DAY_SECONDS, isDiscreet: true } as const;

/**
 * Runs `invite` within the limits per day: 100 for the person, 50 for the organization, 5 for the address. Each
 * attempt is counted before it runs, so parallel attempts cannot pass the limit; a refused one is refunded.
 *
 * @throws AppError rate_limited
 */
async function limitInvitations<T>(caller: PersonCaller, email: string, invite: () => Promise<T>): Promise<T> {
  const byPerson = { ...BY_PERSON, key: caller.userId };
  const byOrganization = { ...BY_ORGANIZATION, key: organizationOf(caller) };
  const byAddress = { ...BY_ADDRESS, key: email };
  const { client } = caller;
  return counted(byPerson, client, 'You’ve reached your daily invitation limit. Try again tomorrow.', () =>
    counted(
      byOrganization,
      client,
      'This organization has reached its daily invitation limit. Try again tomorrow.',
      () =>
        counted(byAddress, client, 'This address has been invited too many times today. Try again tomorrow.', invite),
    ),
  );
}

async function counted<T>(limit: Limit, client: ClientInfo, detail: string, work: () => Promise<T>): Promise<T> {
  const verdict = await consumeRateLimit(limit, client);
  try {
    if (!verdict.allowed) {
      throw new AppError('rate_limited', detail, { retryAfterSeconds: verdict.retryAfterSeconds });
    }
    return await work();
  } catch (error) {
    await refundRateLimits([limit], client);
    throw error;
  }
}

/**
 * Refuses another invitation when the organization is full. A pending invitation counts as a member, so accepting
 * needs no limit of its own. The caller must hold the organization's lock, as acceptances do.
 * @throws AppError limit_reached
 */
async function refuseMemberBeyondLimit(tx: Sql, organizationId: string): Promise<void> {
  const counted = await countMembersAndPending.first(tx, organizationId);
  refuseBeyondLimit('ORGANIZATION_MAX_MEMBERS', counted?.count ?? 0);
}
