import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { api } from '@/lib/api/table';
import { Problem } from '@/lib/http/problem-schema';
import type { RouteDefinition } from '@/lib/http/route';
import { VERBS } from '@/lib/http/table';
import { Id } from '@/lib/platform/ids';
import { openApiDocument } from './document';

interface Media {
  schema?: unknown;
  example?: unknown;
}
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; required: boolean; description?: string; example?: unknown }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
  security: object[];
}

const document = openApiDocument() as unknown as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
  'x-tagGroups': { tags: string[] }[];
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
};

const routes = Object.entries<Record<string, RouteDefinition>>(api).flatMap(([path, entry]) =>
  VERBS.flatMap((verb) => {
    const definition = entry[verb];
    const operation = document.paths[path]?.[verb.toLowerCase()];
    return definition === undefined ? [] : [{ name: `${verb} ${path}`, verb, path, definition, operation }];
  }),
);

/** Lists the lists and maps of a schema that may have any number of members that are checked. */
function unboundedIn(schema: object, path = '', seen: readonly string[] = []): string[] {
  const { $ref, items, properties, additionalProperties, maxItems, maxProperties, ...rest } = schema as BodySchema;
  if ($ref !== undefined) {
    const referenced = document.components.schemas[$ref.replace('#/components/schemas/', '')];
    return referenced === undefined || seen.includes($ref) ? [] : unboundedIn(referenced, path, [...seen, $ref]);
  }
  const isList = items !== undefined && maxItems === undefined;
  const members = typeof additionalProperties === 'object' ? additionalProperties : {};
  const hasMembers = Object.keys(members).length > 0;
  const isMap = hasMembers && maxProperties === undefined;
  const parts = Object.entries({ ...(items && { '[]': items }), ...(hasMembers && { '{}': members }), ...properties });
  return [
    ...(isList || isMap ? [path] : []),
    ...parts.flatMap(([name, part]) => unboundedIn(part, `${path}.${name}`, seen)),
    ...[rest.anyOf, rest.oneOf, rest.allOf].flatMap((all = []) => all.flatMap((each) => unboundedIn(each, path, seen))),
  ];
}

interface BodySchema {
  $ref?: string;
  items?: object;
  properties?: Record<string, object>;
  additionalProperties?: object | boolean;
  maxItems?: number;
  maxProperties?: number;
  anyOf?: object[];
  oneOf?: object[];
  allOf?: object[];
}

