import { authenticateOperator } from '@/lib/admin/authenticate-operator';
import type { AnonymousCaller, KeyCaller, OperatorCaller, PersonCaller } from '@/lib/audit/caller';
import { authenticatePerson } from '@/lib/auth/authenticate-person';
import type { CallerPolicy } from '@/lib/http/caller-policy';
import type { ApiRequest } from '@/lib/http/request';
import { authenticateKey, hashOfPresented } from '@/lib/keys/authenticate-key';
import { type Action, leastRole, may } from '@/lib/orgs/permissions-policy';
import { AppError, notFound } from '@/lib/platform/errors';

interface Credentials {
  bearer: string | null;
  key: string | null;
}

/** A signed-in person; with `action`, one whose live role in the organization of the path may do that. */
export function person(action?: Action): CallerPolicy<PersonCaller> {
  return {
    kind: 'person',
    ...(action === undefined ? {} : { action }),
    authenticate: async (request) => {
      const { bearer, key } = presented(request);
      if (key !== null) {
        await authenticateKey(key, request.origin);
        throw new AppError('person_required', 'An API key cannot do this: sign in as a person.');
      }
      return authorizePerson(bearer, request, action);
    },
  };
}

/** A project API key. */
export function key(access: 'read' | 'write'): CallerPolicy<KeyCaller> {
  return {
    kind: 'key',
    access,
    authenticate: async (request) => {
      const plaintext = await requireKey(request);
      return authorizeKey(await authenticateKey(plaintext, request.origin), request, access);
    },
  };
}

/** A key as it was presented, for a handler whose own statement checks it. */
export interface PresentedKey {
  plaintext: string;
  keyHash: Buffer;
}

/**
 * A project API key that may write, judged by the statement that stores what it sends: one round trip instead of two
 * (DESIGN 4b). The handler must refuse a bad key itself; `confirm` does when the request fails before that.
 */
export function keyCheckedInStatement(): CallerPolicy<PresentedKey> {
  return {
    kind: 'key',
    access: 'write',
    authenticate: async (request) => {
      const plaintext = await requireKey(request);
      return { plaintext, keyHash: hashOfPresented(plaintext) };
    },
    confirm: async ({ plaintext }, request) => {
      authorizeKey(await authenticateKey(plaintext, request.origin), request, 'write');
    },
  };
}

/** Either of the two; which one decides by the credential that came. */
export function personOrKey(action: Action, access: 'read' | 'write'): CallerPolicy<PersonCaller | KeyCaller> {
  return {
    kind: 'person-or-key',
    action,
    access,
    authenticate: async (request) => {
      const { bearer, key: plaintext } = presented(request);
      if (plaintext === null) return authorizePerson(bearer, request, action);
      return authorizeKey(await authenticateKey(plaintext, request.origin), request, access);
    },
  };
}

/** The operator of the deployment, by the header X-Platform-Admin-Token alone (spec 5.6). */
export function operator(): CallerPolicy<OperatorCaller> {
  return {
    kind: 'operator',
    guardsPath: true,
    authenticate: (request) => authenticateOperator(request.header('x-platform-admin-token'), request.origin),
  };
}

/** Anyone: no credential is asked for, and none that comes is looked at. */
export function anyone(): CallerPolicy<AnonymousCaller> {
  return { kind: 'anyone', authenticate: async (request) => ({ type: 'anonymous', origin: request.origin }) };
}

/**
 * The key of a request that only a key may make.
 * @throws AppError key_required for a good Bearer, unauthenticated for none or a bad one
 */
async function requireKey(request: ApiRequest): Promise<string> {
  const { bearer, key: plaintext } = presented(request);
  if (plaintext !== null) return plaintext;
  if (bearer === null) throw new AppError('unauthenticated', 'Send a project API key in X-API-Key.');
  await authenticatePerson(bearer, {}, request.origin);
  throw new AppError('key_required', 'This is for servers: send a project API key in X-API-Key.');
}

/** The credentials a request carries. @throws AppError ambiguous_credentials when it carries two */
export function presented(request: ApiRequest): Credentials {
  const authorization = request.header('authorization');
  const plaintext = request.header('x-api-key');
  if (authorization !== null && plaintext !== null) {
    throw new AppError('ambiguous_credentials', 'Send Authorization or X-API-Key, not both.');
  }
  const bearer = authorization === null ? null : (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '');
  return { bearer, key: plaintext };
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
  const caller = await authenticatePerson(bearer, tenant, request.origin);
  if (action !== undefined && (caller.role === null || !may(caller.role, action))) {
    throw new AppError('forbidden', `This needs the role ${leastRole(action)} or higher.`);
  }
  return caller;
}

/** Tenancy before scope (CONTRACT 10): a key never learns what another project forbids. */
function authorizeKey(caller: KeyCaller, request: ApiRequest, access: 'read' | 'write'): KeyCaller {
  const { projectId } = request.params;
  if (projectId !== undefined && projectId !== caller.projectId) throw notFound('project');
  if (access === 'write' && caller.scope === 'READ_ONLY') {
    throw new AppError('read_only_key', 'This API key may only read.');
  }
  return caller;
}
