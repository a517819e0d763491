import { key, person } from '@/lib/api/callers';
import { created, noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { createKey, getKey, getOwnKey, listKeys, revokeKey, rotateKey } from '@/lib/keys/keys';
import { ApiKey, CreatedApiKey, CreateKeyBody, OwnKey, RotateKeyBody } from '@/lib/keys/schema';
import { systemClock } from '@/lib/platform/clock';
import { listingOf, PageQuery } from '@/lib/platform/pagination';

export const getOwn = route({
  summary: 'Get the API key of this request: its project, scope and expiry.',
  caller: key('read'),
  response: { status: 200, schema: OwnKey },
  handler: async ({ caller }) => ok(await getOwnKey(caller, systemClock())),
});

export const create = route({
  summary: 'Create an API key; only this response contains its plaintext.',
  caller: person('api_key.manage'),
  params: ['projectId'],
  body: CreateKeyBody,
  errors: ['limit_reached'],
  response: { status: 201, schema: CreatedApiKey, sensitive: true },
  handler: async ({ caller, params, body }) => created(await createKey(caller, params.projectId, body, systemClock())),
});

export const list = route({
  summary: 'List the API keys of a project.',
  caller: person('api_key.read'),
  params: ['projectId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(ApiKey) },
  handler: async ({ caller, params, query }) => ok(await listKeys(caller, params.projectId, query, systemClock())),
});

export const get = route({
  summary: 'Get an API key, without its plaintext.',
  caller: person('api_key.read'),
  params: ['projectId', 'apiKeyId'],
  response: { status: 200, schema: ApiKey },
  handler: async ({ caller, params }) => ok(await getKey(caller, params.projectId, params.apiKeyId, systemClock())),
});

export const revoke = route({
  summary: 'Revoke an API key immediately.',
  caller: person('api_key.manage'),
  params: ['projectId', 'apiKeyId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await revokeKey(caller, params.projectId, params.apiKeyId, systemClock());
    return noContent();
  },
});

export const rotate = route({
  summary:
    'Replace an API key; the old key works for a grace period, and only this response contains the new plaintext.',
  caller: person('api_key.manage'),
  params: ['projectId', 'apiKeyId'],
  body: RotateKeyBody,
  bodyOptional: true,
  errors: ['key_already_rotated', 'key_revoked', 'key_expired', 'limit_reached'],
  response: { status: 201, schema: CreatedApiKey, sensitive: true },
  handler: async ({ caller, params, body }) =>
    created(await rotateKey(caller, params.projectId, params.apiKeyId, body)),
});
