import type { PersonCaller } from '@/lib/audit/caller';
import { type Actor, recordAudit } from '@/lib/audit/record-audit';
import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import type { CreateOrganizationBody, Organization } from './schema';

/**
 * Creates an organization that the caller owns.
 * @throws AppError limit_reached; unauthenticated when the account is erased meanwhile
 */
export function createOrganization(caller: PersonCaller, body: CreateOrganizationBody): Promise<Organization> {
  return inTransaction(async (tx) => {
    await lockLivingAccount(tx, caller.userId);
    refuseBeyondLimit('USER_MAX_ORGANIZATIONS', await countOwned(tx, caller.userId));
    return addOrganization(tx, caller, caller.userId, body.name);
  });
}

/**
 * Waits for a concurrent erasure or creation, and makes a later one see the new organization. The row of an erased
 * account stays in the table, so without this check a membership could point at it, and nobody could ever remove the
 * organization.
 */
async function lockLivingAccount(tx: Sql, userId: string): Promise<void> {
  const { rowCount } = await tx.query('SELECT FROM users WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE', [
    userId,
  ]);
  if (rowCount === 0) throw new AppError('unauthenticated', 'This account no longer exists.');
}

async function countOwned(tx: Sql, userId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM memberships m
     JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
     WHERE m.user_id = $1 AND m.role = 'OWNER'`,
    [userId],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Creates an organization as part of a larger change, such as a registration. A new account owns none yet, so there
 * is no limit to check.
 */
export async function addOrganization(tx: Sql, actor: Actor, ownerId: string, name: string): Promise<Organization> {
  const id = newId();
  const { rows } = await tx.query<{ created_at: Date }>(
    'INSERT INTO organizations (id, name) VALUES ($1, $2) RETURNING created_at',
    [id, name],
  );
  await tx.query(`INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'OWNER')`, [id, ownerId]);
  await recordAudit(tx, actor, {
    action: 'organization.created',
    organizationId: id,
    target: { type: 'organization', id },
    details: { ownerId },
  });
  return { id, name, role: 'OWNER', createdAt: (rows[0]?.created_at ?? new Date()).toISOString() };
}
