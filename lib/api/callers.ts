import { authenticateOperator } from '@/lib/admin/authenticate-operator';
import type {
  AnonymousCaller,
  KeyCaller,
  MemberCaller,
  OperatorCaller,
  PersonCaller,
  PortalCaller,
} from '@/lib/audit/caller';
import { authenticatePerson, checkPersons, roleTooLow } from '@/lib/auth/authenticate-person';
import { ownerOfKey, prepareForKey } from '@/lib/events/ingest-batcher';
import type { CallerPolicy } from '@/lib/http/caller-policy';
import type { ApiRequest } from '@/lib/http/request';
import { refuseLate, strangerBudget } from '@/lib/http/stranger-budget';
import { authenticateKey, checkKeys, hashPresentedKey, readOnlyKey } from '@/lib/keys/authenticate-key';
import { isWellFormedKey } from '@/lib/keys/key-format';
import { type Action, may } from '@/lib/orgs/permissions-policy';
import { chooseCellOfOrganization, countForOwnerOfProject, findTenant, SECRETS_ACTION } from '@/lib/orgs/tenant';
import { countForOwner, countForService } from '@/lib/platform/connection-shares';
import { AppError, notFound } from '@/lib/platform/errors';
import { forgetOwner, noteOwner } from '@/lib/platform/known-owners';
import { clientSite } from '@/lib/platform/net/client-network';
import { type OpenAccess, openConnections, type WhileAllowed } from '@/lib/platform/open-connections';
import { countPortalRequest, type PortalRate } from '@/lib/portal/rates';
import { authenticatePortal, isPortalToken } from '@/lib/portal/sessions';

/**
 * Returns the address of a client that is a server; null for a browser, whose address is that of a person, who may be erased. Browsers
 * send `Sec-Fetch-Site` where they trust the host, `Origin` everywhere; Node's `fetch` neither.
 */
export function addressOfServer({ client, header }: Pick<ApiRequest, 'client' | 'header'>): string | null {
  const isOfBrowser = header('sec-fetch-site') !== null || header('origin') !== null;
  return isOfBrowser ? null : client.ipAddress;
}

const checkKey = (plaintext: string, request: ApiRequest) =>
  authenticateKey(plaintext, request.client, addressOfServer(request));

interface Credentials {
  bearer: string | null;
  key: string | null;
}

/** Requires a signed-in person; with `action`, a role in the organization of the path that allows the action. */
export function person(action?: Action): CallerPolicy<PersonCaller> {
  return {
    kind: 'person',
    ...(action === undefined ? {} : { action }),
    authenticate: async (request) => {
      const { bearer, key } = readCredentials(request);
      if (key !== null) {
        await checkKey(key, request);
        throw new AppError('person_required', 'API keys can’t do this. Sign in as a person.');
      }
      return authorizePerson(bearer, request, action);
    },
    watch: (caller, request, end) => watchPerson(caller, request, action, end),
  };
}

/** Requires a project API key. */
export function key(access: 'read' | 'write'): CallerPolicy<KeyCaller> {
  return {
    kind: 'key',
    access,
    authenticate: async (request) => {
      const plaintext = await requireKey(request);
      return authorizeKey(await checkKey(plaintext, request), request, access);
    },
    watch: (caller, _request, end) => watchKey(caller, end),
  };
}

/** A key that is not checked yet: the statement of the handler does it. */
export interface PresentedKey {
  plaintext: string;
  keyHash: Buffer;
}

/**
 * Requires a project API key with the scope to write. The statement that stores the request checks it, which saves a
 * round trip to the database. The handler must refuse a bad key itself; `confirm` does so when the request fails
 * earlier.
 */