describe('the OpenAPI document', () => {
  // Each member that is wrong makes an error: tens of thousands of them take the main thread for a second.
  it('gives every list and map of a body a limit', () => {
    for (const { name, operation } of routes) {
      for (const { schema } of Object.values(operation?.requestBody?.content ?? {})) {
        expect(unboundedIn(Object(schema)), name).toEqual([]);
      }
    }
  });

  it('describes every path and verb of the table, and no other', () => {
    expect(Object.keys(document.paths)).toEqual(Object.keys(api));
    for (const { name, operation } of routes) expect(operation, name).toBeDefined();
    const described = Object.values(document.paths).flatMap((operations) => Object.keys(operations));
    expect(described).toHaveLength(routes.length);
  });

  it('gives every operation its own id and a tag that is described and in one group', () => {
    const ids = routes.map(({ operation }) => operation?.operationId);
    expect(new Set(ids).size).toBe(routes.length);
    const tags = new Set(document.tags.map(({ name }) => name));
    for (const { name, operation } of routes)
      for (const tag of operation?.tags ?? []) expect(tags, name).toContain(tag);
    const used = new Set(routes.flatMap(({ operation }) => operation?.tags ?? []));
    expect([...tags].filter((tag) => !used.has(tag))).toEqual([]);
    const grouped = document['x-tagGroups'].flatMap((group) => group.tags);
    expect(grouped.toSorted()).toEqual([...tags].sort());
  });

  it('refers to schemas and credentials that it contains', () => {
    const text = JSON.stringify(document);
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      expect(document.components.schemas).toHaveProperty([name]);
    }
    for (const { operation } of routes) {
      for (const each of operation?.security ?? []) {
        expect(document.components.securitySchemes).toHaveProperty(Object.keys(each));
      }
    }
    expect(text).not.toContain('$defs');
  });

  it('names every parameter of a path', () => {
    for (const { name, path, operation } of routes) {
      const declared = operation?.parameters?.filter((parameter) => parameter.in === 'path').map((each) => each.name);
      expect(declared ?? [], name).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter));
    }
  });

  it('names every parameter of a query', () => {
    for (const { name, definition, operation } of routes) {
      const declared = operation?.parameters?.filter((parameter) => parameter.in === 'query').map((each) => each.name);
      const shape = (definition.query as Partial<z.ZodObject> | undefined)?.shape ?? {};
      expect(declared ?? [], name).toEqual(Object.keys(shape));
    }
  });

  it('says what every parameter and every field means', () => {
    const missing = routes.flatMap(({ name, operation }) =>
      (operation?.parameters ?? []).flatMap((each) => (isUndescribed(each.name, each) ? [`${name} ${each.name}`] : [])),
    );
    expect([...missing, ...fieldsWithoutDescription(document)]).toEqual([]);
  });

  it('says which role or scope a caller needs', () => {
    const { security } = routes.find(({ operation }) => operation?.operationId === 'endpoints.create')?.operation ?? {};
    expect(security).toEqual([{ accessToken: ['DEVELOPER'] }, { apiKey: ['READ_WRITE'] }]);
    const reading = routes.find(({ operation }) => operation?.operationId === 'endpoints.list')?.operation;
    expect(reading?.security).toEqual([{ accessToken: ['VIEWER'] }, { apiKey: [] }]);
  });

  it('does not repeat the title of an operation in its description', () => {
    const rotation = routes.find(({ operation }) => operation?.operationId === 'apiKeys.rotate')?.operation;
    expect(rotation?.summary).toBe('Replace an API key');
    expect(rotation?.description).toMatch(/^The old key works for a grace period, and .*\.$/);
    for (const { operation } of routes) expect(operation?.description ?? '').not.toContain(operation?.summary);
  });

  it.each(routes)('has a valid example of the body and the response of $name', ({ definition, operation }) => {
    const body = operation?.requestBody?.content['application/json'];
    if (definition.body !== undefined) expectValid(definition.body, body?.example);
    const { status, schema } = definition.response;
    const response = operation?.responses[status]?.content?.['application/json'];
    if (schema !== undefined) expectValid(schema, response?.example);
    expect([body === undefined, response === undefined]).toEqual([definition.body === undefined, schema === undefined]);
  });

  it('has valid examples of the required parameters of every query', () => {
    for (const { definition, operation } of routes) {
      const required = operation?.parameters?.filter((each) => each.in === 'query' && each.required) ?? [];
      if (definition.query === undefined || required.length === 0) continue;
      expectValid(definition.query, Object.fromEntries(required.map(({ name, example }) => [name, String(example)])));
    }
  });

  it('has nothing that generators of clients misread', () => {
    const inner = schemasIn({ paths: document.paths, components: document.components });
    expect(inner.filter((each) => 'prefixItems' in each || each.items === false)).toEqual([]);
    expect(inner.filter((each) => '$ref' in each && 'default' in each)).toEqual([]);
    expect(inner.filter(({ pattern }) => /\\ud[89a-f]|\\p/i.test(String(pattern)))).toEqual([]);
    expect(document.components.schemas).toHaveProperty(['EventListItemPage']);
    for (const { name, operation } of routes)
      for (const [type, media] of Object.entries(operation?.requestBody?.content ?? {}))
        expect(media.schema, `${name} ${type}`).toBeDefined();
  });

  it('has no name that generators of clients make from another one', () => {
    const names = Object.keys(document.components.schemas);
    const helpers = names.flatMap((name) => [`New${name}`, `New${name}WithDefaults`, `Nullable${name}`]);
    expect(names.filter((name) => helpers.includes(name))).toEqual([]);
    // On some systems a file replaces another whose name differs only in case.
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    // The Go client has types of these names.
    expect(names.filter((name) => ['APIKey', 'BasicAuth', 'Configuration'].includes(name))).toEqual([]);
    const ids = routes.map(({ operation }) => operation?.operationId ?? '');
    const derived = ids.flatMap((id) => ['Request', 'Async', 'WithHttpInfo', 'Call'].map((end) => `${id}${end}`));
    expect(ids.filter((id) => derived.includes(id))).toEqual([]);
  });

  it('tells the variants of every union apart by a property', () => {
    const unions = schemasIn(document.components.schemas).filter((each) => Array.isArray(each.oneOf)) as {
      oneOf: { $ref: string }[];
      discriminator?: { propertyName: string; mapping: Record<string, string> };
    }[];
    expect(unions.map(({ discriminator }) => discriminator?.propertyName)).toEqual([
      'profile',
      'profile',
      'type',
      'type',
    ]);
    for (const { oneOf, discriminator } of unions)
      expect(Object.values(discriminator?.mapping ?? {})).toEqual(oneOf.map(({ $ref }) => $ref));
  });

  it('writes a value or null as one schema, and a named one or null as a reference or null', () => {
    const alternatives = schemasIn(document.components.schemas).flatMap(({ anyOf }) =>
      Array.isArray(anyOf) ? [anyOf] : [],
    );
    expect(alternatives.length).toBeGreaterThan(0);
    for (const each of alternatives) expect(each).toEqual([{ $ref: expect.any(String) }, { type: 'null' }]);
    const ended = { type: ['string', 'null'], enum: ['closed', 'expired', null] };
    expect(document.components.schemas.RestoredSession).toMatchObject({ properties: { ended } });
  });

  it('describes the problems of every operation by their codes', () => {
    for (const { name, operation } of routes) {
      const problems = Object.entries(operation?.responses ?? {}).filter(([status]) => Number(status) >= 400);
      expect(
        problems.map(([status]) => status),
        name,
      ).toEqual(expect.arrayContaining(['400', '500', '503']));
      for (const [, { description, content }] of problems) {
        expect(description).toMatch(/^`[a-z_]+`: /);
        expect(content).toHaveProperty(['application/problem+json']);
      }
    }
    expect(Problem.shape.code.options.length).toBeGreaterThan(30);
  });
});

function expectValid(schema: z.ZodType, example: unknown): void {
  const parsed = schema.safeParse(example);
  expect(parsed.error?.issues ?? [], JSON.stringify(example)).toEqual([]);
}

/** All objects of a document, among them its schemas. */
function schemasIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(schemasIn)];
}

/** A field that refers to another resource must not have the description of an id. */
function isUndescribed(name: string, { description }: { description?: string }): boolean {
  return description === undefined || (name !== 'id' && description === Id.description);
}

/** The fields of all schemas that have no description. */
function fieldsWithoutDescription(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    if (key === 'example' || key === 'examples') return [];
    const own =
      key !== 'properties'
        ? []
        : Object.entries<{ description?: string }>(each).filter(([name, field]) => isUndescribed(name, field));
    return [...own.map(([name]) => `${path}.${name}`), ...fieldsWithoutDescription(each, `${path}/${key}`)];
  });
}
