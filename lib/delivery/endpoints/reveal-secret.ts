import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { openEndpointSecret } from '@/lib/delivery/endpoint-secret';
import type { EndpointSecret } from '@/lib/delivery/schema';
import { unexpired } from '@/lib/platform/clock';
import { notFound } from '@/lib/platform/errors';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { getEndpointRow } from './queries';

/** Reads the signing secret of an endpoint in plain text and audits that. @throws AppError not_found */
export async function revealSecret(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  endpointId: string,
  at: Date,
): Promise<EndpointSecret> {
  return inTransaction(async (tx) => {
    const row = await getEndpointRow(tx.prisma, projectId, endpointId);
    if (row.secretEncrypted === null) throw notFound('endpoint');
    await recordAudit(tx, caller, {
      action: 'endpoint.secret_revealed',
      organizationId: caller.organizationId,
      target: { type: 'endpoint', id: endpointId },
      details: { projectId },
    });
    return {
      secret: openEndpointSecret(row.secretEncrypted),
      previousSecretExpiresAt: unexpired(row.previousSecretExpiresAt, at),
    };
  });
}
