import type { ProjectCaller } from '@/lib/audit/caller';
import { auditChange } from '@/lib/audit/record-audit';
import { countToStart, whileStartIsCounted } from '@/lib/delivery/deliveries/count-deliveries';
import { deliveryScan } from '@/lib/delivery/deliveries/delivery-scan-sql';
import { BulkRetry, type BulkRetryFilter, type CreateBulkRetryBody } from '@/lib/delivery/schema';
import { lockProject } from '@/lib/orgs/projects';
import { organizationOf, ownerOfProject } from '@/lib/orgs/tenant';
import { database } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { type Listing, newestFirst, type Page, toListing } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { BulkRetry as BulkRetryRow } from '@/lib/platform/prisma/generated/client';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { deleteOldBulkRetries, notifyBulkRetries, selectNow } from './bulk-retries-sql';

/** The ids that a caller named, up to 1,000 of each: reading them for a list would keep the thread for a tenth of a second. */
const NOT_SHOWN = { deliveryIds: true } as const;

/** Lists the bulk retries of a project, newest first. */
export async function listBulkRetries(projectId: string, page: Page): Promise<Listing<BulkRetry>> {
  const rows = await prisma().bulkRetry.findMany({ ...newestFirst({ projectId }, page), omit: NOT_SHOWN });
  return toListing(rows, page.limit, presentBulkRetry);
}

/** Reads a bulk retry of a project. @throws AppError not_found */
export async function getBulkRetry(projectId: string, bulkRetryId: string): Promise<BulkRetry> {
  return presentBulkRetry(await getBulkRetryRow(prisma(), projectId, bulkRetryId));
}

/** Reads the row of a bulk retry. @throws AppError not_found */
async function getBulkRetryRow(
  db: PrismaQueries,
  projectId: string,
  bulkRetryId: string,
): Promise<Omit<BulkRetryRow, 'deliveryIds'>> {
  const row = await db.bulkRetry.findFirst({ where: { id: bulkRetryId, projectId }, omit: NOT_SHOWN });
  if (row === null) throw notFound('bulk retry');
  return row;
}

/**
 * Cancels a running bulk retry. The deliveries that it has made due are still sent. Does not change a finished one.
 * @throws AppError not_found
 */
export async function cancelBulkRetry(
  caller: ProjectCaller,
  projectId: string,
  bulkRetryId: string,
): Promise<BulkRetry> {
  return inTransaction(async (tx) => {
    await getBulkRetryRow(tx.prisma, projectId, bulkRetryId);
    const { count } = await tx.prisma.bulkRetry.updateMany({
      where: { id: bulkRetryId, projectId, status: 'RUNNING' },
      data: { status: 'CANCELED', completedAt: new Date() },
    });
    if (count > 0) {
      await auditChange(tx, caller, 'bulk_retry.canceled', bulkRetryId, { projectId });
    }
    return presentBulkRetry(await getBulkRetryRow(tx.prisma, projectId, bulkRetryId));
  });
}

/** Converts a row to a bulk retry of the API. */
export function presentBulkRetry(
  row: Omit<BulkRetryRow, 'ownerId' | 'deliveryIds' | 'lastDeliveryId' | 'nextBatchAt' | 'tryBeganAt'>,
): BulkRetry {
  const { skippedPending: pending, skippedDisabled: disabled, skippedDeleted: deleted, skippedGone: gone } = row;
  const filter = row.filter as Record<string, string>;
  return present(BulkRetry, { ...row, filter, skipped: { pending, disabled, deleted, gone } });
}

/** Converts a filter to what its row and the API show. */
function writeFilter({ from, to, ...rest }: BulkRetryFilter): Record<string, string> {
  const times = { from: from?.toISOString(), to: to?.toISOString() };
  const given = Object.entries({ ...rest, ...times }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, string>;
}

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
  caller: ProjectCaller,
  projectId: string,
  { deliveryIds, ...given }: CreateBulkRetryBody,
): Promise<BulkRetry> {
  const ids = [...new Set(deliveryIds)];
  const filter = ids.length > 0 ? given : { ...given, status: given.status ?? ('FAILED' as const) };
  const choose = async () => {
    // Without the lock of the project: counting takes seconds, and a deletion would wait for it.
    const { at } = await selectNow.one(database());
    const total =
      ids.length > 0
        ? ids.length
        : await countToStart(deliveryScan(projectId, filter, true), 'deliveries', 'Choose a shorter time.');
    return { filter, ids, total, at, ownerId: await ownerOfProject(projectId) };
  };
  const chosen = await whileStartIsCounted({ projectId, organizationId: organizationOf(caller) }, choose);
  return inTransaction((tx) => insert(tx, caller, projectId, chosen));
}

type Chosen = {
  filter: Omit<CreateBulkRetryBody, 'deliveryIds'>;
  ids: string[];
  total: number;
  at: Date;
  ownerId: string;
};

async function insert(
  tx: Transaction,
  caller: ProjectCaller,
  projectId: string,
  { filter, ids, total, at, ownerId }: Chosen,
): Promise<BulkRetry> {
  await lockProject(tx, projectId);
  if ((await tx.prisma.bulkRetry.count({ where: { projectId, status: 'RUNNING' } })) >= MAX_RUNNING) {
    const detail = `${MAX_RUNNING} bulk retries of this project are running. Wait until one ends, or cancel one.`;
    throw new AppError('conflict', detail);
  }
  const row = await tx.prisma.bulkRetry.create({
    data: {
      id: newId(),
      projectId,
      ownerId,
      filter: writeFilter(filter),
      deliveryIds: ids,
      total,
      createdAt: at,
      ...(total === 0 ? { status: 'COMPLETED', completedAt: at } : {}),
    },
  });
  await deleteOldBulkRetries.run(tx, { project: projectId });
  await notifyBulkRetries.run(tx);
  await auditChange(tx, caller, 'bulk_retry.created', row.id, {
    projectId,
    total,
    ...(filter.endpointId === undefined ? {} : { endpointId: filter.endpointId }),
  });
  return presentBulkRetry(row);
}
