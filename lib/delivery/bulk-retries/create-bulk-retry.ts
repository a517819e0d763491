import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { COUNT_LIMITS, whileStarting } from '@/lib/delivery/deliveries/count-deliveries';
import { deliveryScan } from '@/lib/delivery/deliveries/delivery-scan-sql';
import type { BulkRetry, CreateBulkRetryBody } from '@/lib/delivery/schema';
import { lockProject } from '@/lib/orgs/lock-project';
import { organizationOf } from '@/lib/orgs/organization-of';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { countMatches, type Scan } from '@/lib/platform/sql/bounded-scan';
import { presentBulkRetry, writeFilter } from './bulk-retries';
import { deleteOldBulkRetries, notifyBulkRetries, selectNow } from './bulk-retries-sql';

/** The most bulk retries of a project that run at once. Workers take turns between them. */
const MAX_RUNNING = 3;

/**
 * Starts to retry the deliveries that match, oldest first. Workers do it in batches; `retried` and `skipped` show the
 * progress. Without ids and a status, the failed deliveries are retried.
 * @throws AppError not_found; conflict when too many deliveries match or too many bulk retries run; rate_limited when the project
 *   counts for another one, or its organization or owner for two, or the owner has
 *   started 60 within a minute; overloaded
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
    const { at } = await selectNow.one(database());
    const total = ids.length > 0 ? ids.length : await count(deliveryScan(projectId, filter, true));
    return inTransaction((tx) => insert(tx, caller, projectId, { filter, ids, total, at }));
  };
  return whileStarting({ projectId, organizationId: organizationOf(caller) }, create);
}

type Chosen = { filter: Omit<CreateBulkRetryBody, 'deliveryIds'>; ids: string[]; total: number; at: Date };

async function insert(
  tx: Transaction,
  caller: PersonCaller | KeyCaller,
  projectId: string,
  { filter, ids, total, at }: Chosen,
): Promise<BulkRetry> {
  await lockProject(tx, projectId);
  await refuseFurther(tx, projectId);
  const row = await tx.prisma.bulkRetry.create({
    data: {
      id: newId(),
      projectId,
      filter: writeFilter(filter),
      deliveryIds: ids,
      total,
      createdAt: at,
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

async function count(scan: Scan): Promise<number> {
  const found = await countMatches(database(), scan, COUNT_LIMITS);
  if (found.isExact) return found.count;
  const { upTo, maxExamined } = COUNT_LIMITS;
  const reason =
    found.count === upTo
      ? `More than ${upTo.toLocaleString('en-US')} deliveries match.`
      : `The deliveries that match are among more than ${maxExamined.toLocaleString('en-US')} others.`;
  throw new AppError('conflict', `${reason} Choose a shorter time.`);
}
