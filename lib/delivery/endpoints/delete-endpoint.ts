import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { getEndpointRow } from './queries';

/**
 * Deletes an endpoint with its subscriptions and secrets. Its row remains while deliveries refer to it, so that they can still be
 * read (docs/decisions/004-deleted-endpoints-stay-without-secrets.md).
 * @throws AppError not_found
 */
export async function deleteEndpoint(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  endpointId: string,
  at: Date,
): Promise<void> {
  await inTransaction(async (tx) => {
    await getEndpointRow(tx.prisma, projectId, endpointId);
    await tx.prisma.subscription.deleteMany({ where: { endpointId, projectId } });
    await tx.prisma.endpoint.update({
      where: { id: endpointId, projectId, deletedAt: null },
      data: {
        deletedAt: at,
        enabled: false,
        secretEncrypted: null,
        previousSecretEncrypted: null,
        previousSecretExpiresAt: null,
      },
    });
    await recordAudit(tx, caller, {
      action: 'endpoint.deleted',
      organizationId: caller.organizationId,
      target: { type: 'endpoint', id: endpointId },
      details: { projectId },
    });
  });
}
