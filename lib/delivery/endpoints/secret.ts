import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import {
  makeEndpointSecret,
  openEndpointSecret,
  PREVIOUS_SECRET_MS,
  sealEndpointSecret,
} from '@/lib/delivery/endpoint-secret';
import type { EndpointSecret } from '@/lib/delivery/schema';
import { addMs, unexpired } from '@/lib/platform/clock';
import { notFound } from '@/lib/platform/errors';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { inRowTurn } from '@/lib/platform/row-turn';
import { getEndpointRow } from './queries';
import { replaceEndpointSecret } from './rotate-secret-sql';

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

/** Gives an endpoint a new signing secret. The old one remains valid for 24 hours. @throws AppError not_found; rate_limited when many rotations wait */
export async function rotateSecret(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  endpointId: string,
  at: Date,
): Promise<EndpointSecret> {
  const secret = makeEndpointSecret();
  const previousSecretExpiresAt = addMs(at, PREVIOUS_SECRET_MS);
  const rotate = async (tx: Transaction) => {
    const sealed = sealEndpointSecret(secret);
    const count = await replaceEndpointSecret.run(tx, projectId, endpointId, sealed, previousSecretExpiresAt);
    if (count === 0) throw notFound('endpoint');
    await recordAudit(tx, caller, {
      action: 'endpoint.secret_rotated',
      organizationId: caller.organizationId,
      target: { type: 'endpoint', id: endpointId },
      details: { projectId },
    });
  };
  await inRowTurn(endpointId, () => inTransaction(rotate));
  return { secret, previousSecretExpiresAt: previousSecretExpiresAt.toISOString() };
}
