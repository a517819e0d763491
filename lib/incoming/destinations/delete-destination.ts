import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { auditDestination, type DestinationPath, getDestinationRow } from './queries';

/** The columns of a deleted destination. */
export const deletedDestination = (at: Date) =>
  ({
    deletedAt: at,
    enabled: false,
    authEncrypted: null,
    secretEncrypted: null,
    previousSecretEncrypted: null,
    previousSecretExpiresAt: null,
  }) as const;

/**
 * Deletes a destination with its credential and secrets. Its row remains while deliveries refer to it, so that they can still be read
 * (docs/decisions/004-deleted-endpoints-stay-without-secrets.md).
 * @throws AppError not_found
 */
export async function deleteDestination(
  caller: PersonCaller | KeyCaller,
  path: DestinationPath,
  at: Date,
): Promise<void> {
  await inTransaction(async (tx) => {
    await getDestinationRow(tx.prisma, path);
    await tx.prisma.destination.update({
      where: { id: path.destinationId, sourceId: path.sourceId, projectId: path.projectId, deletedAt: null },
      data: deletedDestination(at),
    });
    await auditDestination(tx, caller, 'destination.deleted', path);
  });
}
