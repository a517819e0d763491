import { lockAccount } from '@/lib/accounts/accounts';
import { markEmailVerified } from '@/lib/accounts/verify-email';
import type { AnonymousCaller, PersonCaller } from '@/lib/audit/caller';
import { type Actor, auditChange, recordAudit, recordAudits } from '@/lib/audit/record-audit';
import { ROLES, type Role } from '@/lib/audit/types';
import { findRole, forbidden, lockOrganizations, lockOwnOrganization } from '@/lib/orgs/locks';
import { getMembership, refuseBeyondMemberships } from '@/lib/orgs/organizations';
import { mayManage } from '@/lib/orgs/permissions-policy';
import {
  type AcceptedInvitation,
  type CreatedInvitation,
  type CreateInvitationBody,
  Invitation,
  type InvitationLink,
  type InvitationPreview,
} from '@/lib/orgs/schema';
import { organizationOf } from '@/lib/orgs/tenant';
import type { ClientInfo } from '@/lib/platform/client-info';
import type { Limit } from '@/lib/platform/count-in-transaction';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { database, type Sql } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { isMailSent } from '@/lib/platform/mail/enqueue-mail';
import { withdrawMails } from '@/lib/platform/mail/enqueue-mail-sql';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { consumeRateLimit, refundRateLimits } from '@/lib/platform/rate-limit';
import { lockCopiedTables } from '@/lib/platform/sql/copied-rows-sql';
import type { RowOf } from '@/lib/platform/sql/statement';
import { invitationUrl, sendInvitationMail } from './invitation-mail';
import {
  acceptPending,
  countMembersAndPending,
  countPendingFor,
  countPendingOfToken,
  deleteEarlier,
  deleteOfInviter,
  endLinksOf,
  findInvitee,
  findInvitingOrganization,
  findNames,
  findPending,
  findPreview,
  insertInvitation,
  listPending,
  setLinkHash,
  setMembership,
} from './invitations-sql';

/** Lists the invitations to the caller's organization that can still be accepted, newest first. */
export async function listInvitations(caller: PersonCaller, page: Page): Promise<Listing<Invitation>> {
  const rows = await listPending.all(database(), {
    organization: organizationOf(caller),
    cursor: page.cursor ?? null,
    limit: page.limit + 1,
  });
  return toListing(rows, page.limit, presentInvitation);
}

/** Returns an invitation that can still be accepted. @throws AppError not_found */
async function getInvitation(sql: Sql, organizationId: string, invitationId: string): Promise<Invitation> {
  const row = await findPending.first(sql, { organization: organizationId, invitation: invitationId });
  if (row === undefined) throw notFound('invitation');
  return presentInvitation(row);
}

/** Converts a row to an invitation of the API. */
export function presentInvitation(row: RowOf<typeof findPending.columns>): Invitation {
  const { inviter_id: id, inviter_name: name, inviter_email: email } = row;
  return present(Invitation, { ...row, invitedBy: id === null || email === null ? null : { id, name, email } });
}

const LIFETIME_DAYS = 7;

/**
 * Invites an address to the caller's organization by mail, for 7 days, single use, for that address only. A pending
 * invitation to the same address is replaced, and its link ends.
 *
 * @throws AppError forbidden when the caller's role may not invite for this role; conflict when the address belongs
 *   to a member; limit_reached when there are too many members and pending invitations; rate_limited beyond 5 a day of the
 *   organization for the address, 50 for the organization or 100 for the caller
 */
export function createInvitation(caller: PersonCaller, body: CreateInvitationBody): Promise<CreatedInvitation> {
  return limitInvitations(caller, body.email, (mayMail) => inTransaction((tx) => invite(tx, caller, body, mayMail)));
}

async function invite(
  tx: Transaction,
  caller: PersonCaller,
  { email, role }: CreateInvitationBody,
  mayMail: boolean,
): Promise<CreatedInvitation> {
  const { id: organizationId, callerRole } = await lockOwnOrganization(tx, caller);
  if (!mayManage(callerRole, 'invitation.manage', {})) throw forbidden('invitation.manage');
  if (!mayManage(callerRole, 'invitation.manage', { to: role })) throw forbidden('owner.manage');
  const account = await findInvitee.first(tx, { organization: organizationId, email });
  if (account?.is_member === true) throw new AppError('conflict', 'This address already belongs to a member.');
  const replaced = await endPending(tx, organizationId, email);
  const isOwnersReplaced = replaced.some((old) => !mayManage(callerRole, 'invitation.manage', { from: old.role }));
  if (isOwnersReplaced) throw forbidden('owner.manage');
  await refuseMemberBeyondLimit(tx, organizationId);
  const id = newId();
  const token = randomToken();
  await insertInvitation.run(tx, {
    id,
    organization: organizationId,
    email,
    role,
    tokenHash: sha256(token),
    inviter: caller.userId,
    lifetimeDays: LIFETIME_DAYS,
  });
  await auditChange(tx, caller, 'invitation.created', id, {
    role,
    ...(replaced[0] === undefined ? {} : { replacesId: replaced[0].id }),
  });
  if (mayMail) {
    const names = await readNames(tx, organizationId, caller.userId);
    await sendInvitationMail(tx, { ...names, id, to: { email, userId: account?.id ?? null }, role, token });
  }
  return { ...(await getInvitation(tx, organizationId, id)), isEmailed: mayMail && isMailSent() };
}

