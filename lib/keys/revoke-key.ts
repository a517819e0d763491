import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { notFound } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';

/**
 * Revokes a key at once. Revoking it again changes nothing and is not audited.
 * @throws AppError not_found
 */
export async function revokeKey(caller: PersonCaller, projectId: string, apiKeyId: string, at: Date): Promise<void> {
  await inTransaction(async (tx) => {
    const { count } = await tx.prisma.apiKey.updateMany({
      where: { id: apiKeyId, projectId, revokedAt: null },
      data: { revokedAt: at },
    });
    if (count === 0) {
      const known = await tx.prisma.apiKey.count({ where: { id: apiKeyId, projectId } });
      if (known === 0) throw notFound('API key');
      return;
    }
    await recordAudit(tx, caller, {
      action: 'api_key.revoked',
      organizationId: caller.organizationId,
      target: { type: 'api_key', id: apiKeyId },
      details: { projectId },
    });
  });
}
