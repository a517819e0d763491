import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { RotateSourceUrlBody, Source } from '@/lib/incoming/schema';
import { addMs, HOUR_MS } from '@/lib/platform/clock';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { inRowTurn } from '@/lib/platform/row-turn';
import { presentSource } from './present-source';
import { getSourceRow } from './queries';
import { rotateToken } from './rotate-sql';
import { makeSourceToken } from './source-url';

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