/** Deletes earlier invitations to the address, also expired ones, and their mails that wait. Returns those that were still valid: at most one. */
async function endPending(tx: Sql, organizationId: string, email: string): Promise<{ id: string; role: Role }[]> {
  const deleted = await deleteEarlier.all(tx, { organization: organizationId, email });
  await withdrawMails.run(tx, { mails: deleted.map(({ id }) => id) });
  return deleted.filter((row) => row.is_live);
}

async function readNames(tx: Sql, organizationId: string, inviterId: string) {
  const row = await findNames.first(tx, { organization: organizationId, inviter: inviterId });
  if (row === undefined) throw new AppError('unauthenticated', 'This account no longer exists.');
  return { organizationName: row.name, inviter: { userId: inviterId, email: row.email, isVerified: row.is_verified } };
}

const DAY_SECONDS = 24 * 60 * 60;
/** Limits the mails to strangers that one organization can cause. */
const BY_ORGANIZATION = { name: 'invitation-organization', points: 50, windowSeconds: DAY_SECONDS };
/** Limits one person too: they can create more organizations. */
const BY_PERSON = { name: 'invitation-person', points: 100, windowSeconds: DAY_SECONDS };
/** Limits the invitations of one organization to an address. */
const BY_ADDRESS = { name: 'invitation-address', points: 5, windowSeconds: DAY_SECONDS, isDiscreet: true } as const;
/** Limits the mails that one mailbox gets from all organizations. Beyond it nobody is refused: strangers could use it up for others. */
const MAILS = { name: 'invitation-mail', points: 5, windowSeconds: DAY_SECONDS };

/**
 * Runs `invite` within the limits per day: 100 for the person, 50 for the organization, 5 of it for the address. Each
 * attempt is counted before it runs, so parallel attempts cannot pass the limit; a refused one is refunded.
 *
 * @param invite gets whether the address may get another mail today
 * @throws AppError rate_limited
 */
async function limitInvitations<T>(
  caller: PersonCaller,
  email: string,
  invite: (mayMail: boolean) => Promise<T>,
): Promise<T> {
  const { client } = caller;
  const organizationId = organizationOf(caller);
  const byPerson = { ...BY_PERSON, key: caller.userId };
  const byOrganization = { ...BY_ORGANIZATION, key: organizationId };
  const byAddress = { ...BY_ADDRESS, key: `${organizationId} ${email}` };
  return counted(byPerson, client, 'You’ve reached your daily invitation limit.', () =>
    counted(byOrganization, client, 'This organization has reached its daily invitation limit.', () =>
      counted(byAddress, client, 'This organization has invited this address too many times today.', () =>
        withinMails(email, invite),
      ),
    ),
  );
}

async function withinMails<T>(email: string, invite: (mayMail: boolean) => Promise<T>): Promise<T> {
  const limit = { ...MAILS, key: email };
  const { allowed } = await consumeRateLimit(limit);
  try {
    return await invite(allowed);
  } catch (error) {
    await refundRateLimits([limit]);
    throw error;
  }
}

async function counted<T>(limit: Limit, client: ClientInfo, detail: string, work: () => Promise<T>): Promise<T> {
  const verdict = await consumeRateLimit(limit, client);
  try {
    if (!verdict.allowed) {
      throw new AppError('rate_limited', `${detail} Try again tomorrow.`, {
        retryAfterSeconds: verdict.retryAfterSeconds,
      });
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
  const counted = await countMembersAndPending.first(tx, { organization: organizationId });
  refuseBeyondLimit('ORGANIZATION_MAX_MEMBERS', counted?.count ?? 0);
}

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
    const { organizationId, id, role } = await lockManaged(tx, caller, invitationId);
    const token = randomToken();
    await setLinkHash.run(tx, {
      organization: organizationId,
      invitation: id,
      linkHash: sha256(token),
      creator: caller.userId,
    });
    await auditChange(tx, caller, 'invitation.link_created', id, { role });
    return { url: invitationUrl(token) };
  });
}

/** Locks the caller's organization and returns a pending invitation to it that the caller may manage. */
async function lockManaged(tx: Transaction, caller: PersonCaller, invitationId: string) {
  const { id: organizationId, callerRole } = await lockOwnOrganization(tx, caller);
  if (!mayManage(callerRole, 'invitation.manage', {})) throw forbidden('invitation.manage');
  const { id, role } = await getInvitation(tx, organizationId, invitationId);
  if (!mayManage(callerRole, 'invitation.manage', { from: role })) throw forbidden('owner.manage');
  return { organizationId, id, role };
}