export function keyCheckedByHandler(): CallerPolicy<PresentedKey> {
  return {
    kind: 'key',
    access: 'write',
    authenticate: async (request) => {
      const plaintext = await requireKey(request);
      const keyHash = hashPresentedKey(plaintext);
      if (ownerOfKey(keyHash) === undefined) {
        await refuseLate(() => strangerBudget().refuseWhenSpent(clientSite(request.client.ipAddress ?? '')));
      }
      await prepareForKey(keyHash);
      const ownerId = ownerOfKey(keyHash);
      if (ownerId !== undefined) request.client.ownerId = ownerId;
      return { plaintext, keyHash };
    },
    confirm: async ({ plaintext }, request) => {
      await authorizeKey(await checkKey(plaintext, request), request, 'write');
    },
  };
}

/** Requires a person or a key, whichever credential the request has. */
export function personOrKey(action: Action, access: 'read' | 'write'): CallerPolicy<MemberCaller> {
  return {
    kind: 'person-or-key',
    action,
    access,
    authenticate: async (request) => {
      const { bearer, key: plaintext } = readCredentials(request);
      if (plaintext === null) return authorizePerson(bearer, request, action);
      return authorizeKey(await checkKey(plaintext, request), request, access);
    },
    watch: (caller, request, end) =>
      caller.type === 'key' ? watchKey(caller, end) : watchPerson(caller, request, action, end),
  };
}

/** For a response that stays open and shows secrets: ends it when its caller may not see them any more. */
export function whileMaySeeSecrets(caller: MemberCaller, request: ApiRequest): WhileAllowed {
  return (end) => (caller.type === 'key' ? watchKey(caller, end) : watchPerson(caller, request, SECRETS_ACTION, end));
}

/**
 * Requires the token of a portal session. Requests of its customer count: by default GET as reads, others as changes.
 * @param permissions what the session must permit
 * @param rate null for what is not counted
 */
export function portal(permissions: 'READ' | 'MANAGE', rate?: PortalRate | null): CallerPolicy<PortalCaller> {
  return {
    kind: 'portal',
    permissions,
    authenticate: async (request) => {
      const token = await requirePortalToken(request);
      const caller = await authenticatePortal(token, request.client);
      request.client.projectId = caller.projectId;
      request.client.ownerId = await countForOwnerOfProject(caller.projectId);
      if (permissions === 'MANAGE' && caller.permissions === 'READ') {
        throw new AppError('forbidden', 'This portal session can only read. Ask for a link that permits changes.');
      }
      if (rate === null) return caller;
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      try {
        await countPortalRequest(caller, rate ?? (isRead ? 'reads' : 'changes'));
      } catch (error) {
        // Further ones wait for others of their network, and not before those of the company and its other customers.
        forgetOwner(token);
        throw error;
      }
      noteOwner(token, request.client.ownerId);
      return caller;
    },
  };
}

/** Checks the session of a portal again after something that took long, without counting the request once more. @throws AppError */
export async function confirmPortal(request: ApiRequest): Promise<void> {
  await authenticatePortal(await requirePortalToken(request), request.client);
}

/**
 * Returns the portal token of the request.
 * @throws AppError portal_required for another valid credential; the error of an invalid one; unauthenticated without one
 */
async function requirePortalToken(request: ApiRequest): Promise<string> {
  const { bearer, key: plaintext } = readCredentials(request);
  if (bearer !== null && isPortalToken(bearer)) return bearer;
  if (plaintext !== null) await checkKey(plaintext, request);
  else if (bearer !== null) await authenticatePerson(bearer, {}, request.client);
  else throw new AppError('unauthenticated', 'Send the token of a portal session as Authorization: Bearer.');
  throw new AppError('portal_required', 'Only the token of a portal session can do this.');
}

/** Requires the operator, by X-Platform-Admin-Token alone: no session and no API key opens these paths. */
export function operator(): CallerPolicy<OperatorCaller> {
  return {
    kind: 'operator',
    guardsPath: true,
    authenticate: async (request) => {
      const caller = await authenticateOperator(request.header('x-platform-admin-token'), request.client);
      countForService();
      return caller;
    },
  };
}

/** Requires no credential and ignores any. */
export function anyone(): CallerPolicy<AnonymousCaller> {
  return { kind: 'anyone', authenticate: async (request) => ({ type: 'anonymous', client: request.client }) };
}

