import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import {
  makeEndpointSecret,
  openEndpointSecret,
  PREVIOUS_SECRET_MS,
  sealEndpointSecret,
} from '@/lib/delivery/endpoint-secret';
import { replaceDestinationSecret } from '@/lib/incoming/rotate-sql';
import type { DestinationSecret } from '@/lib/incoming/schema';
import { addMs, unexpired } from '@/lib/platform/clock';
import { notFound } from '@/lib/platform/errors';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { inRowTurn } from '@/lib/platform/row-turn';
import { auditDestination, type DestinationPath, getDestinationRow } from './queries';

/**
 * Reads the signing secret of a destination in plain text, and audits it.
 * @throws AppError not_found, also without a secret
 */
export async function revealDestinationSecret(
  caller: PersonCaller | KeyCaller,
  path: DestinationPath,
  at: Date,
): Promise<DestinationSecret> {
  return inTransaction(async (tx) => {
    const row = await getDestinationRow(tx.prisma, path);
    if (row.secretEncrypted === null) throw notFound('secret');
    await auditDestination(tx, caller, 'destination.secret_revealed', path);
    return {
      secret: openEndpointSecret(row.secretEncrypted),
      previousSecretExpiresAt: unexpired(row.previousSecretExpiresAt, at),
    };
  });
}

/**
 * Gives a destination its first or a new signing secret. The old one stays valid for 24 hours.
 * @throws AppError not_found; rate_limited when many rotations wait
 */
export async function rotateDestinationSecret(
  caller: PersonCaller | KeyCaller,
  path: DestinationPath,
  at: Date,
): Promise<DestinationSecret> {
  const secret = makeEndpointSecret();
  const expiresAt = addMs(at, PREVIOUS_SECRET_MS);
  const rotate = async (tx: Transaction) => {
    await replaceDestinationSecret.run(tx, path.projectId, path.destinationId, sealEndpointSecret(secret), expiresAt);
    // Also checks that the destination is one of the source: otherwise everything is rolled back.
    const { previousSecretExpiresAt } = await getDestinationRow(tx.prisma, path);
    await auditDestination(tx, caller, 'destination.secret_rotated', path);
    return { secret, previousSecretExpiresAt: previousSecretExpiresAt?.toISOString() ?? null };
  };
  return inRowTurn(path.destinationId, () => inTransaction(rotate));
}

/** Stops signing the forwards to a destination at once. @throws AppError not_found */
export async function removeDestinationSecret(caller: PersonCaller | KeyCaller, path: DestinationPath): Promise<void> {
  await inTransaction(async (tx) => {
    await getDestinationRow(tx.prisma, path);
    await tx.prisma.destination.update({
      where: { id: path.destinationId, sourceId: path.sourceId, projectId: path.projectId, deletedAt: null },
      data: { secretEncrypted: null, previousSecretEncrypted: null, previousSecretExpiresAt: null },
    });
    await auditDestination(tx, caller, 'destination.secret_removed', path);
  });
}
