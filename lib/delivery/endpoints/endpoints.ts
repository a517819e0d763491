import type { ProjectCaller } from '@/lib/audit/caller';
import { changedFields } from '@/lib/audit/changed-fields';
import { auditChange, recordAudits } from '@/lib/audit/record-audit';
import { findNamedCustomer, uidsOf } from '@/lib/customers/customers';
import {
  makeEndpointSecret,
  NO_SECRETS,
  openEndpointSecret,
  sealEndpointHeaders,
  sealEndpointSecret,
  tryOpenEndpointHeaders,
} from '@/lib/delivery/credentials';
import { endpointSecretFault } from '@/lib/delivery/endpoint-fields-policy';
import { type EndpointSignature, STANDARD, signatureFault } from '@/lib/delivery/endpoint-options-policy';
import { refuseOwnUrl } from '@/lib/delivery/engine/own-service';
import {
  type CreateEndpointBody,
  Endpoint,
  type EndpointSecret,
  type RotateEndpointSecretBody,
  type UpdateEndpointBody,
} from '@/lib/delivery/schema';
import { lockProject } from '@/lib/orgs/projects';
import { maySeeSecrets } from '@/lib/orgs/tenant';
import { addMs, HOUR_MS, unexpired } from '@/lib/platform/clock';
import { isUniqueViolation } from '@/lib/platform/database-errors';
import { database, type Sql } from '@/lib/platform/db';
import { AppError, fieldError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { asJson } from '@/lib/platform/json-text';
import { refuseBeyondDeleted, refuseBeyondLimit } from '@/lib/platform/limits';
import { REDACTED } from '@/lib/platform/net/credential-names';
import { present } from '@/lib/platform/present';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import { type Endpoint as EndpointRow, Prisma } from '@/lib/platform/prisma/generated/client';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { inRowTurn } from '@/lib/platform/row-turn';
import { refuseFilterFault } from './evaluate-filter';
import { endEndpointSecret, replaceEndpointSecret } from './rotate-secret-sql';
import { insertSubscriptions } from './subscribe-sql';

/** A row with the uid of its customer. */
type WithCustomer<Row> = Row & { customerUid: string | null };

/** A body with the JSON of its filter as it was sent. */
type WithFilter<Body extends { filter?: unknown }> = Omit<Body, 'filter'> & { filter?: string | null };

/** The project of an endpoint, and its id. */
interface EndpointPath {
  projectId: string;
  endpointId: string;
}

const liveEndpoint = ({ projectId, endpointId }: EndpointPath) => ({ id: endpointId, projectId, deletedAt: null });

/** Reads an endpoint of a project. @throws AppError not_found */
export async function getEndpoint(caller: ProjectCaller, path: EndpointPath): Promise<Endpoint> {
  const row = await getEndpointRow(prisma(), path);
  return presentEndpoint({ ...row, customerUid: await uidOfCustomer(database(), row) }, maySeeSecrets(caller));
}

/** Reads the row of an endpoint that is not deleted. @throws AppError not_found */
export async function getEndpointRow(db: PrismaQueries, path: EndpointPath): Promise<EndpointRow> {
  const row = await db.endpoint.findFirst({ where: liveEndpoint(path) });
  if (row === null) throw notFound('endpoint');
  return row;
}

async function uidOfCustomer(sql: Sql, { projectId, customerId }: EndpointRow): Promise<string | null> {
  return (await uidsOf(sql, projectId, [customerId])).get(customerId) ?? null;
}

type ShownRow = Pick<
  EndpointRow,
  Exclude<keyof Endpoint, 'headers' | 'rateLimit' | 'customerUid'> | 'headerNames' | 'rateRequests' | 'rateSeconds'
> &
  Partial<Pick<EndpointRow, 'headersEncrypted'>>;

/** Returns what the API shows of a row in another way than it is stored. @param showsSecrets whether it has the values of headers */
export function optionsOf(
  row: ShownRow,
  showsSecrets: boolean,
): Pick<Endpoint, 'metadata' | 'headers' | 'signature' | 'filter' | 'rateLimit'> {
  const { rateRequests: requests, rateSeconds: seconds } = row;
  const sealed = showsSecrets ? row.headersEncrypted : null;
  const opened = sealed ? tryOpenEndpointHeaders(sealed, row.id) : null;
  return {
    metadata: row.metadata as Endpoint['metadata'],
    headers: opened ?? Object.fromEntries(row.headerNames.map((name) => [name, REDACTED])),
    signature: signatureOf(row),
    filter: row.filter === null ? null : asJson(row.filter),
    rateLimit: requests === null || seconds === null ? null : { requests, seconds },
  };
}

/** Returns what an endpoint sends beside the signature of Standard Webhooks. */
export function signatureOf({ signature }: Pick<EndpointRow, 'signature'>): EndpointSignature {
  return (signature ?? STANDARD) as EndpointSignature;
}

/** Converts a row to an endpoint of the API. @param showsSecrets whether it has the values of headers */
export function presentEndpoint(row: WithCustomer<ShownRow>, showsSecrets: boolean): Endpoint {
  return present(Endpoint, { ...row, ...optionsOf(row, showsSecrets) });
}

/** Returns the columns that a body changes of the options that are stored in another form. */
function optionColumns({
  headers,
  signature,
  rateLimit,
}: Pick<UpdateEndpointBody, 'headers' | 'signature' | 'rateLimit'>) {
  return {
    ...(rateLimit === undefined
      ? {}
      : { rateRequests: rateLimit?.requests ?? null, rateSeconds: rateLimit?.seconds ?? null }),
    ...(headers === undefined
      ? {}
      : { headerNames: Object.keys(headers), headersEncrypted: sealEndpointHeaders(headers) }),
    ...(signature === undefined ? {} : { signature: signature.profile === 'STANDARD' ? Prisma.DbNull : signature }),
  };
}

/** Runs a change in a transaction. @throws AppError conflict when two endpoints of the project would have the same uid */
async function change<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return inTransaction(work).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('conflict', 'This project already has an endpoint with this uid.');
  });
}

