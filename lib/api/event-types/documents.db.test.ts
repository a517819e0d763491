import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CatalogueType, EventTypeImport, InferredSchema } from '@/lib/events/schema';
import { findDefinedTypes, selectDefinedTypes } from '@/lib/events/types/event-types-sql';
import type { Listing } from '@/lib/platform/pagination';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { expectLimitReached, setLimit } from '@/tests/fixtures/limits';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call, expectInvalid } from '@/tests/http/api-request';

useDatabase();

const typesOf = (project: TestProject) => {
  return <T>(method: string, tail = '', body?: unknown) =>
    call<T>(method, `/api/v1/projects/${project.id}/event-types${tail}`, {
      apiKey: project.key,
      ...(body === undefined ? {} : { body }),
    });
};

const webhook = (schema: unknown, more: object = {}) => ({
  post: { requestBody: { content: { 'application/json': { schema, ...more } } }, responses: {} },
});
const documentOf = (webhooks: object, schemas: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  webhooks,
  components: { schemas },
});

afterEach(() => vi.restoreAllMocks());

it('a catalogue that is too large for one document is exported by its groups', async () => {
  const read = vi.spyOn(selectDefinedTypes, 'all');
  const project = await makeTestProject();
  await run(
    `INSERT INTO event_types (id, project_id, name, group_name, example)
     SELECT gen_random_uuid(), $1, 'large.' || n, 'Group ' || n % 4, to_json(repeat('x', 60000))::text
     FROM generate_series(1, 160) n`,
    project.id,
  );
  const types = typesOf(project);
  expect(await types('GET', '/openapi.json')).toMatchObject({ status: 409, json: { code: 'conflict' } });
  // 139 of these types have 8 MiB.
  const pages = await Promise.all(read.mock.results.map(({ value }) => value));
  expect(pages.map((rows) => rows.length)).toEqual(Array(6).fill(25));
  expect((await types('GET', '/openapi.json?group=Group%201')).status).toBe(200);
});

it('an import reads 25 definitions at once, and changes those that differ', async () => {
  const project = await makeTestProject();
  await run(
    `INSERT INTO event_types (id, project_id, name, schema)
     SELECT gen_random_uuid(), $1, 't.' || n, '{"type":"object","properties":{"id":{"type":"string"}}}' FROM generate_series(0, 59) n`,
    project.id,
  );
  const types = typesOf(project);
  const read = vi.spyOn(findDefinedTypes, 'all');
  const webhooks = Object.fromEntries(Array.from({ length: 61 }, (_, n) => [`t.${n}`, { post: {} as object }]));
  for (const n of [1, 30, 59]) webhooks[`t.${n}`] = webhook({ type: 'object', properties: {} });
  const importing = async (dryRun: boolean) => {
    const { status, json } = await types<EventTypeImport>('POST', '/import', {
      document: documentOf(webhooks),
      dryRun,
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ created: ['t.60'], updated: ['t.1', 't.30', 't.59'] });
    expect(json.unchanged).toHaveLength(57);
    expect(json.breaking.map(({ name, path }) => [name, path])).toEqual(
      ['t.1', 't.30', 't.59'].map((name) => [name, 'data.id']),
    );
  };
  await importing(true);
  await importing(false);
  const groups = await Promise.all(read.mock.results.map(({ value }) => value));
  expect(groups.map((rows) => rows.length)).toEqual([25, 25, 10, 25, 25, 10, 25, 25, 10]);
  expect((await types<CatalogueType>('GET', '/t.59')).json.schema).toEqual({ type: 'object', properties: {} });
  expect((await types<CatalogueType>('GET', '/t.60')).status).toBe(200);
});

/** Schemas of which each has many references to the next one. */
const multiplied = (levels: number, write: (next: object) => object, last: object) =>
  Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [
      `d${level}`,
      level === levels - 1 ? last : write({ $ref: `#/components/schemas/d${level + 1}` }),
    ]),
  );
const manyOf = (webhookOfType: object, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`many.t${n}`, webhookOfType]));