/** A person whose role in organizations has just changed; `inviterRole` is null when they were removed. */
interface FormerInviter {
  organizationIds: readonly string[];
  inviterId: string;
  inviterRole: Role | null;
}

/**
 * Revokes the pending invitations that their inviter may no longer make, and ends the links that the person copied of
 * others' invitations for these roles. Otherwise a removed ADMIN could return with an invitation to a second address. The
 * caller must hold the locks of the organizations.
 */
export async function revokeInvitations(tx: Sql, actor: Actor, inviter: FormerInviter): Promise<void> {
  const { organizationIds: organizations, inviterId, inviterRole } = inviter;
  const keptRoles = ROLES.filter((to) => inviterRole !== null && mayManage(inviterRole, 'invitation.manage', { to }));
  const revoked = await deleteOfInviter.all(tx, { organizations, inviter: inviterId, keptRoles });
  await withdrawMails.run(tx, { mails: revoked.map(({ id }) => id) });
  const entriesOf = (invitations: typeof revoked, cause: string) =>
    invitations.map(({ id, organization_id: organizationId, role }) => ({
      organizationId,
      targetId: id,
      details: { role, cause },
    }));
  await recordAudits(tx, actor, 'invitation.revoked', entriesOf(revoked, 'inviter.may_not_invite'));
  const unlinked = await endLinksOf.all(tx, { organizations, creator: inviterId, keptRoles });
  const ended = entriesOf(unlinked, 'link_creator.may_not_invite');
  await recordAudits(tx, actor, 'invitation.link_revoked', ended);
}

/**
 * Revokes a pending invitation: its link is invalid from the commit on. When it is accepted at the same time, one
 * of the two succeeds.
 * @throws AppError not_found, also for an accepted or expired invitation; forbidden when the caller's role may not
 *   manage it
 */
export function revokeInvitation(caller: PersonCaller, invitationId: string): Promise<void> {
  return inTransaction(async (tx) => {
    const { organizationId, id, role } = await lockManaged(tx, caller, invitationId);
    await tx.prisma.invitation.deleteMany({ where: { organizationId, id } });
    await withdrawMails.run(tx, { mails: [id] });
    await auditChange(tx, caller, 'invitation.revoked', id, { role });
  });
}

/** Whether this token invites this address. Someone who registers with it gets no organization of their own. */
export async function isInvitedBy(tx: Sql, token: string, email: string): Promise<boolean> {
  return ((await countPendingOfToken.first(tx, { tokenHash: sha256(token), email }))?.count ?? 0) > 0;
}

/** Whether any organization invites this address. */
export async function isInvited(tx: Sql, email: string): Promise<boolean> {
  return ((await countPendingFor.first(tx, { email }))?.count ?? 0) > 0;
}

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
 * @throws AppError invalid_token for an invitation that is for another address, used, revoked, replaced or expired; limit_reached for a
 *   person of 1,000 organizations, and the invitation stays valid
 */
export function acceptInvitation(caller: PersonCaller, token: string): Promise<AcceptedInvitation> {
  return inTransaction(async (tx) => {
    // The account before the organization: sign-in, switching and erasure use the same order.
    const email = await lockAccount(tx, caller.userId);
    const invitation = await useInvitation(tx, token, email);
    const { id, organizationId, role } = invitation;
    if (invitation.was_emailed) await markEmailVerified(tx, caller.client, caller.userId);
    await recordAudit(tx, caller, 'invitation.accepted', { organizationId, targetId: id, details: { role } });
    await join(tx, caller, invitation);
    return { organization: await getMembership(tx, caller.userId, organizationId) };
  });
}

/** Reads the invitation under the organization's lock, which revoking, replacing and erasing hold too. */
async function useInvitation(tx: Sql, token: string, email: string): Promise<UsedInvitation> {
  const tokenHash = sha256(token);
  const found = await findInvitingOrganization.first(tx, { tokenHash, email });
  if (found === undefined) throw invalidInvitation();
  const organizationId = found.organization_id;
  if ((await lockOrganizations(tx, [organizationId])).length === 0) throw invalidInvitation();
  await lockCopiedTables(tx);
  const accepted = await acceptPending.first(tx, { tokenHash, organization: organizationId, email });
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
  if (before === null) await refuseBeyondMemberships(tx, userId);
  await setMembership.run(tx, { organization: organizationId, user: userId, role });
  const action = before === null ? 'member.added' : 'member.role_changed';
  const change = before === null ? { role } : { from: before, to: role };
  const details = { ...change, invitationId: id };
  await recordAudit(tx, caller, action, { organizationId, targetId: userId, details });
}

/**
 * Returns what an invitation is to, without consuming its token: the page shows it before the person accepts. It also
 * returns whether the address has an account: only readers of its mail get here, and registering reveals the same.
 *
 * @throws AppError invalid_token
 */
export async function previewInvitation(_caller: AnonymousCaller, token: string): Promise<InvitationPreview> {
  const row = await findPreview.first(database(), { tokenHash: sha256(token) });
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
