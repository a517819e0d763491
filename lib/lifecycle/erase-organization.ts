import type { OperatorCaller, PersonCaller } from '@/lib/audit/caller';
import { lockOrganizations } from '@/lib/orgs/last-owner';
import { AppError, notFound } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import type { Transaction } from '@/lib/platform/prisma/transaction';
import { retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import { deleteOrganizations } from './delete-organizations';
import { purgeOrganizations } from './purge-organization';

/** How long the request waits for the rows to be removed; workers finish the rest. */
const PURGE_BUDGET_MS = 3_000;

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
    await deleteOrganizations(tx, caller, [id]);
  });
  await purgeOrganizations([organizationId], PURGE_BUDGET_MS).catch((error: unknown) => {
    log().warn({ err: error, organizationId }, 'erasure not finished; workers will finish it');
  });
}

/** Checks the role under the lock: it may have changed since the request was authorized. */
async function refuseUnlessOwner(tx: Transaction, userId: string, organizationId: string): Promise<void> {
  const membership = await tx.prisma.membership.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
  });
  if (membership === null) throw notFound('organization');
  if (membership.role !== 'OWNER') throw new AppError('forbidden', 'This needs the role OWNER.');
}
