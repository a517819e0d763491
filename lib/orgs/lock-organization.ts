import type { PersonCaller } from '@/lib/audit/caller';
import type { Role } from '@/lib/audit/types';
import type { Sql } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { lockOrganizations } from './last-owner';
import { organizationOf } from './organization-of';
import { type Action, leastRole } from './permissions-policy';

/** A locked organization, and what its locking caller is in it. */
export interface LockedOrganization {
  id: string;
  callerRole: Role;
}

/**
 * Locks the organization that a request is about, for a change of its members or invitations, and reads the caller's role
 * again: it may have been taken since the request was let in, and while the lock is held it cannot be.
 *
 * Whoever also locks an account locks that first, as everything that signs in or switches does. After this lock accounts are
 * only pointed at (by a mail that is for one), which nothing but an erasure keeps waiting, and an erasure gives way.
 *
 * @throws AppError not_found when the organization is going, or the caller belongs to it no more
 */
export async function lockOwnOrganization(tx: Sql, caller: PersonCaller): Promise<LockedOrganization> {
  const [id] = await lockOrganizations(tx, [organizationOf(caller)]);
  if (id === undefined) throw notFound('organization');
  const callerRole = await findRole(tx, id, caller.userId);
  if (callerRole === null) throw notFound('organization');
  return { id, callerRole };
}

/** A person's role in an organization; null when they do not belong to it. */
export async function findRole(sql: Sql, organizationId: string, userId: string): Promise<Role | null> {
  const { rows } = await sql.query<{ role: Role }>(
    'SELECT role FROM memberships WHERE organization_id = $1 AND user_id = $2',
    [organizationId, userId],
  );
  return rows[0]?.role ?? null;
}

/** The refusal of a role that is too low (CONTRACT 1, Roles). */
export function forbidden(action: Action): AppError {
  const role = leastRole(action);
  return new AppError('forbidden', `This needs the role ${role}${role === 'OWNER' ? '' : ' or higher'}.`);
}
