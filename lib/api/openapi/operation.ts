import type * as z from 'zod';
import type { RouteDefinition } from '@/lib/http/route';
import type { Verb } from '@/lib/http/table';
import { ERRORS, type ErrorCode, statusOfError } from '@/lib/platform/errors';
import { exampleOf } from './examples';
import { describeField } from './fields/describe-field';
import type { JsonSchema } from './json-schema';
import { operationNameOf } from './operation-names';
import { problemCodesOf } from './problem-codes';
import type { SchemaCollection } from './schemas';
import { securityOf } from './security';

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
      ...pathParameters(definition, id),
      ...(query === undefined ? [] : parametersOf('query', query, schemas, id)),
      ...(headers === undefined ? [] : parametersOf('header', headers, schemas, id)),
    ]),
    ...requestBodyOf(verb, definition, schemas, id),
    responses: { ...successOf(definition, schemas, id), ...problemsOf(problemCodesOf(verb, definition)) },
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

function pathParameters({ params }: RouteDefinition, id: string): JsonSchema[] {
  return params.map((name) => {
    const schema = name.endsWith('Id') ? { type: 'string', format: 'uuid' } : { type: 'string' };
    const example = exampleOf({ name, schema }, {});
    const description = describeField(name, [id, 'path']);
    return { name, in: 'path', ...(description === undefined ? {} : { description }), required: true, schema, example };
  });
}

function parametersOf(place: 'query' | 'header', schema: z.ZodType, schemas: SchemaCollection, id: string) {
  const { properties = {}, required = [] } = schemas.resolve(schemas.describe(schema, 'input', [id, place])) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
    required: required.includes(name),
    schema: rest,
    ...(required.includes(name) ? { example: exampleOf({ name, schema: rest }, schemas.components) } : {}),
  }));
}

function requestBodyOf(verb: Verb, definition: RouteDefinition, schemas: SchemaCollection, id: string): JsonSchema {
  const { body, bodyOptional, rawBodyBytes } = definition;
  if (rawBodyBytes !== undefined) {
    const description = `Any bytes, at most ${rawBodyBytes.toLocaleString('en-US')}`;
    return { requestBody: { description, required: false, content: { '*/*': {} } } };
  }
  if (body === undefined || verb === 'GET') return {};
  const schema = schemas.describe(body, 'input', [id]);
  const example = exampleOf({ schema }, schemas.components);
  return { requestBody: { required: !bodyOptional, content: { 'application/json': { schema, example } } } };
}

const MEANINGS: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted for processing',
  204: 'No content',
  302: 'Redirects the browser',
};

function successOf({ response }: RouteDefinition, schemas: SchemaCollection, id: string): JsonSchema {
  const { status, schema, contentType, alternative } = response;
  const content = contentType === undefined ? contentOf(schema, schemas, id) : textOf(contentType);
  const success = { description: MEANINGS[status] ?? 'OK', ...content };
  // A route that only upgrades declares the status of its refusal.
  const responses: JsonSchema = status >= 400 ? {} : { [status]: success };
  if (alternative !== undefined) responses[alternative.status] = describeAlternative(alternative);
  return responses;
}

function describeAlternative({ status, contentType }: { status: number; contentType: string }): JsonSchema {
  if (status === 101) return { description: 'Switches to a WebSocket' };
  return { description: 'Alternative response', ...textOf(contentType) };
}

function textOf(contentType: string): JsonSchema {
  return { content: { [contentType]: { schema: { type: 'string' } } } };
}

function contentOf(schema: z.ZodType | undefined, schemas: SchemaCollection, id: string): JsonSchema {
  if (schema === undefined) return {};
  const described = schemas.describe(schema, 'output', [id]);
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
  return { ...Object.fromEntries(responses), default: problemResponse('Any other error') };
}

function problemResponse(description: string): JsonSchema {
  return { description, content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };
}
