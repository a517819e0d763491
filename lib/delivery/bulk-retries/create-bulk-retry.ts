import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { STARTED_COUNTS, whileCounting } from '@/lib/delivery/deliveries/count-slots';
import { matchParameters } from '@/lib/delivery/deliveries/match-parameters';
import { countMatching } from '@/lib/delivery/deliveries/match-sql';
import type { BulkRetry, CreateBulkRetryBody } from '@/lib/delivery/schema';
import { lockProject } from '@/lib/orgs/lock-project';
import { organizationOf } from '@/lib/orgs/organization-of';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { deleteOldBulkRetries, notifyBulkRetries } from './create-bulk-retry-sql';
import { presentBulkRetry } from './present-bulk-retry';
import { writeFilter } from './stored-filter';

/** The most deliveries of one bulk retry. */
const MAX_RETRIED = 100_000;
/** The most bulk retries of a project that run at once. Workers take turns between them. */
const MAX_RUNNING = 3;

/**
 * Starts to retry the deliveries that match, oldest first. Workers do it in batches; `retried` and `skipped` show the
 * progress. Without ids and a status, the failed deliveries are retried.
 * @throws AppError not_found; conflict when too many deliveries match or too many bulk retries run; rate_limited when the project
 *   counts for another one, or its organization or owner for two; overloaded
 */
export async function createBulkRetry(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  { deliveryIds, ...given }: CreateBulkRetryBody,
): Promise<BulkRetry> {
  const ids = [...new Set(deliveryIds)];
  const filter = ids.length > 0 ? given : { ...given, status: given.status ?? ('FAILED' as const) };
  const create = async () => {
    // Without the lock of the project: counting takes seconds, and a deletion would wait for it.
    const counted = await count(matchParameters(projectId, { filter, deliveryIds: ids }, MAX_RETRIED + 1));
    return inTransaction((tx) => insert(tx, caller, projectId, { filter, ids, ...counted }));
  };
  return whileCounting(STARTED_COUNTS, { projectId, organizationId: organizationOf(caller) }, create);
}

type Chosen = { filter: Omit<CreateBulkRetryBody, 'deliveryIds'>; ids: string[]; matching: number; at: Date };

async function insert(
  tx: Transaction,
  caller: PersonCaller | KeyCaller,
  projectId: string,
  { filter, ids, matching, at }: Chosen,
): Promise<BulkRetry> {
  await lockProject(tx, projectId);
  await refuseFurther(tx, projectId);
  const total = ids.length > 0 ? ids.length : matching;
  const row = await tx.prisma.bulkRetry.create({
    data: {
      ...{ id: newId(), projectId, filter: writeFilter(filter), deliveryIds: ids, total, createdAt: at },
      ...(total === 0 ? { status: 'COMPLETED', completedAt: at } : {}),
    },
  });
  await deleteOldBulkRetries.run(tx, projectId);
  await notifyBulkRetries.run(tx);
  await recordAudit(tx, caller, {
    action: 'bulk_retry.created',
    organizationId: caller.organizationId,
    target: { type: 'bulk_retry', id: row.id },
    details: { projectId, total, ...(filter.endpointId === undefined ? {} : { endpointId: filter.endpointId }) },
  });
  return presentBulkRetry(row);
}

async function refuseFurther(tx: Transaction, projectId: string): Promise<void> {
  const running = await tx.prisma.bulkRetry.count({ where: { projectId, status: 'RUNNING' } });
  if (running < MAX_RUNNING) return;
  throw new AppError(
    'conflict',
    `${MAX_RUNNING} bulk retries of this project are running. Wait until one ends, or cancel one.`,
  );
}

async function count(parameters: unknown[]): Promise<{ matching: number; at: Date }> {
  const { total, at } = await countMatching.one(database(), ...parameters);
  if (total <= MAX_RETRIED) return { matching: total, at };
  const limit = MAX_RETRIED.toLocaleString('en-US');
  throw new AppError('conflict', `More than ${limit} deliveries match. Choose a shorter time.`);
}