/**
 * Returns the API key of the request.
 * @throws AppError key_required for a valid access token; unauthenticated for an invalid one, or without credentials
 */
async function requireKey(request: ApiRequest): Promise<string> {
  const { bearer, key: plaintext } = readCredentials(request);
  if (plaintext !== null) return plaintext;
  if (bearer === null) throw new AppError('unauthenticated', 'Send a project API key in X-API-Key.');
  await authenticatePerson(bearer, {}, request.client);
  throw new AppError('key_required', 'Only API keys can do this. Send a project API key in X-API-Key.');
}

/**
 * Reads the credentials of a request. An empty one is none: some generated clients send `Authorization: Bearer` beside a key.
 * @throws AppError ambiguous_credentials when it has two; unauthenticated for an API key in Authorization
 */
export function readCredentials(request: ApiRequest): Credentials {
  const authorization = givenOrNull(request.header('authorization'));
  const plaintext = givenOrNull(request.header('x-api-key'));
  if (authorization !== null && plaintext !== null) {
    throw new AppError('ambiguous_credentials', 'Send Authorization or X-API-Key, not both.');
  }
  const bearer = authorization === null ? null : (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '');
  if (bearer !== null && isWellFormedKey(bearer)) {
    throw new AppError(
      'unauthenticated',
      'This is an API key. Send it in the X-API-Key header, without Authorization.',
    );
  }
  return { bearer, key: plaintext };
}

function givenOrNull(header: string | null): string | null {
  return header === null || /^(?:Bearer)?\s*$/i.test(header) ? null : header;
}

async function authorizePerson(
  bearer: string | null,
  request: ApiRequest,
  action: Action | undefined,
): Promise<PersonCaller> {
  if (bearer === null) throw new AppError('unauthenticated', 'Sign in first.');
  const { orgId: organizationId, projectId } = request.params;
  const tenant = {
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(projectId === undefined ? {} : { projectId }),
  };
  const caller = await authenticatePerson(bearer, tenant, request.client);
  noteOwner(bearer, caller.userId);
  const ofMember = caller.role === null ? null : caller.organizationId;
  const ownerId = ofMember === null ? caller.userId : (await findTenant(ofMember)).ownerId;
  countForOwner(ownerId, caller.userId);
  if (ofMember !== null) await chooseCellOfOrganization(ofMember);
  request.client.ownerId = ownerId;
  if (action !== undefined && (caller.role === null || !may(caller.role, action))) {
    throw roleTooLow(action);
  }
  return caller;
}

function watchPerson(
  { sessionId, userId, organizationId }: PersonCaller,
  { params: { projectId } }: ApiRequest,
  action: Action | undefined,
  end: (reason: AppError) => void,
): OpenAccess {
  const ids = [sessionId, userId, organizationId, projectId].filter((id) => typeof id === 'string');
  return openConnections().watch({ sessionId, userId, organizationId, projectId, action }, checkPersons, ids, end);
}

/** The scope of a key never changes. */
function watchKey({ keyId, projectId, organizationId }: KeyCaller, end: (reason: AppError) => void): OpenAccess {
  return openConnections().watch(keyId, checkKeys, [keyId, projectId, organizationId], end);
}

/**
 * Checks the project before the scope: a key learns nothing about other projects
 * (docs/specification.md#order-of-checks).
 */
async function authorizeKey(caller: KeyCaller, request: ApiRequest, access: 'read' | 'write'): Promise<KeyCaller> {
  const { projectId } = request.params;
  request.client.projectId = caller.projectId;
  request.client.ownerId = await countForOwnerOfProject(caller.projectId);
  noteOwner(request.header('x-api-key') ?? '', request.client.ownerId);
  if (projectId !== undefined && projectId !== caller.projectId) throw notFound('project');
  if (access === 'write' && caller.scope === 'READ_ONLY') {
    throw readOnlyKey();
  }
  return caller;
}