/**
 * Creates an endpoint with a new signing secret, and its subscriptions.
 * @throws AppError limit_reached; not_found when the project is deleted; validation_failed for a URL of this service, and for a customer
 *   that the project does not have
 */
export async function createEndpoint(
  caller: ProjectCaller,
  projectId: string,
  {
    description = null,
    eventTypes,
    headers,
    signature,
    rateLimit,
    customer: given,
    secret = makeEndpointSecret(),
    ...body
  }: WithFilter<CreateEndpointBody>,
): Promise<Endpoint> {
  refuseOwnUrl(body.url);
  refuseFilterFault(body.filter);
  refuseFault('secret', endpointSecretFault(secret, signature));
  refuseFault('signature.header', signatureFault(signature, headers));
  if (given !== undefined) refuseCustomerEvents(body.receivesCustomerEvents);
  return change(async (tx) => {
    await lockProject(tx, projectId);
    const customer = given === undefined ? null : await findNamedCustomer(tx, projectId, given);
    const customerId = customer?.id ?? null;
    const limit = customer === null ? 'PROJECT_MAX_ENDPOINTS' : 'CUSTOMER_MAX_ENDPOINTS';
    const ofOwner = { projectId, customerId };
    refuseBeyondLimit(limit, await tx.prisma.endpoint.count({ where: { ...ofOwner, deletedAt: null } }));
    await refuseBeyondDeleted(limit, (skip) =>
      tx.prisma.endpoint.findFirst({ where: { ...ofOwner, deletedAt: { not: null } }, skip, select: { id: true } }),
    );
    const secretEncrypted = sealEndpointSecret(secret);
    const createdAt = new Date();
    const row = await tx.prisma.endpoint.create({
      data: {
        id: newId(),
        projectId,
        createdAt,
        disabledAt: body.enabled === false ? createdAt : null,
        customerId,
        description,
        secretEncrypted,
        ...body,
        ...optionColumns({ headers, signature, rateLimit }),
      },
    });
    await auditChange(tx, caller, 'endpoint.created', row.id, { projectId });
    if (eventTypes.length > 0) await subscribe(tx, caller, row, eventTypes);
    return presentEndpoint({ ...row, customerUid: customer?.uid ?? null }, true);
  });
}

function refuseCustomerEvents(given: boolean | undefined): void {
  if (given === true) throw fieldError('receivesCustomerEvents', 'is only for endpoints without a customer');
}

function refuseFault(path: string, fault: string | null): void {
  if (fault !== null) throw fieldError(path, fault);
}

/** Subscribes a new endpoint to event types. The project is locked. @throws AppError limit_reached */
async function subscribe(
  tx: Transaction,
  caller: ProjectCaller,
  { id: endpointId, projectId, customerId, receivesCustomerEvents }: EndpointRow,
  eventTypes: readonly string[],
): Promise<void> {
  const count = await tx.prisma.subscription.count({ where: { projectId, customerId } });
  refuseBeyondLimit('PROJECT_MAX_SUBSCRIPTIONS', count + eventTypes.length - 1);
  const ids = eventTypes.map(() => newId());
  await insertSubscriptions.run(tx, {
    ids,
    project: projectId,
    endpoint: endpointId,
    customer: customerId,
    receivesCustomerEvents,
    eventTypes,
  });
  const entries = eventTypes.map((eventType, index) => ({
    organizationId: caller.organizationId,
    targetId: ids[index] ?? null,
    details: { projectId, endpointId, eventType },
  }));
  await recordAudits(tx, caller, 'subscription.created', entries);
}

