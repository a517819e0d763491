import { JsonValue } from '@/lib/events/json/json-value';
import type { EventTypeState } from '@/lib/events/schema';
import type { FieldFault } from '@/lib/platform/errors';
import { bundleSchema } from './bundle-schema';
import { DocumentFault, OpenApiReader } from './openapi-reader';

/** A type as a document describes it. What it does not say is undefined. */
export interface DescribedType {
  name: string;
  description?: string;
  group?: string;
  status?: EventTypeState;
  schema?: string;
  example?: string | null;
}

/** Methods that a webhook is called with, best first. */
const METHODS = ['post', 'put', 'patch'];
const MAX_DESCRIPTION_CHARS = 2_000;
const MAX_GROUP_CHARS = 100;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/;

/**
 * Reads the webhooks of an OpenAPI 3.1 document as event types (docs/specification.md#event-types).
 * @param document text that JSON.parse accepts
 * @returns the types, and what is wrong with others, at places such as `document.webhooks.order.paid`
 */
export function readOpenApi(document: string): { types: DescribedType[]; errors: FieldFault[] } {
  const root = JsonValue.of(document);
  const version = root.member('openapi');
  if (version?.kind !== 'string' || !/^3\.[12]\./.test(version.string)) {
    return { types: [], errors: [{ path: 'document.openapi', message: 'must be 3.1' }] };
  }
  const webhooks = root.member('webhooks');
  if (webhooks?.kind !== 'object') {
    return {
      types: [],
      errors: [{ path: 'document.webhooks', message: 'must be an object with a webhook for each event type' }],
    };
  }
  const reader = new OpenApiReader(root);
  const types: DescribedType[] = [];
  const errors: FieldFault[] = [];
  for (const [name, item] of webhooks.entries) {
    try {
      types.push({ name, ...describe(reader, name, item) });
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      errors.push({ path: `document.webhooks.${name}`, message: error.message });
    }
  }
  return { types, errors };
}

function describe(reader: OpenApiReader, name: string, given: JsonValue): Omit<DescribedType, 'name'> {
  const item = reader.resolve(given);
  const method = METHODS.find((each) => item.member(each) !== undefined);
  const operation = method === undefined ? undefined : item.member(method);
  if (operation?.kind !== 'object') throw new DocumentFault('must have a POST operation');
  const [tag] = operation.member('tags')?.kind === 'array' ? (operation.member('tags')?.elements ?? []) : [];
  const deprecated = operation.member('deprecated')?.text;
  const description = [operation, item].flatMap((each) => [each.member('description'), each.member('summary')]);
  return {
    ...optional('description', textOf(description)?.slice(0, MAX_DESCRIPTION_CHARS)),
    ...optional('group', textOf([tag])?.slice(0, MAX_GROUP_CHARS)),
    ...optional('status', stateOf(deprecated)),
    ...contentOf(reader, name, operation),
  };
}

function stateOf(deprecated: string | undefined): EventTypeState | undefined {
  if (deprecated === undefined) return undefined;
  return deprecated === 'true' ? 'DEPRECATED' : 'ACTIVE';
}

function textOf(values: readonly (JsonValue | undefined)[]): string | undefined {
  const found = values.find((value) => value?.kind === 'string' && value.string.trim() !== '');
  return found?.string.trim();
}

const optional = <Name extends string, T>(name: Name, value: T | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [N in Name]?: T };

/** Returns the schema and the example of what the webhook sends. Of an envelope of this service, those of its `data`. */
function contentOf(reader: OpenApiReader, name: string, operation: JsonValue) {
  const body = operation.member('requestBody');
  const content = body === undefined ? undefined : reader.resolve(body).member('content');
  const media =
    content?.kind === 'object' ? [...content.entries].find(([type]) => JSON_TYPE.test(type))?.[1] : undefined;
  if (media === undefined) return {};
  const schema = media.member('schema');
  const data = schema === undefined ? undefined : dataOf(reader, name, schema);
  const example = exampleOf(reader, media);
  const shown = data === undefined ? example : example?.member('data');
  return {
    ...optional('schema', schema === undefined ? undefined : bundleSchema(reader, data ?? schema)),
    ...optional('example', shown?.kind === 'object' ? shown.text : undefined),
  };
}

function dataOf(reader: OpenApiReader, name: string, schema: JsonValue): JsonValue | undefined {
  const properties = reader.resolve(schema).member('properties');
  const type = properties?.member('type')?.member('const');
  const isEnvelope = type?.kind === 'string' && type.string === name && properties?.member('timestamp') !== undefined;
  return isEnvelope ? properties?.member('data') : undefined;
}

function exampleOf(reader: OpenApiReader, media: JsonValue): JsonValue | undefined {
  const example = media.member('example');
  if (example !== undefined) return example;
  const examples = media.member('examples');
  const [first] = examples?.kind === 'object' ? examples.entries.values() : [];
  return first === undefined ? undefined : reader.resolve(first).member('value');
}
