import type * as z from 'zod';
import { resources } from '@/lib/api/table';
import type { RouteDefinition } from '@/lib/http/route';
import type { Verb } from '@/lib/http/table';
import { ERRORS, type ErrorCode, statusOfError } from '@/lib/platform/errors';
import { exampleOf } from './examples';
import { describeHeaders, headersOf, type ResponseHeader } from './headers';
import type { JsonSchema } from './json-schema';
import type { SchemaCollection } from './schemas';
import { securityOf } from './security';

const ANY: readonly ErrorCode[] = [
  'invalid_request',
  'validation_failed',
  'rate_limited',
  'internal_error',
  'overloaded',
  'unavailable',
];

const OF_PEOPLE: readonly ErrorCode[] = ['unauthenticated', 'token_expired'];

const OF_KEYS: readonly ErrorCode[] = ['invalid_api_key', 'api_key_expired', 'api_key_revoked'];

const OF_KEYS_ALONE: readonly ErrorCode[] = ['unauthenticated', 'token_expired', 'key_required'];

const OF_BODIES: readonly ErrorCode[] = ['invalid_json', 'unsupported_media_type', 'payload_too_large'];

/** The codes of a kind of caller (docs/specification.md#order-of-checks). */
const OF_CALLER: Record<RouteDefinition['caller']['kind'], readonly ErrorCode[]> = {
  person: [...OF_PEOPLE, ...OF_KEYS, 'ambiguous_credentials', 'person_required'],
  key: [...OF_KEYS, ...OF_KEYS_ALONE, 'ambiguous_credentials'],
  'person-or-key': [...OF_PEOPLE, ...OF_KEYS, 'ambiguous_credentials'],
  portal: [...OF_PEOPLE, ...OF_KEYS, 'ambiguous_credentials', 'portal_required'],
  operator: ['invalid_admin_token', 'not_found'],
  anyone: [],
};

/** Where a route is declared. The method of the client has the same name. */
interface OperationName {
  /** Such as `apiKeys`. */
  resource: string;
  /** Such as `create`. */
  method: string;
}

const NAMES = new Map<unknown, OperationName>(
  Object.entries(resources).flatMap(([resource, routes]) =>
    Object.entries(routes).map(([method, definition]) => [definition, { resource, method }] as const),
  ),
);

/** Describes one route as an OpenAPI operation, entirely from its declaration. */
export function describeOperation(verb: Verb, definition: RouteDefinition, schemas: SchemaCollection): JsonSchema {
  const { resource, method } = operationNameOf(definition);
  const id = `${resource}.${method}`;
  const { query, headers } = definition;
  return {
    operationId: id,
    tags: [resource],
    ...summaryOf(definition),
    security: securityOf(definition.caller),
    ...notEmpty('parameters', [
      ...pathParameters(definition),
      ...(query === undefined ? [] : parametersOf('query', query, schemas)),
      ...(headers === undefined ? [] : parametersOf('header', headers, schemas)),
    ]),
    ...requestBodyOf(verb, definition, schemas),
    responses: { ...successOf(verb, definition, schemas), ...problemsOf(verb, definition) },
  };
}

