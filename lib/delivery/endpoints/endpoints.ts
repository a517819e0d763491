import type { ProjectCaller } from '@/lib/audit/caller';
import { changedFields } from '@/lib/audit/changed-fields';
import { auditChange, recordAudits } from '@/lib/audit/record-audit';
import { makeEndpointSecret, NO_SECRETS, openEndpointSecret, sealEndpointSecret } from '@/lib/delivery/credentials';
import { refuseOwnUrl } from '@/lib/delivery/engine/own-service';
import {
  type CreateEndpointBody,
  Endpoint,
  type EndpointSecret,
  type RotateSecretBody,
  type UpdateEndpointBody,
} from '@/lib/delivery/schema';
import { lockProject } from '@/lib/orgs/projects';
import { addMs, HOUR_MS, unexpired } from '@/lib/platform/clock';
import { fieldError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondDeleted, refuseBeyondLimit } from '@/lib/platform/limits';
import { present } from '@/lib/platform/present';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { Endpoint as EndpointRow } from '@/lib/platform/prisma/generated/client';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { inRowTurn } from '@/lib/platform/row-turn';
import { endEndpointSecret, replaceEndpointSecret } from './rotate-secret-sql';

/** The project of an endpoint, and its id. */
interface EndpointPath {
  projectId: string;
  endpointId: string;
}

const liveEndpoint = ({ projectId, endpointId }: EndpointPath) => ({ id: endpointId, projectId, deletedAt: null });

/** Reads an endpoint of a project. @throws AppError not_found */
export async function getEndpoint(path: EndpointPath): Promise<Endpoint> {
  return presentEndpoint(await getEndpointRow(prisma(), path));
}

/** Reads the row of an endpoint that is not deleted. @throws AppError not_found */
export async function getEndpointRow(db: PrismaQueries, path: EndpointPath): Promise<EndpointRow> {
  const row = await db.endpoint.findFirst({ where: liveEndpoint(path) });
  if (row === null) throw notFound('endpoint');
  return row;
}

/** Converts a row to an endpoint of the API. */
export function presentEndpoint(row: Pick<EndpointRow, keyof Endpoint>): Endpoint {
  return present(Endpoint, row);
}

/**
 * Creates an endpoint with a new signing secret, and its subscriptions.
 * @throws AppError limit_reached; not_found when the project is deleted; validation_failed for a URL of this service
 */
export async function createEndpoint(
  caller: ProjectCaller,
  projectId: string,
  { description = null, eventTypes, ...body }: CreateEndpointBody,
): Promise<Endpoint> {
  refuseOwnUrl(body.url);
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    const count = await tx.prisma.endpoint.count({ where: { projectId, deletedAt: null } });
    refuseBeyondLimit('PROJECT_MAX_ENDPOINTS', count);
    await refuseBeyondDeleted('PROJECT_MAX_ENDPOINTS', (skip) =>
      tx.prisma.endpoint.findFirst({ where: { projectId, deletedAt: { not: null } }, skip, select: { id: true } }),
    );
    const secretEncrypted = sealEndpointSecret(makeEndpointSecret());
    const row = await tx.prisma.endpoint.create({
      data: { id: newId(), projectId, description, secretEncrypted, ...body },
    });
    await auditChange(tx, caller, 'endpoint.created', row.id, { projectId });
    if (eventTypes.length > 0) await subscribe(tx, caller, { projectId, endpointId: row.id }, eventTypes);
    return presentEndpoint(row);
  });
}

/** Subscribes a new endpoint to event types. The project is locked. @throws AppError limit_reached */
async function subscribe(
  tx: Transaction,
  caller: ProjectCaller,
  { projectId, endpointId }: EndpointPath,
  eventTypes: readonly string[],
): Promise<void> {
  const count = await tx.prisma.subscription.count({ where: { projectId } });
  refuseBeyondLimit('PROJECT_MAX_SUBSCRIPTIONS', count + eventTypes.length - 1);
  const data = eventTypes.map((eventType) => ({ id: newId(), projectId, endpointId, eventType }));
  await tx.prisma.subscription.createMany({ data });
  const entries = data.map(({ id, eventType }) => ({
    organizationId: caller.organizationId,
    targetId: id,
    details: { projectId, endpointId, eventType },
  }));
  await recordAudits(tx, caller, 'subscription.created', entries);
}

/**
 * Changes the given fields of an endpoint. Disabling it by hand pauses it, and enabling it also clears its failures and the reason why
 * it was disabled or paused.
 * @throws AppError not_found; validation_failed for a URL of this service, and for a reason to pause an
 *   endpoint that is or becomes enabled
 */
