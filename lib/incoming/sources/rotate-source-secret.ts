import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { RotateSourceSecretBody, SourceSecret } from '@/lib/incoming/schema';
import { addMs, DAY_MS, unexpired } from '@/lib/platform/clock';
import { fieldError } from '@/lib/platform/errors';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { inRowTurn } from '@/lib/platform/row-turn';
import { getSourceRow } from './queries';
import { rotateSecret } from './rotate-sql';
import { checkSourceSecret, makeSourceSecret, sealSourceSecret } from './source-secret';

/** How long requests signed with the old secret are accepted, so that the provider can be changed. */
const PREVIOUS_SECRET_MS = DAY_MS;

/**
 * Gives a source a new secret: the given one, or a generated one if the provider does not generate it. The old one stays
 * valid for 24 hours.
 * @throws AppError not_found; rate_limited when many rotations wait; validation_failed when the provider generates the secret and the body has none
 */
export async function rotateSourceSecret(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  sourceId: string,
  body: RotateSourceSecretBody,
  at: Date,
): Promise<SourceSecret> {
  const rotate = async (tx: Transaction) => {
    const { provider } = await getSourceRow(tx.prisma, projectId, sourceId);
    const secret = body.secret ?? makeSourceSecret(provider);
    if (secret === null) throw fieldError('secret', secretFault(provider));
    checkSourceSecret(provider, secret);
    await rotateSecret.run(tx, projectId, sourceId, sealSourceSecret(secret), addMs(at, PREVIOUS_SECRET_MS));
    const { previousSecretExpiresAt } = await getSourceRow(tx.prisma, projectId, sourceId);
    await recordAudit(tx, caller, {
      action: 'source.secret_rotated',
      organizationId: caller.organizationId,
      target: { type: 'source', id: sourceId },
      details: { projectId },
    });
    return { secret, previousSecretExpiresAt: unexpired(previousSecretExpiresAt, at) };
  };
  return inRowTurn(sourceId, () => inTransaction(rotate));
}

function secretFault(provider: string): string {
  return provider === 'NONE' ? 'is only for a provider that signs' : 'is required: the provider generates it';
}
