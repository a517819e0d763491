import type { Sql } from '@/lib/platform/db';
import { refuseBeyondLimit } from '@/lib/platform/limits';

/**
 * Refuses another invitation when the organization is full. A pending invitation counts as a member, so accepting
 * needs no limit of its own. The caller must hold the organization's lock, as acceptances do.
 * @throws AppError limit_reached
 */
export async function refuseMemberBeyondLimit(tx: Sql, organizationId: string): Promise<void> {
  const { rows } = await tx.query<{ count: number }>(
    `SELECT (SELECT count(*) FROM memberships WHERE organization_id = $1)::int
       + (SELECT count(*) FROM invitations
          WHERE organization_id = $1 AND accepted_at IS NULL AND expires_at > clock_timestamp())::int AS count`,
    [organizationId],
  );
  refuseBeyondLimit('ORGANIZATION_MAX_MEMBERS', rows[0]?.count ?? 0);
}
