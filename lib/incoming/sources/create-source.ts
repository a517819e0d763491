import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { CreateSourceBody, Source } from '@/lib/incoming/schema';
import { lockProject } from '@/lib/orgs/lock-project';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { makeSourceToken, presentSource } from './queries';
import { checkSourceSecret, makeSourceSecret, sealSourceSecret, signatureFields } from './source-secret';

/**
 * Creates a source with its own URL, and with a secret unless the provider generates it.
 * @throws AppError validation_failed for a field that the provider does not have; limit_reached; not_found when the
 *   project is deleted
 */
export async function createSource(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  body: CreateSourceBody,
  at: Date,
): Promise<Source> {
  const { name, provider, enabled } = body;
  const fields = signatureFields(provider, body);
  if (body.secret !== undefined) checkSourceSecret(provider, body.secret);
  const secret = body.secret ?? makeSourceSecret(provider);
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    refuseBeyondLimit('PROJECT_MAX_SOURCES', await tx.prisma.source.count({ where: { projectId, deletedAt: null } }));
    const row = await tx.prisma.source.create({
      data: {
        id: newId(),
        projectId,
        name,
        provider,
        enabled,
        ...makeSourceToken(),
        ...fields,
        secretEncrypted: secret === null ? null : sealSourceSecret(secret),
      },
    });
    await recordAudit(tx, caller, {
      action: 'source.created',
      organizationId: caller.organizationId,
      target: { type: 'source', id: row.id },
      details: { projectId, targetName: name, provider },
    });
    return presentSource(row, at);
  });
}
