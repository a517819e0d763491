import type { ProjectCaller } from '@/lib/audit/caller';
import { changedFields } from '@/lib/audit/changed-fields';
import { auditChange } from '@/lib/audit/record-audit';
import type { AuditAction } from '@/lib/audit/types';
import {
  type DestinationCredential,
  makeEndpointSecret,
  NO_SECRETS,
  openDestinationAuth,
  openEndpointSecret,
  sealDestinationAuth,
  sealEndpointSecret,
} from '@/lib/delivery/credentials';
import { changesOfTarget } from '@/lib/delivery/endpoints/endpoints';
import { ownTunnels, refuseOwnUrl } from '@/lib/delivery/engine/own-service';
import type { RotateSecretBody } from '@/lib/delivery/schema';
import { lockProject } from '@/lib/orgs/projects';
import { listInTurns } from '@/lib/orgs/tenant';
import { addMs, HOUR_MS, unexpired } from '@/lib/platform/clock';
import { fieldError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondDeleted, refuseBeyondLimit } from '@/lib/platform/limits';
import { log } from '@/lib/platform/log';
import { type Listing, newestFirst, type Page } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { Destination as DestinationRow } from '@/lib/platform/prisma/generated/client';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { inRowTurn } from '@/lib/platform/row-turn';
import { endDestinationSecret, replaceDestinationSecret } from './rotate-sql';
import {
  type CreateDestinationBody,
  Destination,
  type DestinationAuth,
  type DestinationSecret,
  type UpdateDestinationBody,
} from './schema';
import { deletedDestination, getSourceRow, type SourcePath } from './sources/sources';

/** The project and the source of a destination. */
interface DestinationPath extends SourcePath {
  destinationId: string;
}

const liveDestination = ({ projectId, sourceId, destinationId }: DestinationPath) => ({
  id: destinationId,
  sourceId,
  projectId,
  deletedAt: null,
});

/** Lists the destinations of a source, newest first. @throws AppError not_found for the source */
export async function listDestinations(
  caller: ProjectCaller,
  source: SourcePath,
  page: Page,
  at: Date,
): Promise<Listing<Destination>> {
  const { projectId, sourceId } = source;
  await getSourceRow(prisma(), source);
  return listInTurns(caller, projectId, page, {
    read: (some) => prisma().destination.findMany(newestFirst({ projectId, sourceId, deletedAt: null }, some)),
    present: (row) => presentDestination(row, at),
  });
}

/** Reads a destination. @throws AppError not_found */
export async function getDestination(path: DestinationPath, at: Date): Promise<Destination> {
  return presentDestination(await getDestinationRow(prisma(), path), at);
}

/** Reads the row of a destination that is not deleted. @throws AppError not_found */
async function getDestinationRow(db: PrismaQueries, path: DestinationPath): Promise<DestinationRow> {
  const row = await db.destination.findFirst({ where: liveDestination(path) });
  if (row === null) throw notFound('destination');
  return row;
}

/** Converts a row to a destination of the API, without its credential and secrets. */
function presentDestination(row: DestinationRow, at: Date): Destination {
  return present(Destination, {
    ...row,
    metadata: row.metadata as Destination['metadata'],
    auth: row.authEncrypted === null ? null : presentAuth(row.id, row.authEncrypted),
    hasSecret: row.secretEncrypted !== null,
    previousSecretExpiresAt: unexpired(row.previousSecretExpiresAt, at),
  });
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
async function auditDestination(
  tx: Transaction,
  caller: ProjectCaller,
  action: AuditAction & `destination.${string}`,
  { projectId, sourceId, destinationId }: DestinationPath,
  details: Record<string, unknown> = {},
): Promise<void> {
  await auditChange(tx, caller, action, destinationId, { projectId, sourceId, ...details });
}

/**
 * Creates a destination of a source. It gets the source's events from then on.
 * @throws AppError not_found for the project or the source; limit_reached; validation_failed for a URL of this service
 */
export async function createDestination(
  caller: ProjectCaller,
  source: SourcePath,
  { auth, signing, description = null, ...body }: CreateDestinationBody,
  at: Date,
): Promise<Destination> {
  const { projectId, sourceId } = source;
  refuseOwnUrl(body.url);
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    await getSourceRow(tx.prisma, source);
    const count = await tx.prisma.destination.count({ where: { projectId, deletedAt: null } });
    refuseBeyondLimit('PROJECT_MAX_DESTINATIONS', count);
    await refuseBeyondDeleted('PROJECT_MAX_DESTINATIONS', (skip) =>
      tx.prisma.destination.findFirst({ where: { projectId, deletedAt: { not: null } }, skip, select: { id: true } }),
    );
    const authEncrypted = auth == null ? null : sealDestinationAuth(auth);
    const secretEncrypted = signing ? sealEndpointSecret(makeEndpointSecret()) : null;
    const row = await tx.prisma.destination.create({
      data: { id: newId(), projectId, sourceId, description, authEncrypted, secretEncrypted, ...body },
    });
    await auditDestination(tx, caller, 'destination.created', { projectId, sourceId, destinationId: row.id });
    return presentDestination(row, at);
  });
}

/** Whether the stored credential would go to another server, where those who may change a destination could read it. */
function isMoved({ url, authEncrypted }: DestinationRow, newUrl: string | undefined): boolean {
  return authEncrypted !== null && newUrl !== undefined && receiverOf(newUrl) !== receiverOf(url);
}

