import { JsonValue } from '@/lib/events/json/json-value';
import { asJson, stringify } from '@/lib/platform/json-text';
import type { TypeDefinition } from './event-types';
import { rewriteReferences } from './rewrite-references';

const HEADERS = {
  'webhook-id': 'The id of the event: the same for each attempt',
  'webhook-timestamp': 'When the attempt was signed, in seconds since 1970',
  'webhook-signature': 'The signature of id, timestamp and body by Standard Webhooks',
};

/** A document is not larger, neither one that is written nor one that is read. */
export const MAX_CATALOGUE_BYTES = 8 * 1024 * 1024;

/** The parts of a document about a type, in JSON. */
export interface TypePart {
  webhook: Buffer;
  /** Null without a schema. */
  schema: Buffer | null;
}

/** Writes the parts of a document about a type. */
export function writeType(type: TypeDefinition): TypePart {
  const name = JSON.stringify(type.name);
  const schema =
    type.schema === null ? null : rewriteReferences(JsonValue.of(type.schema), `#/components/schemas/${type.name}`);
  return {
    webhook: Buffer.from(`${name}:${stringify({ post: operationOf(type) })}`),
    schema: schema === null ? null : Buffer.from(`${name}:${schema}`),
  };
}

/**
 * Returns the JSON of the OpenAPI 3.1 document of the webhooks that a project sends, for those who receive them: its types are
 * written one by one, as together they take long.
 */
export function joinOpenApi(title: string, version: string, parts: readonly TypePart[]): Buffer {
  const start = JSON.stringify({ openapi: '3.1.1', info: { title, version } }).slice(0, -1);
  const webhooks = parts.map(({ webhook }) => webhook);
  const schemas = parts.flatMap(({ schema }) => schema ?? []);
  const components = schemas.length === 0 ? [] : [',"components":{"schemas":{', ...withCommas(schemas), '}}'];
  const pieces = [start, ',"webhooks":{', ...withCommas(webhooks), '}', ...components, '}'];
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

const withCommas = (members: readonly Buffer[]) => members.flatMap((each, at) => (at === 0 ? [each] : [',', each]));

function operationOf({ name, description, group, status, schema, example }: TypeDefinition) {
  return {
    operationId: name,
    ...(description === null ? {} : { description }),
    ...(group === null ? {} : { tags: [group] }),
    deprecated: status === 'DEPRECATED',
    parameters: Object.entries(HEADERS).map(([header, meaning]) => ({
      name: header,
      in: 'header',
      required: true,
      description: meaning,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': contentOf(name, schema, example) } },
    responses: {
      '2XX': { description: 'The event was received. Another answer is an error, and the event is sent again.' },
    },
  };
}

const EXAMPLE_TIMESTAMP = '2026-01-31T09:30:00.000Z';

function contentOf(name: string, schema: string | null, example: string | null) {
  return {
    schema: {
      type: 'object',
      properties: {
        type: { type: 'string', const: name },
        timestamp: { type: 'string', format: 'date-time' },
        data: schema === null ? { type: 'object' } : { $ref: `#/components/schemas/${name}` },
      },
      required: ['type', 'timestamp', 'data'],
    },
    ...(example === null ? {} : { example: { type: name, timestamp: EXAMPLE_TIMESTAMP, data: asJson(example) } }),
  };
}
