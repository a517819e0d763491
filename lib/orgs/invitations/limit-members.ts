import type { Sql } from '@/lib/platform/db';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { countMembersAndPending } from './invitations-sql';

/**
 * Refuses another invitation when the organization is full. A pending invitation counts as a member, so accepting
 * needs no limit of its own. The caller must hold the organization's lock, as acceptances do.
 * @throws AppError limit_reached
 */
export async function refuseMemberBeyondLimit(tx: Sql, organizationId: string): Promise<void> {
  const counted = await countMembersAndPending.first(tx, organizationId);
  refuseBeyondLimit('ORGANIZATION_MAX_MEMBERS', counted?.count ?? 0);
}