/** Returns the origin of a URL. The tunnels of all tenants share one, so the token of theirs is added. */
function receiverOf(url: string): string {
  const { origin, pathname } = new URL(url);
  const [, token = ''] = /^\/t\/([^/]+)/.exec(pathname) ?? [];
  const isOwn = ownTunnels().covers({ origin, path: pathname });
  return isOwn ? `${origin}/t/${token}` : origin;
}

/**
 * Changes the given fields of a destination. A new credential replaces the old one at once. Disabling the destination by hand pauses it,
 * and enabling it also clears its failures and the reason why it was disabled or paused.
 * @throws AppError not_found; validation_failed for a URL of this service, when the URL moves to another origin or tunnel and the
 *   credential is not given again, and for a reason to pause a destination that is or becomes enabled
 */
export async function updateDestination(
  caller: ProjectCaller,
  path: DestinationPath,
  { auth, ...body }: UpdateDestinationBody,
  at: Date,
): Promise<Destination> {
  const fields = Object.keys(auth === undefined ? body : { ...body, auth });
  return inTransaction(async (tx) => {
    // A URL that moves must not get a credential that another change stores meanwhile, and the audit log tells what each change replaced.
    await lockProject(tx, path.projectId);
    const current = await getDestinationRow(tx.prisma, path);
    if (fields.length === 0) return presentDestination(current, at);
    if (auth === undefined && isMoved(current, body.url)) {
      throw fieldError('auth', 'must be given again, or null, because the URL has another origin or tunnel');
    }
    const row = await tx.prisma.destination.update({
      where: liveDestination(path),
      data: {
        ...changesOfTarget(current, body, at),
        ...(auth === undefined ? {} : { authEncrypted: auth === null ? null : sealDestinationAuth(auth) }),
      },
    });
    const changed = presentDestination(row, at);
    const changes = changedFields(presentDestination(current, at), changed, fields, ['auth']);
    if (changes !== null) await auditDestination(tx, caller, 'destination.updated', path, { changes });
    return changed;
  });
}

/**
 * Deletes a destination with its credential and secrets. Its row remains while deliveries refer to it, so that they can still be read
 * (docs/decisions/009-disabled-and-deleted-endpoints.md).
 * @throws AppError not_found
 */
export async function deleteDestination(caller: ProjectCaller, path: DestinationPath, at: Date): Promise<void> {
  await inTransaction(async (tx) => {
    await getDestinationRow(tx.prisma, path);
    await tx.prisma.destination.update({ where: liveDestination(path), data: deletedDestination(at) });
    await auditDestination(tx, caller, 'destination.deleted', path);
  });
}

/**
 * Reads the signing secret of a destination in plain text, and audits it.
 * @throws AppError not_found, also without a secret
 */
export async function revealDestinationSecret(
  caller: ProjectCaller,
  path: DestinationPath,
  at: Date,
): Promise<DestinationSecret> {
  return inTransaction(async (tx) => {
    const row = await getDestinationRow(tx.prisma, path);
    if (row.secretEncrypted === null) throw notFound('secret');
    await auditDestination(tx, caller, 'destination.secret_revealed', path);
    const previousSecretExpiresAt = unexpired(row.previousSecretExpiresAt, at);
    return { secret: openEndpointSecret(row.secretEncrypted), previousSecretExpiresAt };
  });
}

/**
 * Gives a destination its first or a new signing secret. The old one stays valid for the grace period.
 * @throws AppError not_found; rate_limited when many rotations wait
 */
export async function rotateDestinationSecret(
  caller: ProjectCaller,
  path: DestinationPath,
  { gracePeriodHours }: RotateSecretBody,
  at: Date,
): Promise<DestinationSecret> {
  const secret = makeEndpointSecret();
  const expiresAt = addMs(at, gracePeriodHours * HOUR_MS);
  return inRowTurn(path.destinationId, () =>
    inTransaction(async (tx) => {
      await replaceDestinationSecret.run(tx, {
        project: path.projectId,
        row: path.destinationId,
        secret: sealEndpointSecret(secret),
        expiresAt,
      });
      // Also checks that the destination is one of the source: otherwise everything is rolled back.
      const { previousSecretExpiresAt } = await getDestinationRow(tx.prisma, path);
      await auditDestination(tx, caller, 'destination.secret_rotated', path);
      return { secret, previousSecretExpiresAt: unexpired(previousSecretExpiresAt, at) };
    }),
  );
}

/** Ends the previous secret of a destination before its grace period does. Changes nothing without one. @throws AppError not_found */
export async function endPreviousDestinationSecret(caller: ProjectCaller, path: DestinationPath): Promise<void> {
  await inTransaction(async (tx) => {
    await getDestinationRow(tx.prisma, path);
    const ended = await endDestinationSecret.run(tx, { project: path.projectId, row: path.destinationId });
    if (ended > 0) await auditDestination(tx, caller, 'destination.previous_secret_ended', path);
  });
}

/** Stops signing the forwards to a destination at once. @throws AppError not_found */
export async function removeDestinationSecret(caller: ProjectCaller, path: DestinationPath): Promise<void> {
  await inTransaction(async (tx) => {
    await getDestinationRow(tx.prisma, path);
    await tx.prisma.destination.update({ where: liveDestination(path), data: NO_SECRETS });
    await auditDestination(tx, caller, 'destination.secret_removed', path);
  });
}
