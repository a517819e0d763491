import { JsonValue } from '@/lib/events/json/json-value';
import { type EventTypeState, MAX_EXAMPLE_BYTES, MAX_SCHEMA_BYTES } from '@/lib/events/schema';
import { fieldError } from '@/lib/platform/errors';
import { copyText } from '@/lib/platform/text';
import { bundleSchema, MAX_READ_BYTES, TOO_LARGE } from './bundle-schema';
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
/** A catalogue may be larger by its limit, and is imported in parts. */
const MAX_WEBHOOKS = 10_000;
const MAX_DESCRIPTION_CHARS = 2_000;
const MAX_GROUP_CHARS = 100;
/** Media types of a content that are looked at. */
const MAX_MEDIA_TYPES = 20;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/;

/** A document whose webhooks are read one by one: together they may be large, as several refer to the same schema. */
export interface OpenDocument {
  reader: OpenApiReader;
  webhooks: [name: string, webhook: JsonValue][];
}

/**
 * Opens an OpenAPI 3.1 document with webhooks (docs/specification.md#event-types).
 * @param document text that JSON.parse accepts
 * @throws AppError validation_failed for another document
 */
export function openDocument(document: string): OpenDocument {
  const root = JsonValue.of(document);
  const version = root.member('openapi');
  if (version?.kind !== 'string' || !/^3\.[12]\./.test(version.string)) {
    throw fieldError('document.openapi', 'must be 3.1');
  }
  const webhooks = root.member('webhooks');
  if (webhooks?.kind !== 'object') {
    throw fieldError('document.webhooks', 'must be an object with a webhook for each event type');
  }
  if (webhooks.hasMoreMembersThan(MAX_WEBHOOKS)) {
    throw fieldError('document.webhooks', `must have at most ${MAX_WEBHOOKS} webhooks`);
  }
  return { reader: new OpenApiReader(root), webhooks: [...webhooks.entries] };
}

/** Reads a webhook as an event type. @throws DocumentFault */
export function describeWebhook(reader: OpenApiReader, name: string, webhook: JsonValue): DescribedType {
  return { name, ...describe(reader, name, webhook) };
}

function describe(reader: OpenApiReader, name: string, given: JsonValue): Omit<DescribedType, 'name'> {
  const item = reader.resolve(given);
  const method = METHODS.find((each) => item.member(each) !== undefined);
  const operation = method === undefined ? undefined : item.member(method);
  if (operation?.kind !== 'object') throw new DocumentFault('must have a POST operation');
  const tag = operation.member('tags')?.element(0);
  const deprecated = operation.member('deprecated')?.text;
  const description = [operation, item].flatMap((each) => [each.member('description'), each.member('summary')]);
  return {
    ...optional('description', textOf(description, MAX_DESCRIPTION_CHARS)),
    ...optional('group', textOf([tag], MAX_GROUP_CHARS)),
    ...optional('status', stateOf(deprecated)),
    ...contentOf(reader, name, operation),
  };
}

function stateOf(deprecated: string | undefined): EventTypeState | undefined {
  if (deprecated === undefined) return undefined;
  return deprecated === 'true' ? 'DEPRECATED' : 'ACTIVE';
}

function textOf(values: readonly (JsonValue | undefined)[], most: number): string | undefined {
  const found = values.find((value) => value?.kind === 'string' && value.string.trim() !== '');
  return found === undefined ? undefined : copyText(found.string.trim().slice(0, most)).trim();
}

const optional = <Name extends string, T>(name: Name, value: T | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [N in Name]?: T };

/** Returns the schema and the example of what the webhook sends. Of an envelope of this service, those of its `data`. */
function contentOf(reader: OpenApiReader, name: string, operation: JsonValue) {
  const body = operation.member('requestBody');
  const content = body === undefined ? undefined : reader.resolve(body).member('content');
  const media = firstOf(content, MAX_MEDIA_TYPES).find(([type]) => JSON_TYPE.test(type))?.[1];
  if (media === undefined) return {};
  const schema = media.member('schema');
  const data = schema === undefined ? undefined : dataOf(reader, name, schema);
  const example = exampleOf(reader, media);
  const shown = data === undefined ? example : example?.member('data');
  return {
    ...optional('schema', schema === undefined || isAnyData(data) ? undefined : schemaOf(reader, data ?? schema)),
    ...optional('example', shown?.kind === 'object' ? exampleTextOf(shown) : undefined),
  };
}

function schemaOf(reader: OpenApiReader, value: JsonValue): string {
  const schema = bundleSchema(reader, value);
  if (Buffer.byteLength(schema) > MAX_SCHEMA_BYTES) throw new DocumentFault(TOO_LARGE);
  return schema;
}

function exampleTextOf(value: JsonValue): string {
  if (value.size > MAX_EXAMPLE_BYTES) throw new DocumentFault('has an example of more than 64 KiB');
  return value.text;
}

function dataOf(reader: OpenApiReader, name: string, schema: JsonValue): JsonValue | undefined {
  const value = reader.resolve(schema);
  if (value.size > MAX_READ_BYTES) throw new DocumentFault(TOO_LARGE);
  const properties = value.member('properties');
  const type = properties?.member('type')?.member('const');
  const isEnvelope = type?.kind === 'string' && type.string === name && properties?.member('timestamp') !== undefined;
  return isEnvelope ? properties?.member('data') : undefined;
}

/** A type without a schema is exported so. One that says this itself is referred to. */
function isAnyData(data: JsonValue | undefined): boolean {
  if (data?.kind !== 'object' || data.hasMoreMembersThan(1)) return false;
  const type = data.member('type');
  return type?.kind === 'string' && type.string === 'object';
}

function exampleOf(reader: OpenApiReader, media: JsonValue): JsonValue | undefined {
  const example = media.member('example');
  if (example !== undefined) return example;
  const [first] = firstOf(media.member('examples'), 1);
  return first === undefined ? undefined : reader.resolve(first[1]).member('value');
}

/** Many webhooks may share an object with many members, so each looks at the first ones only. */
function firstOf(value: JsonValue | undefined, most: number): [name: string, value: JsonValue][] {
  return value?.kind === 'object' ? [...value.firstEntries(most)] : [];
}
