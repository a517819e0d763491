import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { deletedDestination } from '@/lib/incoming/destinations/delete-destination';
import { lockProject } from '@/lib/orgs/lock-project';
import { sha256 } from '@/lib/platform/crypto';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { getSourceRow } from './queries';

/**
 * Deletes a source with its destinations. Its URL returns 404 at once. The row stays, without secrets, for as long as
 * incoming events refer to it (docs/decisions/004-deleted-endpoints-stay-without-secrets.md).
 * @throws AppError not_found
 */
export async function deleteSource(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  sourceId: string,
  at: Date,
): Promise<void> {
  await inTransaction(async (tx) => {
    // Without this lock, a destination or replay that is created at the same time would outlive the source.
    await lockProject(tx, projectId);
    const { name } = await getSourceRow(tx.prisma, projectId, sourceId);
    await tx.prisma.source.update({
      where: { id: sourceId, projectId, deletedAt: null },
      data: {
        deletedAt: at,
        enabled: false,
        // The column cannot be empty, and nobody can present a token with this hash.
        tokenHash: Buffer.from(sha256(`deleted source ${sourceId}`)),
        tokenEncrypted: Buffer.alloc(0),
        previousTokenHash: null,
        previousTokenExpiresAt: null,
        secretEncrypted: null,
        previousSecretEncrypted: null,
        previousSecretExpiresAt: null,
      },
    });
    await tx.prisma.destination.updateMany({
      where: { sourceId, projectId, deletedAt: null },
      data: deletedDestination(at),
    });
    await recordAudit(tx, caller, {
      action: 'source.deleted',
      organizationId: caller.organizationId,
      target: { type: 'source', id: sourceId },
      details: { projectId, targetName: name },
    });
  });
}
