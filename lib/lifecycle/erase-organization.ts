import type { OperatorCaller, PersonCaller } from '@/lib/audit/caller';
import { type Actor, recordAudits } from '@/lib/audit/record-audit';
import { lockOrganizations } from '@/lib/orgs/locks';
import { findMembership } from '@/lib/orgs/orgs-sql';
import type { Sql } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import { lockCopiedTables } from '@/lib/platform/sql/copied-rows-sql';
import { purgeOrganizations } from './purge-organization';
import { deleteInvitationMails, deleteMemberships, markDeleted, wakeDelivery } from './purge-sql';

/** How long the request waits for the rows to be removed; workers finish the rest. */
const PURGE_BUDGET_MS = 500;

/**
 * Erases an organization with everything that belongs to it except the audit log. The organization is unreachable when
 * this returns. The rows of a small one are removed by then; workers remove a large one.
 *
 * @throws AppError not_found; forbidden for a person who is not an owner
 */
export async function eraseOrganization(caller: PersonCaller | OperatorCaller, organizationId: string): Promise<void> {
  await retryLockedTransaction(async (tx) => {
    const [id] = await lockOrganizations(tx, [organizationId]);
    if (id === undefined) throw notFound('organization');
    if (caller.type === 'person') await refuseUnlessOwner(tx, caller.userId, id);
    await lockCopiedTables(tx);
    await deleteOrganizations(tx, caller, [id]);
  });
  await purgeOrganizations([organizationId], PURGE_BUDGET_MS).catch((error: unknown) => {
    log().warn({ err: error, organizationId }, 'erasure not finished; workers will finish it');
  });
}

/** Checks the role under the lock: it may have changed since the request was authorized. */
async function refuseUnlessOwner(tx: Sql, userId: string, organizationId: string): Promise<void> {
  const membership = await findMembership.first(tx, { user: userId, organization: organizationId });
  if (membership === undefined) throw notFound('organization');
  if (membership.role !== 'OWNER') throw new AppError('forbidden', 'This needs the role OWNER.');
}

/** Replaces the name, which often identifies a person, until the row is removed. */
const DELETED_NAME = 'Deleted organization';

/**
 * Makes organizations unreachable with the commit: their keys stop working, their members get 404, and nothing of theirs
 * is delivered. The organizations must be locked. The audit log records the deletion without the name.
 */
export async function deleteOrganizations(
  tx: Sql,
  actor: Actor,
  ids: readonly string[],
  details: Record<string, unknown> = {},
): Promise<void> {
  await markDeleted.run(tx, { organizations: ids, name: DELETED_NAME });
  await deleteMemberships.run(tx, { organizations: ids });
  await deleteInvitationMails.run(tx, { organizations: ids });
  await wakeDelivery.run(tx, { organizations: ids });
  const entries = ids.map((id) => ({ organizationId: id, targetId: id, details }));
  await recordAudits(tx, actor, 'organization.deleted', entries);
}
