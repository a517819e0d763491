import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { Source, UpdateSourceBody } from '@/lib/incoming/schema';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { presentSource } from './present-source';
import { getSourceRow } from './queries';
import { refuseFixedFields } from './signature-fields';
import { checkSourceSecret, sealSourceSecret } from './source-secret';

/**
 * Changes the given fields of a source. A new secret replaces the old one at once; `rotateSourceSecret` keeps both for a day.
 * @throws AppError not_found; validation_failed for a field that the provider does not have
 */
export async function updateSource(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  sourceId: string,
  body: UpdateSourceBody,
  at: Date,
): Promise<Source> {
  return inTransaction(async (tx) => {
    const present = await getSourceRow(tx.prisma, projectId, sourceId);
    const fields = Object.keys(body);
    if (fields.length === 0) return presentSource(present, at);
    refuseFixedFields(present.provider, body);
    const { secret, ...shown } = body;
    if (secret !== undefined) checkSourceSecret(present.provider, secret);
    const row = await tx.prisma.source.update({
      where: { id: sourceId, projectId, deletedAt: null },
      data: {
        ...Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)),
        ...(secret === undefined
          ? {}
          : {
              secretEncrypted: sealSourceSecret(secret),
              previousSecretEncrypted: null,
              previousSecretExpiresAt: null,
            }),
      },
    });
    await recordAudit(tx, caller, {
      action: 'source.updated',
      organizationId: caller.organizationId,
      target: { type: 'source', id: sourceId },
      details: { projectId, fields },
    });
    return presentSource(row, at);
  });
}
