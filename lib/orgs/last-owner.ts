import type { Role } from '@/lib/audit/types';
import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';

/** What a person is to one of their organizations, as the last-owner rules see it. */
export interface Standing {
  id: string;
  name: string;
  role: Role;
  /** All members, the person among them. */
  memberCount: number;
  otherOwnerCount: number;
}

/**
 * Locks living organizations for a change of who owns them: leaving, demotion, removal and erasure all lock first and judge
 * after that, so that two at once never both go by what neither has changed yet. In the order of ids, so that two never
 * wait for each other. A membership that is being added holds a lock of its organization too, and is waited for.
 *
 * @returns the ids of those that are still there
 */
export async function lockOrganizations(tx: Sql, ids: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    'SELECT id FROM organizations WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL ORDER BY id FOR UPDATE',
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** What a person is to each of their living organizations, oldest first. Out of date at once unless these are locked. */
export async function listStandings(sql: Sql, userId: string): Promise<Standing[]> {
  const { rows } = await sql.query<Standing>(
    `SELECT o.id, o.name, m.role,
            (SELECT count(*)::int FROM memberships x WHERE x.organization_id = o.id) AS "memberCount",
            (SELECT count(*)::int FROM memberships x
             WHERE x.organization_id = o.id AND x.role = 'OWNER' AND x.user_id <> m.user_id) AS "otherOwnerCount"
     FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
     WHERE m.user_id = $1 ORDER BY o.id`,
    [userId],
  );
  return rows;
}

/** Whether nobody would own the organization without this person. */
export function isLastOwner(standing: Pick<Standing, 'role' | 'otherOwnerCount'>): boolean {
  return standing.role === 'OWNER' && standing.otherOwnerCount === 0;
}

const OTHERS_BELONG = 'You are the last owner of an organization that others belong to. Hand over ownership first.';

/** The refusal of spec 7, with the organizations whose ownership has to be handed over first (CONTRACT 2). */
export function lastOwner(
  organizations: readonly Pick<Standing, 'id' | 'name'>[],
  detail: string = OTHERS_BELONG,
): AppError {
  const named = organizations.map(({ id, name }) => ({ id, name }));
  return new AppError('last_owner', detail, { extra: { organizations: named } });
}
