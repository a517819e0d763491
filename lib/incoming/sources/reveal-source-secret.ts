import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { SourceSecret } from '@/lib/incoming/schema';
import { unexpired } from '@/lib/platform/clock';
import { notFound } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { getSourceRow } from './queries';
import { openSourceSecret } from './source-secret';

/** Returns the secret of a source, and records that. @throws AppError not_found, also when it has none */
export async function revealSourceSecret(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  sourceId: string,
  at: Date,
): Promise<SourceSecret> {
  return inTransaction(async (tx) => {
    const row = await getSourceRow(tx.prisma, projectId, sourceId);
    if (row.secretEncrypted === null) throw notFound('secret');
    await recordAudit(tx, caller, {
      action: 'source.secret_revealed',
      organizationId: caller.organizationId,
      target: { type: 'source', id: sourceId },
      details: { projectId },
    });
    return {
      secret: openSourceSecret(row.secretEncrypted),
      previousSecretExpiresAt: unexpired(row.previousSecretExpiresAt, at),
    };
  });
}
