import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import type { RowOf } from '@/lib/platform/sql/statement';
import { listCountedMemberships } from './memberships-sql';
import { lockLiveOrganizations } from './orgs-sql';

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
  const rows = await lockLiveOrganizations.all(tx, ids);
  return rows.map(({ id }) => id);
}

/** Lists a person's memberships in live organizations, oldest first. Out of date at once unless these are locked. */
export function listMembershipCounts(sql: Sql, userId: string): Promise<MembershipCounts[]> {
  return listCountedMemberships.all(sql, userId);
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
