import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { BulkRetry } from '@/lib/delivery/schema';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { presentBulkRetry } from './present-bulk-retry';
import { getBulkRetryRow } from './queries';

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