it('an import compares the schemas of its types for as long as those of ten types that multiply', async () => {
  const types = typesOf(await makeTestProject());
  const importing = (own: object, dryRun: boolean) => {
    const properties = (next: object) => ({
      properties: Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`p${n}`, next])),
    });
    const schema = { properties: { ...own, all: { $ref: '#/components/schemas/d0' } } };
    const document = documentOf(manyOf(webhook(schema), 15), multiplied(9, properties, {}));
    return types<EventTypeImport>('POST', '/import', { document, dryRun });
  };
  expect((await importing({ id: {} }, false)).status).toBe(200);
  const { json } = await importing({}, true);
  expect(json.updated).toHaveLength(15);
  const compared = Array.from({ length: 10 }, (_, n) => `many.t${n} data.id`);
  expect(json.breaking.map(({ name, path }) => `${name} ${path}`)).toEqual(compared);
});

it('an import whose examples take too much work together is refused, and a part of it is not', async () => {
  const types = typesOf(await makeTestProject());
  const importing = (count: number) => {
    const allOf = (next: object) => ({ allOf: Array(10).fill(next) });
    const schema = { properties: { list: { items: { $ref: '#/components/schemas/d0' } } } };
    const example = { list: Array(30).fill(0) };
    const document = documentOf(manyOf(webhook(schema, { example }), count), multiplied(4, allOf, {}));
    return types<EventTypeImport>('POST', '/import', { document, dryRun: true });
  };
  const some = await importing(5);
  expect(some.json).toMatchObject({ created: { length: 5 } });
  const refused = await importing(30);
  expectInvalid(refused, 'document');
});