/**
 * Changes the given fields of an endpoint. Disabling it by hand pauses it, and enabling it also clears its failures and the reason why
 * it was disabled or paused.
 * @throws AppError not_found; validation_failed for a URL of this service, and for a reason to pause an
 *   endpoint that is or becomes enabled; conflict for a uid that another one has, and for a signature that its secret cannot make
 */
export async function updateEndpoint(
  caller: ProjectCaller,
  path: EndpointPath,
  body: WithFilter<UpdateEndpointBody>,
  at: Date,
): Promise<Endpoint> {
  refuseFilterFault(body.filter);
  const { headers, signature, rateLimit, ...others } = body;
  return change(async (tx) => {
    // Two changes at once must not contradict each other, or the audit log: each sees what the other has stored.
    await lockProject(tx, path.projectId);
    const { receivesCustomerEvents } = body;
    const current = await getEndpointRow(tx.prisma, path);
    const fields = Object.keys(body);
    const customerUid = await uidOfCustomer(tx, current);
    if (current.customerId !== null) refuseCustomerEvents(body.receivesCustomerEvents);
    const before = presentEndpoint({ ...current, customerUid }, true);
    if (fields.length === 0) return before;
    refuseFault('signature.header', signatureFault(signature ?? before.signature, headers ?? before.headers));
    if (signature !== undefined) refuseOtherSecret(current, signature);
    // Before the endpoint, which a change of a subscription locks after it.
    if (receivesCustomerEvents !== undefined) {
      const different = { ...path, receivesCustomerEvents: !receivesCustomerEvents };
      await tx.prisma.subscription.updateMany({ where: different, data: { receivesCustomerEvents } });
    }
    const row = await tx.prisma.endpoint.update({
      where: liveEndpoint(path),
      data: { ...changesOfTarget(current, others, at), ...optionColumns({ headers, signature, rateLimit }) },
    });
    const changed = presentEndpoint({ ...row, customerUid }, true);
    const changes = changedFields(before, changed, fields, ['headers']);
    const { projectId, endpointId } = path;
    if (changes !== null) await auditChange(tx, caller, 'endpoint.updated', endpointId, { projectId, changes });
    return changed;
  });
}

/** @throws AppError conflict when the present secret cannot sign as a profile demands */
function refuseOtherSecret({ secretEncrypted }: EndpointRow, signature: EndpointSignature): void {
  if (secretEncrypted === null || endpointSecretFault(openEndpointSecret(secretEncrypted), signature) === null) return;
  throw new AppError('conflict', 'Only the profile CUSTOM takes the secret of this endpoint. Rotate it first.');
}

/**
 * Returns the columns that a body changes of an endpoint or destination.
 * @throws AppError validation_failed for a URL of this service, and for a reason to pause a target that is or becomes enabled
 */
export function changesOfTarget(
  { url, enabled }: Pick<EndpointRow, 'url' | 'enabled'>,
  body: Pick<UpdateEndpointBody, 'url' | 'enabled' | 'pauseReason'>,
  at: Date,
) {
  if (typeof body.pauseReason === 'string' && (body.enabled ?? enabled)) {
    throw fieldError('pauseReason', 'needs "enabled": false');
  }
  refuseOwnUrl(body.url);
  return {
    ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
    // The failures of another receiver say nothing of this one.
    ...(body.url === undefined || body.url === url ? {} : { urlChangedAt: at, failingSince: null }),
    ...(body.enabled === true ? { disabledReason: null, disabledAt: null, pauseReason: null } : {}),
    // A client may repeat "enabled" beside a change of another field.
    ...(body.enabled === true && !enabled ? { failingSince: null } : {}),
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
    const data = { deletedAt: at, enabled: false, headersEncrypted: null, ...NO_SECRETS };
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
  { gracePeriodHours, secret: given }: RotateEndpointSecretBody,
  at: Date,
): Promise<EndpointSecret> {
  const { projectId, endpointId } = path;
  const secret = given ?? makeEndpointSecret();
  const expiresAt = addMs(at, gracePeriodHours * HOUR_MS);
  return inRowTurn(endpointId, () =>
    inTransaction(async (tx) => {
      if (given !== undefined) {
        // Its profile must not change meanwhile.
        await lockProject(tx, projectId);
        refuseFault('secret', endpointSecretFault(given, signatureOf(await getEndpointRow(tx.prisma, path))));
      }
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
