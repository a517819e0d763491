import type { PersonCaller } from '@/lib/audit/caller';
import type { Role } from '@/lib/audit/types';
import { AppError, notFound } from '@/lib/platform/errors';
import type { Transaction } from '@/lib/platform/prisma/transaction';
import { lockOrganizations } from './last-owner';
import { organizationOf } from './organization-of';
import { type Action, lowestRole } from './permissions-policy';

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