describe('an OpenAPI document', () => {
  let types: ReturnType<typeof typesOf>;
  beforeAll(async () => {
    types = typesOf(await makeTestProject());
  });
  const all = async () => (await types<Listing<CatalogueType>>('GET')).json.data;

  const ORDER = {
    type: 'object',
    properties: { id: { type: 'string' }, lines: { $ref: '#/components/schemas/Lines' } },
  };
  const LINES = { type: 'array', items: { $ref: '#/components/schemas/Line' } };
  const LINE = {
    type: 'object',
    properties: { sku: { type: 'string' }, amount: { type: 'integer' } },
    required: ['sku'],
  };
  const DOCUMENT = documentOf(
    {
      'order.paid': {
        post: {
          ...webhook({ $ref: '#/components/schemas/Order' }, { example: { id: 'a', lines: [{ sku: 'b' }] } }).post,
          description: 'An order was paid.',
          tags: ['Orders', 'Money'],
        },
      },
      'order.old': { post: { deprecated: true, summary: 'Use order.paid.' } },
    },
    { Order: ORDER, Lines: LINES, Line: LINE, Unused: { pattern: 'x' } },
  );

  it('is only looked at in a dry run', async () => {
    const { json } = await types<EventTypeImport>('POST', '/import', { document: DOCUMENT, dryRun: true });
    expect(json).toEqual({
      dryRun: true,
      created: ['order.paid', 'order.old'],
      updated: [],
      unchanged: [],
      breaking: [],
    });
    expect(await all()).toEqual([]);
  });

  it('defines a type for each webhook, with what its schema refers to', async () => {
    const { json } = await types<EventTypeImport>('POST', '/import', { document: DOCUMENT });
    expect(json.created).toEqual(['order.paid', 'order.old']);
    const [old, paid] = await all();
    expect(old).toMatchObject({
      name: 'order.old',
      status: 'DEPRECATED',
      description: 'Use order.paid.',
      schema: null,
    });
    expect(paid).toMatchObject({
      name: 'order.paid',
      status: 'ACTIVE',
      group: 'Orders',
      description: 'An order was paid.',
      example: { id: 'a', lines: [{ sku: 'b' }] },
      schema: {
        type: 'object',
        properties: { id: { type: 'string' }, lines: { $ref: '#/$defs/Lines' } },
        $defs: { Lines: { type: 'array', items: { $ref: '#/$defs/Line' } }, Line: LINE },
      },
    });
  });

  it('changes nothing the second time', async () => {
    const { json } = await types<EventTypeImport>('POST', '/import', { document: DOCUMENT });
    expect(json).toMatchObject({ created: [], updated: [], unchanged: ['order.paid', 'order.old'] });
  });

  it('says what breaks receivers, and leaves what it does not name', async () => {
    const changed = { ...LINE, properties: { amount: { type: 'string' }, size: {} }, required: ['size'] };
    const document = documentOf({
      'order.paid': webhook({ items: changed, ...ORDER, properties: { lines: { items: changed } } }),
    });
    const { json } = await types<EventTypeImport>('POST', '/import', { document, dryRun: true });
    expect(json.updated).toEqual(['order.paid']);
    expect(json.breaking.map(({ path, message }) => `${path} ${message}`).sort()).toEqual([
      'data.id is removed',
      'data.lines can be anything, and was array',
      'data.lines[].amount is string, and was integer',
      'data.lines[].size is newly required',
      'data.lines[].sku is removed',
    ]);
    const more = documentOf({
      'order.paid': webhook({ ...ORDER, properties: { ...ORDER.properties, lines: LINES, note: {} } }),
    });
    const harmless = await types<EventTypeImport>('POST', '/import', {
      document: { ...more, components: { schemas: { Line: LINE } } },
      dryRun: true,
    });
    expect(harmless.json.breaking).toEqual([]);
  });

  it('is taken over whole or not at all, with the place of what is wrong', async () => {
    const before = await all();
    const document = documentOf({
      'a.good': webhook({ type: 'object' }),
      'a.bad': webhook({ properties: { id: { pattern: 'x' } } }),
      'a b': webhook({}),
      'a.lost': webhook({ $ref: '#/components/schemas/None' }),
      'a.remote': webhook({ $ref: 'https://example.com/a.json' }),
      'a.example': webhook({ required: ['id'] }, { example: {} }),
    });
    const refused = await types<{ errors: { path: string }[] }>('POST', '/import', { document });
    expect(refused.status).toBe(400);
    expect(refused.json.errors.map(({ path }) => path).sort()).toEqual([
      'document.webhooks.a b',
      'document.webhooks.a.bad.schema.properties.id.pattern',
      'document.webhooks.a.example.example.id',
      'document.webhooks.a.lost',
      'document.webhooks.a.remote',
    ]);
    expect(await all()).toEqual(before);
    expectInvalid(await types('POST', '/import', { document: { openapi: '3.0.3', webhooks: {} } }), 'document.openapi');
    expectInvalid(await types('POST', '/import', { document: { openapi: '3.1.0' } }), 'document.webhooks');
  });

  it('may have 100,000 values', async () => {
    const importing = (values: number) =>
      types('POST', '/import', { document: { ...documentOf({}), 'x-more': Array(values).fill(0) }, dryRun: true });
    expect((await importing(99_000)).status).toBe(200);
    expect(await importing(100_000)).toMatchObject({ status: 413, json: { code: 'payload_too_large' } });
  });

  it('is exported for receivers, and imported again without a difference', async () => {
    await types('POST', '', {
      name: 'own.references',
      schema: '',
    });
    const schema = {
      $defs: { id: { const: 1 } },
      properties: { a: { $ref: '#/$defs/id' }, b: { $ref: '#/properties/a' } },
    };
    expect((await types('POST', '', { name: 'own.references', schema, example: { a: 1 } })).status).toBe(201);
    const { json, status } = await types<Record<string, unknown>>('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      openapi: '3.1.1',
      webhooks: {
        'own.references': {
          post: {
            requestBody: {
              content: {
                'application/json': {
                  schema: {
                    properties: {
                      type: { const: 'own.references' },
                      data: { $ref: '#/components/schemas/own.references' },
                    },
                  },
                  example: { type: 'own.references', data: { a: 1 } },
                },
              },
            },
          },
        },
      },
      components: {
        schemas: {
          'own.references': { properties: { b: { $ref: '#/components/schemas/own.references/properties/a' } } },
        },
      },
    });
    const again = await types<EventTypeImport>('POST', '/import', { document: json });
    expect(again.json).toMatchObject({ created: [], breaking: [] });
    const elsewhere = typesOf(await makeTestProject());
    expect((await elsewhere<EventTypeImport>('POST', '/import', { document: json })).json.created).toHaveLength(3);
    const bare = ({ mismatches: _m, lastSeenAt: _l, createdAt: _c, updatedAt: _u, ...type }: CatalogueType) => type;
    const copied = (await elsewhere<Listing<CatalogueType>>('GET')).json.data;
    expect(copied.map(bare)).toEqual((await all()).map(bare));
  });

  it('has no text and no name that a request may not have', async () => {
    const post = (more: object) => ({ post: more });
    const document = documentOf({
      'a.description': post({ description: 'a\0b' }),
      'a.group': post({ tags: ['a\nb'] }),
      'a\0name': post({}),
      import: post({}),
      'a.long': post({ description: `${'x'.repeat(1_999)}😀` }),
    });
    const refused = await types<{ errors: { path: string }[] }>('POST', '/import', { document });
    expect(refused.status).toBe(400);
    expect(refused.json.errors.map(({ path }) => path)).toEqual([
      'document.webhooks.a.description',
      'document.webhooks.a.group',
      'document.webhooks.a\0name',
      'document.webhooks.import',
    ]);
  });

  it('may refer to a large component often: what comes of it is bounded, and takes turns with others', async () => {
    const schema = { properties: Object.fromEntries(Array.from({ length: 14_000 }, (_, n) => [`p${n}`, true])) };
    const often = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`a.t${n}`, webhook({ $ref: '#/components/schemas/A' })]),
      );
    const longest = monitorEventLoopDelay({ resolution: 5 });
    longest.enable();
    const large = await types<{ errors: { path: string }[] }>('POST', '/import', {
      document: documentOf(often(900), { A: schema }),
    });
    longest.disable();
    expect(large.status).toBe(400);
    expect(large.json.errors).toHaveLength(50);
    // All of them at once take twelve seconds.
    expect(longest.max / 1e6).toBeLessThan(1_000);
    const many = await types<{ errors: { message: string }[] }>('POST', '/import', {
      document: documentOf(often(200), { A: { description: 'x'.repeat(60_000) } }),
    });
    expect(many.status).toBe(400);
    expect(many.json.errors[0]?.message).toContain('8 MiB');
  });

  it('has at most 10,000 webhooks', async () => {
    const webhooks = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`a.t${n}`, {}]));
    expectInvalid(await types('POST', '/import', { document: documentOf(webhooks) }), 'document.webhooks');
  });

  it('counts towards the limit', async () => {
    setLimit('PROJECT_MAX_EVENT_TYPES', 4);
    const two = documentOf({ 'more.one': { post: {} }, 'more.two': { post: {} } });
    expectLimitReached(await types('POST', '/import', { document: two }), 'PROJECT_MAX_EVENT_TYPES');
  });
});