export async function updateEndpoint(
  caller: ProjectCaller,
  path: EndpointPath,
  body: UpdateEndpointBody,
  at: Date,
): Promise<Endpoint> {
  return inTransaction(async (tx) => {
    const current = await getEndpointRow(tx.prisma, path);
    const fields = Object.keys(body);
    if (fields.length === 0) return presentEndpoint(current);
    const row = await tx.prisma.endpoint.update({
      where: liveEndpoint(path),
      data: changesOfTarget(current, body, at),
    });
    const changed = presentEndpoint(row);
    const changes = changedFields(presentEndpoint(current), changed, fields);
    const { projectId, endpointId } = path;
    if (changes !== null) await auditChange(tx, caller, 'endpoint.updated', endpointId, { projectId, changes });
    return changed;
  });
}

/**
 * Returns the columns that a body changes of an endpoint or destination.
 * @throws AppError validation_failed for a URL of this service, and for a reason to pause a target that is or becomes enabled
 */
export function changesOfTarget(
  { url, enabled }: Pick<EndpointRow, 'url' | 'enabled'>,
  body: UpdateEndpointBody,
  at: Date,
) {
  if (typeof body.pauseReason === 'string' && (body.enabled ?? enabled)) {
    throw fieldError('pauseReason', 'needs "enabled": false');
  }
  refuseOwnUrl(body.url);
  return {
    ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
    ...(body.url === undefined || body.url === url ? {} : { urlChangedAt: at }),
    ...(body.enabled === true ? { disabledReason: null, disabledAt: null, pauseReason: null, failingSince: null } : {}),
    ...(body.enabled === false && enabled ? { disabledAt: at } : {}),
  };
}

/**
 * Deletes an endpoint with its subscriptions and secrets. Its row remains while deliveries refer to it, so that they can still be
 * read (docs/decisions/009-disabled-and-deleted-endpoints.md).
 * @throws AppError not_found
 */
export async function deleteEndpoint(caller: ProjectCaller, path: EndpointPath, at: Date): Promise<void> {
  await inTransaction(async (tx) => {
    const { projectId, endpointId } = path;
    await getEndpointRow(tx.prisma, path);
    await tx.prisma.subscription.deleteMany({ where: { endpointId, projectId } });
    const data = { deletedAt: at, enabled: false, ...NO_SECRETS };
    await tx.prisma.endpoint.update({ where: liveEndpoint(path), data });
    await auditChange(tx, caller, 'endpoint.deleted', endpointId, { projectId });
  });
}

/** Reads the signing secret of an endpoint in plain text and audits that. @throws AppError not_found */
export async function revealSecret(caller: ProjectCaller, path: EndpointPath, at: Date): Promise<EndpointSecret> {
  return inTransaction(async (tx) => {
    const row = await getEndpointRow(tx.prisma, path);
    if (row.secretEncrypted === null) throw notFound('endpoint');
    await auditChange(tx, caller, 'endpoint.secret_revealed', path.endpointId, { projectId: path.projectId });
    const previousSecretExpiresAt = unexpired(row.previousSecretExpiresAt, at);
    return { secret: openEndpointSecret(row.secretEncrypted), previousSecretExpiresAt };
  });
}

/**
 * Gives an endpoint a new signing secret. The old one remains valid for the grace period.
 * @throws AppError not_found; rate_limited when many rotations wait
 */
export async function rotateSecret(
  caller: ProjectCaller,
  path: EndpointPath,
  { gracePeriodHours }: RotateSecretBody,
  at: Date,
): Promise<EndpointSecret> {
  const { projectId, endpointId } = path;
  const secret = makeEndpointSecret();
  const expiresAt = addMs(at, gracePeriodHours * HOUR_MS);
  return inRowTurn(endpointId, () =>
    inTransaction(async (tx) => {
      const sealed = sealEndpointSecret(secret);
      const count = await replaceEndpointSecret.run(tx, {
        project: projectId,
        row: endpointId,
        secret: sealed,
        expiresAt,
      });
      if (count === 0) throw notFound('endpoint');
      await auditChange(tx, caller, 'endpoint.secret_rotated', endpointId, { projectId, gracePeriodHours });
      return { secret, previousSecretExpiresAt: unexpired(expiresAt, at) };
    }),
  );
}

/** Ends the previous secret of an endpoint before its grace period does. Changes nothing without one. @throws AppError not_found */
export async function endPreviousSecret(caller: ProjectCaller, { projectId, endpointId }: EndpointPath): Promise<void> {
  await inTransaction(async (tx) => {
    await getEndpointRow(tx.prisma, { projectId, endpointId });
    const ended = await endEndpointSecret.run(tx, { project: projectId, row: endpointId });
    if (ended > 0) await auditChange(tx, caller, 'endpoint.previous_secret_ended', endpointId, { projectId });
  });
}
