import type * as z from 'zod';
import type { RouteDefinition } from '@/lib/http/route';
import type { Verb } from '@/lib/http/table';
import { ERRORS, type ErrorCode, statusOfError } from '@/lib/platform/errors';
import { exampleOf } from './examples';
import { operationNameOf } from './operation-names';
import { problemCodesOf } from './problem-codes';
import type { JsonSchema, SchemaCollection } from './schemas';
import { SECURITY } from './security';

/** Describes one route as an OpenAPI operation, entirely from its declaration. */
export function describeOperation(verb: Verb, definition: RouteDefinition, schemas: SchemaCollection): JsonSchema {
  const { resource, method } = operationNameOf(definition);
  const [summary = '', ...rest] = definition.summary.split('; ');
  return {
    operationId: `${resource}.${method}`,
    tags: [resource],
    summary: summary.replace(/\.$/, ''),
    ...(rest.length === 0 ? {} : { description: definition.summary }),
    security: SECURITY[definition.caller.kind],
    ...notEmpty('parameters', [
      ...pathParameters(definition),
      ...queryParameters(definition, schemas),
      ...headerParameters(definition, schemas),
    ]),
    ...requestBodyOf(verb, definition, schemas),
    responses: { ...successOf(definition, schemas), ...problemsOf(problemCodesOf(verb, definition)) },
  };
}

function notEmpty(name: string, values: readonly JsonSchema[]): JsonSchema {
  return values.length === 0 ? {} : { [name]: values };
}

function pathParameters({ params }: RouteDefinition): JsonSchema[] {
  return params.map((name) => {
    const schema = name.endsWith('Id') ? { type: 'string', format: 'uuid' } : { type: 'string' };
    return { name, in: 'path', required: true, schema, example: exampleOf({ name, schema }, {}) };
  });
}

function queryParameters({ query }: RouteDefinition, schemas: SchemaCollection): JsonSchema[] {
  return query === undefined ? [] : parametersOf('query', query, schemas);
}

function headerParameters({ headers }: RouteDefinition, schemas: SchemaCollection): JsonSchema[] {
  return headers === undefined ? [] : parametersOf('header', headers, schemas);
}

function parametersOf(place: 'query' | 'header', schema: z.ZodType, schemas: SchemaCollection): JsonSchema[] {
  const { properties = {}, required = [] } = schemas.describe(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
    required: required.includes(name),
    schema: rest,
  }));
}

function requestBodyOf(verb: Verb, definition: RouteDefinition, schemas: SchemaCollection): JsonSchema {
  const { body, bodyOptional, rawBodyBytes } = definition;
  if (rawBodyBytes !== undefined) {
    const description = `Any bytes, at most ${rawBodyBytes.toLocaleString('en-US')}`;
    return { requestBody: { description, required: false, content: { '*/*': {} } } };
  }
  if (body === undefined || verb === 'GET') return {};
  const schema = schemas.describe(body, 'input');
  const example = exampleOf({ schema }, schemas.components);
  return { requestBody: { required: !bodyOptional, content: { 'application/json': { schema, example } } } };
}

const MEANINGS: Record<number, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted; the work follows',
  204: 'Done, without a body',
  302: 'Redirects the browser',
};

function successOf({ response }: RouteDefinition, schemas: SchemaCollection): JsonSchema {
  const { status, schema, alternative } = response;
  const success = { description: MEANINGS[status] ?? 'Done', ...contentOf(schema, schemas) };
  // An upgrade-only route declares the status of its refusal.
  const responses: JsonSchema = status >= 400 ? {} : { [status]: success };
  if (alternative !== undefined) responses[alternative.status] = describeAlternative(alternative);
  return responses;
}

function describeAlternative({ status, contentType }: { status: number; contentType: string }): JsonSchema {
  if (status === 101) return { description: 'Switches to a WebSocket' };
  return { description: 'Another successful response', content: { [contentType]: { schema: { type: 'string' } } } };
}

function contentOf(schema: z.ZodType | undefined, schemas: SchemaCollection): JsonSchema {
  if (schema === undefined) return {};
  const described = schemas.describe(schema, 'output');
  const example = exampleOf({ schema: described }, schemas.components);
  return { content: { 'application/json': { schema: described, example } } };
}

/** Returns one response per status, with the codes that it may have. */
function problemsOf(codes: readonly ErrorCode[]): JsonSchema {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(statusOfError(code), [...(byStatus.get(statusOfError(code)) ?? []), code]);
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  const responses = statuses.map(([status, ofStatus]) => {
    const meanings = ofStatus.map((code) => `\`${code}\`: ${ERRORS[code][1]}`);
    return [status, problemResponse(meanings.join('\n\n'))] as const;
  });
  return { ...Object.fromEntries(responses), default: problemResponse('Any other problem') };
}

function problemResponse(description: string): JsonSchema {
  return { description, content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };
}
