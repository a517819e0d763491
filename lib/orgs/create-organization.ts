import { lockAccount } from '@/lib/accounts/lock-account';
import type { PersonCaller } from '@/lib/audit/caller';
import { type Actor, recordAudit } from '@/lib/audit/record-audit';
import type { Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { insertOrganization, insertOwner } from './memberships-sql';
import type { CreateOrganizationBody, Organization } from './schema';

/**
 * Creates an organization that the caller owns.
 * @throws AppError limit_reached; unauthenticated when the account is erased meanwhile
 */
export function createOrganization(caller: PersonCaller, body: CreateOrganizationBody): Promise<Organization> {
  return inTransaction(async (tx) => {
    // Waits for a concurrent erasure or creation, and makes a later one see the new organization. The row of an erased
    // account stays in the table, so without this check a membership could point at it, and nobody could ever remove
    // the organization.
    await lockAccount(tx, caller.userId);
    refuseBeyondLimit('USER_MAX_ORGANIZATIONS', await countOwned(tx, caller.userId));
    return addOrganization(tx, caller, caller.userId, body.name);
  });
}

function countOwned(tx: Transaction, userId: string): Promise<number> {
  return tx.prisma.membership.count({ where: { userId, role: 'OWNER', organization: { deletedAt: null } } });
}

/**
 * Creates an organization as part of a larger change, such as a registration. A new account owns none yet, so there
 * is no limit to check.
 */
export async function addOrganization(tx: Sql, actor: Actor, ownerId: string, name: string): Promise<Organization> {
  const id = newId();
  const stored = await insertOrganization.first(tx, id, name);
  await insertOwner.run(tx, id, ownerId);
  await recordAudit(tx, actor, {
    action: 'organization.created',
    organizationId: id,
    target: { type: 'organization', id },
    details: { ownerId },
  });
  return { id, name, role: 'OWNER', createdAt: (stored?.created_at ?? new Date()).toISOString() };
}
