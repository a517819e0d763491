import { lastOwner } from '@/lib/orgs/last-owner';
import type { Sql } from '@/lib/platform/db';

interface OwnershipRow {
  name: string;
  has_other_owner: boolean;
  has_other_member: boolean;
}

/**
 * Refuses to remove or demote the last owner. The caller must hold the organization's lock.
 * @throws AppError last_owner
 */
export async function refuseLastOwner(tx: Sql, organizationId: string, ownerId: string): Promise<void> {
  const { rows } = await tx.query<OwnershipRow>(
    `SELECT o.name,
       EXISTS (SELECT FROM memberships m
               WHERE m.organization_id = o.id AND m.user_id <> $2 AND m.role = 'OWNER') AS has_other_owner,
       EXISTS (SELECT FROM memberships m WHERE m.organization_id = o.id AND m.user_id <> $2) AS has_other_member
     FROM organizations o WHERE o.id = $1`,
    [organizationId, ownerId],
  );
  const organization = rows[0];
  if (organization === undefined || organization.has_other_owner) return;
  const named = [{ id: organizationId, name: organization.name }];
  if (organization.has_other_member) throw lastOwner(named);
  throw lastOwner(named, 'You are the only member of this organization. Delete it instead, or invite another owner.');
}
