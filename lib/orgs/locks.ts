import type { PersonCaller } from '@/lib/audit/caller';
import type { Role } from '@/lib/audit/types';
import type { Sql } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import type { Transaction } from '@/lib/platform/prisma/transaction';
import type { RowOf } from '@/lib/platform/sql/statement';
import { listCountedMemberships, lockLiveOrganizations, lockLiveProject } from './orgs-sql';
import { type Action, lowestRole, may } from './permissions-policy';
import { organizationOf } from './tenant';

/** A locked organization, and the caller's role in it. */
interface LockedOrganization {
  id: string;
  callerRole: Role;
}

/**
 * Locks the organization of a request before a change of its members or invitations, and reads the caller's role
 * again: it may have changed since the request was authorized, and cannot change while the lock is held.
 *
 * Code that also locks an account must lock the account first, as signing in and switching do. After this lock,
 * accounts are only referenced by foreign keys (of mails). Only an erasure delays those, and an erasure gives way.
 *
 * @throws AppError not_found when the organization is being deleted, or the caller no longer belongs to it
 */
export async function lockOwnOrganization(tx: Transaction, caller: PersonCaller): Promise<LockedOrganization> {
  const [id] = await lockOrganizations(tx, [organizationOf(caller)]);
  if (id === undefined) throw notFound('organization');
  const callerRole = await findRole(tx, id, caller.userId);
  if (callerRole === null) throw notFound('organization');
  return { id, callerRole };
}

/**
 * Checks again that the caller may do something that outlives their role, such as to create a key, and keeps their role until the
 * transaction ends. Lock a project first: whoever holds its lock may refer to its organization.
 * @throws AppError not_found, forbidden
 */
export async function requireRole(tx: Transaction, caller: PersonCaller, action: Action): Promise<void> {
  const { callerRole } = await lockOwnOrganization(tx, caller);
  if (!may(callerRole, action)) throw forbidden(action);
}

/** Returns a person's role in an organization; null when they do not belong to it. */
export async function findRole(tx: Transaction, organizationId: string, userId: string): Promise<Role | null> {
  const membership = await tx.prisma.membership.findFirst({
    where: { organizationId, userId },
    select: { role: true },
  });
  return membership?.role ?? null;
}

/** Builds the error for a role that is too low. */
export function forbidden(action: Action): AppError {
  const role = lowestRole(action);
  return new AppError('forbidden', `This needs the role ${role}${role === 'OWNER' ? '' : ' or higher'}.`);
}

/** A person's membership in an organization, with what the rules about the last owner need. */
export type MembershipCounts = RowOf<typeof listCountedMemberships.columns>;

/**
 * Locks live organizations before a change of their owners. Leaving, demotion, removal and erasure all lock before
 * they check, so two at once never both decide by the state before either. Locks in the order of ids, to avoid
 * deadlocks. Waits for a membership that is being added, which locks its organization too.
 *
 * @returns the ids of the organizations that still exist
 */
export async function lockOrganizations(tx: Sql, ids: readonly string[]): Promise<string[]> {
  const lock = await lockLiveOrganizations.take(tx, ...ids);
  const rows = await lock.all(tx, { organizations: ids });
  return rows.map(({ id }) => id);
}

/** Lists a person's memberships in live organizations, oldest first. Out of date at once unless these are locked. */
export function listMembershipCounts(sql: Sql, userId: string): Promise<MembershipCounts[]> {
  return listCountedMemberships.all(sql, { user: userId });
}

/** Whether the organization would have no owner without this person. */
export function isLastOwner(standing: Pick<MembershipCounts, 'role' | 'otherOwnerCount'>): boolean {
  return standing.role === 'OWNER' && standing.otherOwnerCount === 0;
}

const OTHERS_BELONG = 'You’re the last owner of an organization with other members. Transfer ownership first.';

/** Builds the error that lists the organizations whose ownership must be transferred first. */
export function lastOwner(
  organizations: readonly Pick<MembershipCounts, 'id' | 'name'>[],
  detail: string = OTHERS_BELONG,
): AppError {
  const named = organizations.map(({ id, name }) => ({ id, name }));
  return new AppError('last_owner', detail, { extra: { organizations: named } });
}

/** Locks a project, so that changes which count its rows run one after the other. @returns false when it is being deleted */
export async function lockProjectIfLive(tx: Sql, projectId: string): Promise<boolean> {
  const lock = await lockLiveProject.take(tx, projectId);
  return (await lock.run(tx, { project: projectId })) > 0;
}
