import type { BulkRetry } from '@/lib/delivery/schema';
import type { BulkRetry as BulkRetryRow } from '@/lib/platform/prisma/generated/client';

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
