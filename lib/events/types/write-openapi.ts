import { JsonValue } from '@/lib/events/json/json-value';
import type { EventTypeDocument } from '@/lib/events/schema';
import { asJson } from '@/lib/platform/json-text';
import type { TypeDefinition } from './event-types';
import { rewriteReferences } from './rewrite-references';

const HEADERS = {
  'webhook-id': 'The id of the event: the same for each attempt',
  'webhook-timestamp': 'When the attempt was signed, in seconds since 1970',
  'webhook-signature': 'The signature of id, timestamp and body by Standard Webhooks',
};

/** Returns the OpenAPI 3.1 document of the webhooks that a project sends, for those who receive them. */
export function writeOpenApi(title: string, version: string, types: readonly TypeDefinition[]): EventTypeDocument {
  const schemas = types.flatMap(({ name, schema }) =>
    schema === null ? [] : [[name, asJson(rewriteReferences(JsonValue.of(schema), `#/components/schemas/${name}`))]],
  );
  return {
    openapi: '3.1.1',
    info: { title, version },
    webhooks: Object.fromEntries(types.map((type) => [type.name, { post: operationOf(type) }])),
    ...(schemas.length === 0 ? {} : { components: { schemas: Object.fromEntries(schemas) } }),
  };
}

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