/** The first clause is the title of the operation, the rest its description. */
function summaryOf(definition: RouteDefinition): JsonSchema {
  const [summary = '', ...rest] = definition.summary.replace(/\.$/, '').split(/; |\. /);
  if (rest.length === 0) return { summary };
  const sentences = rest.map((clause) => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`);
  return { summary, description: sentences.join(' ') };
}

function notEmpty(name: string, values: readonly JsonSchema[]): JsonSchema {
  return values.length === 0 ? {} : { [name]: values };
}

/** What the parameters of a path name, where their own words do not say it. */
const PATH_PARAMETERS: Record<string, string> = {
  orgId: 'The organization',
  apiKeyId: 'The API key',
  userId: 'The person',
  requestId: 'The request in the log of the tunnel',
  token: 'The last segment of the source’s URL',
};

function pathParameters({ params }: RouteDefinition): JsonSchema[] {
  return params.map((name) => {
    const schema = name.endsWith('Id') ? { type: 'string', format: 'uuid' } : { type: 'string' };
    const words = name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const description = PATH_PARAMETERS[name] ?? `The ${words}`;
    return { name, in: 'path', description, required: true, schema, example: exampleOf(schema, {}, name) };
  });
}

function parametersOf(place: 'query' | 'header', schema: z.ZodType, schemas: SchemaCollection) {
  const { properties = {}, required = [] } = schemas.resolve(schemas.describe(schema, 'input')) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
    required: required.includes(name),
    schema: rest,
    ...(required.includes(name) ? { example: exampleOf(rest, schemas.components, name) } : {}),
  }));
}

function requestBodyOf(verb: Verb, definition: RouteDefinition, schemas: SchemaCollection): JsonSchema {
  const { body, bodyOptional, rawBodyBytes, rawBodyVariable } = definition;
  if (rawBodyBytes !== undefined) {
    const more = rawBodyVariable === undefined ? '' : `, or ${rawBodyVariable} of the deployment`;
    const description = `Any bytes of any content type, at most ${rawBodyBytes.toLocaleString('en-US')}${more}`;
    return { requestBody: { description, required: false, content: { 'application/octet-stream': { schema: FILE } } } };
  }
  if (body === undefined || verb === 'GET') return {};
  const schema = schemas.describe(body, 'input');
  const example = exampleOf(schema, schemas.components);
  return { requestBody: { required: !bodyOptional, content: { 'application/json': { schema, example } } } };
}

const MEANINGS: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted for processing',
  204: 'No content',
  302: 'Redirects the browser',
};

function successOf(verb: Verb, definition: RouteDefinition, schemas: SchemaCollection): JsonSchema {
  const { status, schema, contentType, alternatives = [] } = definition.response;
  const content =
    contentType === undefined ? contentOf(schema, schemas, filesOf(definition, schemas)) : textOf(contentType);
  const headers = describeHeaders(headersOf(verb, definition, status));
  const success = { description: MEANINGS[status] ?? 'OK', ...headers, ...content };
  // A route that only upgrades declares the status of its refusal.
  const responses: JsonSchema = status >= 400 ? {} : { [status]: success };
  for (const each of new Set(alternatives.map((alternative) => alternative.status))) {
    const types = alternatives.flatMap((alternative) =>
      alternative.status === each ? (alternative.contentType ?? []) : [],
    );
    const described = alternatives.find((alternative) => alternative.status === each)?.schema;
    responses[each] = described
      ? { description: MEANINGS[each] ?? 'OK', ...contentOf(described, schemas, {}) }
      : describeAlternative(each, types);
  }
  return responses;
}

function describeAlternative(status: number, types: readonly string[]): JsonSchema {
  if (status === 101) return { description: 'Switches to a WebSocket' };
  const content =
    types.length === 0 ? {} : { content: Object.assign({}, ...types.map((type) => textOf(type).content)) };
  return { description: 'Alternative response', ...content };
}

function textOf(contentType: string): JsonSchema {
  return { content: { [contentType]: { schema: schemaOfType(contentType) } } };
}

const FILE = { type: 'string', format: 'binary' };

function schemaOfType(contentType: string): JsonSchema {
  if (contentType === 'application/json') return { type: 'object' };
  return contentType.startsWith('text/') ? { type: 'string' } : FILE;
}

/** The types of files, by the value of `format` in the query of a list. */
const FILE_TYPES: Record<string, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/** The files that a list is also available as. */
function filesOf({ query }: RouteDefinition, schemas: SchemaCollection): JsonSchema {
  if (query === undefined) return {};
  const { properties = {} } = schemas.describe(query, 'input') as { properties?: Record<string, { enum?: string[] }> };
  const types = (properties.format?.enum ?? []).flatMap((format) => FILE_TYPES[format] ?? []);
  return Object.fromEntries(types.map((type) => [type, { schema: FILE }]));
}

function contentOf(schema: z.ZodType | undefined, schemas: SchemaCollection, files: JsonSchema): JsonSchema {
  if (schema === undefined) return {};
  const described = schemas.namePage(schemas.describe(schema, 'output'));
  const example = exampleOf(described, schemas.components);
  return { content: { 'application/json': { schema: described, example }, ...files } };
}

/** Returns one response per status, with the codes that it may have. */
function problemsOf(verb: Verb, definition: RouteDefinition): JsonSchema {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of problemCodesOf(verb, definition))
    byStatus.set(statusOfError(code), [...(byStatus.get(statusOfError(code)) ?? []), code]);
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  const responses = statuses.map(([status, ofStatus]) => {
    const meanings = ofStatus.map((code) => `\`${code}\`: ${ERRORS[code][1]}`);
    return [status, problemResponse(meanings.join('\n\n'), headersOf(verb, definition, status))] as const;
  });
  return {
    ...Object.fromEntries(responses),
    default: problemResponse('Any other error', headersOf(verb, definition, 500)),
  };
}

function problemResponse(description: string, headers: readonly ResponseHeader[]): JsonSchema {
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return { description, ...describeHeaders(headers), content };
}

/** Returns the name under which a route is declared. @throws Error when no module of the table declares it */
function operationNameOf(definition: RouteDefinition): OperationName {
  const name = NAMES.get(definition);
  if (name === undefined) throw new Error(`no module of lib/api/table.ts declares: ${definition.summary}`);
  return name;
}

/** Lists the problem codes that a route may respond with: those that its declaration implies, and those in `errors`. */
export function problemCodesOf(verb: Verb, definition: RouteDefinition): ErrorCode[] {
  const { caller, servedBy, params, rawBodyBytes, errors = [] } = definition;
  const codes = new Set<ErrorCode>([...ANY, ...OF_CALLER[caller.kind], ...errors]);
  if (caller.action !== undefined || caller.permissions === 'MANAGE') codes.add('forbidden');
  if (caller.access === 'write') codes.add('read_only_key');
  // A delivery of this service may not call its API.
  if (verb !== 'GET') codes.add('conflict');
  if (params.length > 0) codes.add('not_found');
  // Tenants and strangers share what Next serves (lib/http/turns.ts, lib/http/stranger-budget.ts).
  if (servedBy === 'next') codes.add('rate_limited');
  if (rawBodyBytes !== undefined) codes.add('payload_too_large');
  // A route without a body refuses one that is not empty.
  else if (verb !== 'GET') for (const code of OF_BODIES) codes.add(code);
  return [...codes];
}
