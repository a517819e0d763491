import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { rotateToken } from '@/lib/incoming/rotate-sql';
import type { RotateSourceUrlBody, Source, UpdateSourceBody } from '@/lib/incoming/schema';
import { addMs, HOUR_MS } from '@/lib/platform/clock';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { inRowTurn } from '@/lib/platform/row-turn';
import { getSourceRow, makeSourceToken, presentSource } from './queries';
import { checkSourceSecret, refuseFixedFields, sealSourceSecret } from './source-secret';

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

/**
 * Gives a source a new URL. The old one works for the grace period; an even older one stops working at once.
 * @throws AppError not_found; rate_limited when many rotations wait
 */
export async function rotateSourceUrl(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  sourceId: string,
  { gracePeriodHours }: RotateSourceUrlBody,
  at: Date,
): Promise<Source> {
  const { tokenHash, tokenEncrypted } = makeSourceToken();
  const rotate = async (tx: Transaction) => {
    const endsAt = addMs(at, gracePeriodHours * HOUR_MS);
    await rotateToken.run(tx, projectId, sourceId, tokenHash, tokenEncrypted, endsAt);
    const row = await getSourceRow(tx.prisma, projectId, sourceId);
    await recordAudit(tx, caller, {
      action: 'source.url_rotated',
      organizationId: caller.organizationId,
      target: { type: 'source', id: sourceId },
      details: { projectId, gracePeriodHours },
    });
    return presentSource(row, at);
  };
  return inRowTurn(sourceId, () => inTransaction(rotate));
}
