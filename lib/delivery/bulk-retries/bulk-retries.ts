import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { BulkRetry, BulkRetryFilter } from '@/lib/delivery/schema';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { BulkRetry as BulkRetryRow } from '@/lib/platform/prisma/generated/client';
import { inTransaction } from '@/lib/platform/prisma/transaction';

/** Lists the bulk retries of a project, newest first. */
export async function listBulkRetries(projectId: string, page: Page): Promise<Listing<BulkRetry>> {
  const rows = await prisma().bulkRetry.findMany({
    where: { projectId, ...(page.cursor === undefined ? {} : { id: { lt: page.cursor } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
  return toListing(rows, page.limit, presentBulkRetry);
}

/** Reads a bulk retry of a project. @throws AppError not_found */
export async function getBulkRetry(projectId: string, bulkRetryId: string): Promise<BulkRetry> {
  return presentBulkRetry(await getBulkRetryRow(prisma(), projectId, bulkRetryId));
}

/** Reads the row of a bulk retry. @throws AppError not_found */
async function getBulkRetryRow(db: PrismaQueries, projectId: string, bulkRetryId: string): Promise<BulkRetryRow> {
  const row = await db.bulkRetry.findFirst({ where: { id: bulkRetryId, projectId } });
  if (row === null) throw notFound('bulk retry');
  return row;
}

/**
 * Cancels a running bulk retry. The deliveries that it has made due are still sent. Does not change a finished one.
 * @throws AppError not_found
 */
export async function cancelBulkRetry(
  caller: PersonCaller | KeyCaller,
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
      await recordAudit(tx, caller, {
        action: 'bulk_retry.canceled',
        organizationId: caller.organizationId,
        target: { type: 'bulk_retry', id: bulkRetryId },
        details: { projectId },
      });
    }
    return presentBulkRetry(await getBulkRetryRow(tx.prisma, projectId, bulkRetryId));
  });
}

/** Converts a row to a bulk retry of the API. */
export function presentBulkRetry(row: Omit<BulkRetryRow, 'deliveryIds' | 'lastDeliveryId' | 'nextBatchAt'>): BulkRetry {
  return {
    id: row.id,
    status: row.status,
    filter: row.filter as Record<string, string>,
    total: row.total,
    retried: row.retried,
    skipped: {
      pending: row.skippedPending,
      disabled: row.skippedDisabled,
      deleted: row.skippedDeleted,
      gone: row.skippedGone,
    },
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

/** Converts a filter to what its row and the API show. */
export function writeFilter({ from, to, ...rest }: BulkRetryFilter): Record<string, string> {
  const times = { from: from?.toISOString(), to: to?.toISOString() };
  const given = Object.entries({ ...rest, ...times }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, string>;
}
