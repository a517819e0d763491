import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { PREVIOUS_SECRET_MS } from '@/lib/delivery/endpoint-secret';
import { replaceSourceSecret } from '@/lib/incoming/rotate-sql';
import type { RotateSourceSecretBody, SourceSecret } from '@/lib/incoming/schema';
import { addMs, unexpired } from '@/lib/platform/clock';
import { fieldError, notFound } from '@/lib/platform/errors';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { inRowTurn } from '@/lib/platform/row-turn';
import { getSourceRow } from './queries';
import { checkSourceSecret, makeSourceSecret, openSourceSecret, sealSourceSecret } from './source-secret';

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
    await replaceSourceSecret.run(tx, projectId, sourceId, sealSourceSecret(secret), addMs(at, PREVIOUS_SECRET_MS));
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
