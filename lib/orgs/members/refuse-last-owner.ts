import { lastOwner } from '@/lib/orgs/last-owner';
import type { Sql } from '@/lib/platform/db';
import { findOwnership } from './members-sql';

/**
 * Refuses to remove or demote the last owner. The caller must hold the organization's lock.
 * @throws AppError last_owner
 */
export async function refuseLastOwner(tx: Sql, organizationId: string, ownerId: string): Promise<void> {
  const organization = await findOwnership.first(tx, organizationId, ownerId);
  if (organization === undefined || organization.has_other_owner) return;
  const named = [{ id: organizationId, name: organization.name }];
  if (organization.has_other_member) throw lastOwner(named);
  throw lastOwner(named, 'You’re the only member of this organization. Delete it instead, or invite another owner.');
}
