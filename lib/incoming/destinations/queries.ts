import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { AuditAction } from '@/lib/audit/types';
import { type DestinationCredential, openDestinationAuth } from '@/lib/delivery/destination-auth';
import type { Destination, DestinationAuth } from '@/lib/incoming/schema';
import { getSourceRow } from '@/lib/incoming/sources/queries';
import { unexpired } from '@/lib/platform/clock';
import { notFound } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { Destination as DestinationRow } from '@/lib/platform/prisma/generated/client';
import type { Transaction } from '@/lib/platform/prisma/transaction';

/** The project and the source of a destination. */
export interface DestinationPath {
  projectId: string;
  sourceId: string;
  destinationId: string;
}

/** Lists the destinations of a source, newest first. @throws AppError not_found for the source */
export async function listDestinations(
  projectId: string,
  sourceId: string,
  page: Page,
  at: Date,
): Promise<Listing<Destination>> {
  await getSourceRow(prisma(), projectId, sourceId);
  const rows = await prisma().destination.findMany({
    where: { projectId, sourceId, deletedAt: null, ...(page.cursor === undefined ? {} : { id: { lt: page.cursor } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
  return toListing(rows, page.limit, (row) => presentDestination(row, at));
}

/** Reads a destination. @throws AppError not_found */
export async function getDestination(path: DestinationPath, at: Date): Promise<Destination> {
  return presentDestination(await getDestinationRow(prisma(), path), at);
}

/** Reads the row of a destination that is not deleted. @throws AppError not_found */
export async function getDestinationRow(
  db: PrismaQueries,
  { projectId, sourceId, destinationId }: DestinationPath,
): Promise<DestinationRow> {
  const row = await db.destination.findFirst({ where: { id: destinationId, sourceId, projectId, deletedAt: null } });
  if (row === null) throw notFound('destination');
  return row;
}

/** Converts a row to a destination of the API, without its credential and secrets. */
export function presentDestination(row: DestinationRow, at: Date): Destination {
  return {
    id: row.id,
    sourceId: row.sourceId,
    url: row.url,
    description: row.description,
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    pauseReason: row.pauseReason,
    failingSince: row.failingSince?.toISOString() ?? null,
    retrySeconds: row.retrySeconds,
    auth: row.authEncrypted === null ? null : presentAuth(row.id, row.authEncrypted),
    hasSecret: row.secretEncrypted !== null,
    previousSecretExpiresAt: unexpired(row.previousSecretExpiresAt, at),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function presentAuth(destinationId: string, sealed: Uint8Array): DestinationAuth {
  const credential = openOrNull(destinationId, sealed);
  if (credential === null) return { type: 'UNREADABLE' };
  switch (credential.type) {
    case 'BEARER':
      return { type: 'BEARER' };
    case 'BASIC':
      return { type: 'BASIC', username: credential.username };
    case 'HEADER':
      return { type: 'HEADER', name: credential.name };
  }
}

/** A lost key must not hide the destination: users need to find it to replace the credential. */
function openOrNull(destinationId: string, sealed: Uint8Array): DestinationCredential | null {
  try {
    return openDestinationAuth(sealed);
  } catch (error) {
    log().error({ err: error, destinationId }, 'credential cannot be read');
    return null;
  }
}

/** Audits a change of a destination in its transaction. `details` must not contain a credential. */
export async function auditDestination(
  tx: Transaction,
  caller: PersonCaller | KeyCaller,
  action: AuditAction & `destination.${string}`,
  { projectId, sourceId, destinationId }: DestinationPath,
  details: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(tx, caller, {
    action,
    organizationId: caller.organizationId,
    target: { type: 'destination', id: destinationId },
    details: { projectId, sourceId, ...details },
  });
}