describe('a proposed schema', () => {
  it('is satisfied by the newest events, and is not saved', async () => {
    const project = await makeTestProject();
    const types = typesOf(project);
    const send = (data: object) =>
      call('POST', '/api/v1/events', { apiKey: project.key, body: { type: 'order.paid', data } });
    await send({ id: 'b', amount: 1, at: '2026-01-31T09:30:00Z', lines: [{ sku: 'x' }], note: null });
    await send({ id: 'c', amount: 1.5, at: '2026-01-31T09:30:00Z', lines: [], note: 'hello', gift: true });
    const { json } = await types<InferredSchema>('POST', '/order.paid/infer');
    expect(json).toEqual({
      eventCount: 2,
      schema: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          amount: { type: 'number' },
          at: { type: 'string', format: 'date-time' },
          lines: {
            type: 'array',
            items: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
          },
          note: { type: ['string', 'null'] },
          gift: { type: 'boolean' },
        },
        required: ['id', 'amount', 'at', 'lines', 'note'],
      },
    });
    expect((await types<CatalogueType>('GET', '/order.paid')).json.schema).toBeNull();
    expect((await types('POST', '', { name: 'order.paid', schema: json.schema })).status).toBe(201);
    expect((await types('POST', '', { name: 'not.sent' })).status).toBe(201);
    expect((await types<InferredSchema>('POST', '/not.sent/infer')).json).toEqual({ eventCount: 0, schema: null });
    expect((await types('POST', '/unknown/infer')).status).toBe(404);
  });
});
