import type { BulkRetry } from '@/lib/delivery/schema';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { BulkRetry as BulkRetryRow } from '@/lib/platform/prisma/generated/client';
import { presentBulkRetry } from './present-bulk-retry';

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
export async function getBulkRetryRow(
  db: PrismaQueries,
  projectId: string,
  bulkRetryId: string,
): Promise<BulkRetryRow> {
  const row = await db.bulkRetry.findFirst({ where: { id: bulkRetryId, projectId } });
  if (row === null) throw notFound('bulk retry');
  return row;
}
