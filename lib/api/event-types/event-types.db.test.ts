import { beforeEach, describe, expect, it } from 'vitest';
import type { CatalogueType } from '@/lib/events/schema';
import { type Config, config } from '@/lib/platform/config/config';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import type { ProjectLimits } from '@/lib/usage/schema';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { expectLimitReached, raceAtRow, setLimit } from '@/tests/fixtures/limits';
import { makeTestProject, type TestProject, useProjects } from '@/tests/fixtures/projects';
import { type CallOptions, call, expectInvalid } from '@/tests/http/api-request';

useDatabase();
const projects = useProjects();

let defaults: Config;
beforeEach(() => {
  defaults ??= config();
  setOnce('config', defaults);
});

const asKey = (project: TestProject = projects.mine): CallOptions => ({ apiKey: project.key });
const types = <T = CatalogueType>(method: string, tail = '', body?: object, options = asKey()) =>
  call<T>(method, `/api/v1/projects/${projects.mine.id}/event-types${tail}`, {
    ...options,
    ...(body === undefined ? {} : { body }),
  });
const define = async (name: string, more: object = {}) => {
  const made = await types('POST', '', { name, ...more });
  expect(made.status, made.text).toBe(201);
  return made.json;
};
const send = (type: string, project = projects.mine) =>
  call('POST', '/api/v1/events', { apiKey: project.key, body: { type, data: {} } });
const list = async (query = '') => (await types<Listing<CatalogueType>>('GET', `?${query}`)).json;
const fresh = (prefix = 'order') => `${prefix}.${newId().slice(-12)}`;

const SCHEMA = { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] };

describe('an event type', () => {
  it('is defined with what receivers read of it', async () => {
    const name = fresh();
    const given = {
      name,
      description: 'An order was paid.\nIn full.',
      group: 'Orders',
      schema: SCHEMA,
      example: { amount: 1 },
    };
    const made = await define(name, given);
    expect(made).toEqual({
      ...given,
      status: 'ACTIVE',
      mismatches: { count: 0, lastAt: null },
      lastSeenAt: null,
      createdAt: expect.any(String),
      updatedAt: made.createdAt,
    });
    expect((await types('GET', `/${name}`)).json).toEqual(made);
  });

  it('shows numbers of its schema and example as they were sent', async () => {
    const name = fresh();
    const bodyText = `{"name":"${name}","schema":{"properties":{"a":{"const":12345678901234567890.10}}},"example":{"a":1234567890123456789010e-2}}`;
    const path = `/api/v1/projects/${projects.mine.id}/event-types`;
    const made = await call('POST', path, { ...asKey(), body: bodyText });
    expect(made.status, made.text).toBe(201);
    const { text } = await types('GET', `/${name}`);
    expect(text).toContain('"const":12345678901234567890.10');
    expect(text).toContain('"a":1234567890123456789010e-2');
  });

  it('is defined once', async () => {
    const name = fresh();
    await define(name);
    expect((await types('POST', '', { name })).json).toMatchObject({ status: 409, code: 'conflict' });
  });

  it('has a name that its paths can have', async () => {
    for (const name of ['import', 'openapi.json', '.', '..', 'a b', '', 'x'.repeat(129)]) {
      expectInvalid(await types('POST', '', { name }), 'name');
    }
    await define('imports');
  });

  it('changes field by field, and null clears', async () => {
    const name = fresh();
    const made = await define(name, { description: 'Old', group: 'Orders', schema: SCHEMA, example: { amount: 1 } });
    const changed = await types('PATCH', `/${name}`, { status: 'DEPRECATED', description: 'New', group: null });
    expect(changed.json).toEqual({
      ...made,
      status: 'DEPRECATED',
      description: 'New',
      group: null,
      updatedAt: expect.any(String),
    });
    expect((await types('PATCH', `/${name}`, { schema: null, example: null })).json).toMatchObject({
      schema: null,
      example: null,
    });
    expectInvalid(await types('PATCH', `/${name}`, { name: 'another' }), 'name');
  });

  it('has an example that satisfies its schema', async () => {
    const name = fresh();
    expectInvalid(await types('POST', '', { name, schema: SCHEMA, example: {} }), 'example.amount');
    await define(name, { schema: SCHEMA, example: { amount: 1 } });
    expectInvalid(await types('PATCH', `/${name}`, { example: { amount: 1.5 } }), 'example.amount');
    expectInvalid(
      await types('PATCH', `/${name}`, { schema: { properties: { amount: { type: 'string' } } } }),
      'example.amount',
    );
    expect((await types('GET', `/${name}`)).json).toMatchObject({ schema: SCHEMA, example: { amount: 1 } });
  });

  it('names the place of what a schema must not have', async () => {
    const name = fresh();
    for (const [schema, path] of [
      [{ properties: { id: { pattern: '^a' } } }, 'schema.properties.id.pattern'],
      [{ $ref: 'https://example.com/schema' }, 'schema.$ref'],
      [{ description: 'x'.repeat(64 * 1024) }, 'schema'],
    ] as const) {
      expectInvalid(await types('POST', '', { name, schema }), path);
    }
  });

  it('leaves its events when it is removed, and is then one that was seen', async () => {
    const name = fresh();
    await define(name, { description: 'Mine' });
    await send(name);
    expect((await types('DELETE', `/${name}`)).status).toBe(204);
    expect((await types('DELETE', `/${name}`)).json).toMatchObject({ status: 404 });
    expect((await types('GET', `/${name}`)).json).toEqual({
      name,
      description: null,
      group: null,
      status: 'SEEN',
      schema: null,
      example: null,
      mismatches: { count: 0, lastAt: null },
      lastSeenAt: expect.any(String),
      createdAt: null,
      updatedAt: null,
    });
    expect((await types('PATCH', `/${name}`, { status: 'ACTIVE' })).json).toMatchObject({ status: 404 });
    await define(name);
  });

  it('is another one in another project', async () => {
    const name = fresh();
    await define(name);
    const path = `/api/v1/projects/${projects.foreign.id}/event-types`;
    expect((await call('GET', `${path}/${name}`, asKey(projects.foreign))).status).toBe(404);
    expect((await call('POST', path, { ...asKey(projects.foreign), body: { name } })).status).toBe(201);
    expect((await call('GET', `${path}/${name}`, asKey())).status).toBe(404);
  });

  it('keeps its schema and example out of the audit log', async () => {
    const name = fresh();
    await define(name);
    await types('PATCH', `/${name}`, { example: { email: 'ada@example.com' }, group: 'People' });
    const entries = await auditOf(projects.mine.owner.organizationId);
    const entry = entries.findLast(({ action }) => action === 'event_type.updated');
    expect(entry?.details).toMatchObject({
      targetName: name,
      changes: { example: {}, group: { from: null, to: 'People' } },
    });
  });
});

describe('the list of event types', () => {
  it('has defined and sent types once each, by name, page by page', async () => {
    const project = await makeTestProject();
    const path = `/api/v1/projects/${project.id}/event-types`;
    for (const name of ['b.two', 'd.four']) await call('POST', path, { ...asKey(project), body: { name } });
    for (const type of ['b.two', 'a.one', 'b.two', 'c.three']) await send(type, project);
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const { json } = await call<Listing<CatalogueType>>('GET', `${path}?limit=1&cursor=${cursor}`, asKey(project));
      found.push(...json.data.map(({ name, status }) => `${name} ${status}`));
      if (json.nextCursor === null) break;
      cursor = json.nextCursor;
    }
    expect(found).toEqual(['a.one SEEN', 'b.two ACTIVE', 'c.three SEEN', 'd.four ACTIVE']);
    const all = await call<Listing<CatalogueType>>('GET', path, asKey(project));
    expect(all.json.data.map(({ lastSeenAt }) => lastSeenAt !== null)).toEqual([true, true, true, false]);
    expect(all.json.nextCursor).toBeNull();
  });

  it('is narrowed by status, group and text', async () => {
    const [active, old, seen] = [fresh('list'), fresh('list'), fresh('list')];
    await define(active, { group: 'Listed', description: 'Says HELLO' });
    await define(old, { group: 'Listed', status: 'DEPRECATED' });
    await send(seen);
    await send(active);
    const names = async (query: string) => (await list(query)).data.map(({ name }) => name);
    expect(await names('group=Listed')).toEqual([active, old].sort());
    expect(await names('group=Listed&status=DEPRECATED')).toEqual([old]);
    expect(await names('q=says+hello')).toEqual([active]);
    expect(await names('q=LIST.&status=SEEN')).toEqual([seen]);
    expect(await names('q=list.')).toEqual([active, old, seen].sort());
    expect(await names('group=nothing')).toEqual([]);
  });

  it('ends a page before its schemas are too long for one answer', async () => {
    const project = await makeTestProject();
    const path = `/api/v1/projects/${project.id}/event-types`;
    const schema = { description: 'x'.repeat(60_000) };
    for (let n = 10; n < 22; n += 1) {
      await call('POST', path, { ...asKey(project), body: { name: `long.${n}`, schema } });
    }
    const first = await call<Listing<CatalogueType>>('GET', path, asKey(project));
    expect(first.json.data).toHaveLength(8);
    const { json } = await call<Listing<CatalogueType>>(
      'GET',
      `${path}?cursor=${first.json.nextCursor}`,
      asKey(project),
    );
    expect(json.data.map(({ name }) => name)).toEqual(['long.18', 'long.19', 'long.20', 'long.21']);
    expect(json.nextCursor).toBeNull();
  });
});

describe('the limit of event types', () => {
  it('counts defined ones, also when requests race', async () => {
    const project = await makeTestProject();
    const path = `/api/v1/projects/${project.id}/event-types`;
    await send('sent.only', project);
    setLimit('PROJECT_MAX_EVENT_TYPES', 1);
    const request = (n: number) => () => call('POST', path, { ...asKey(project), body: { name: `raced.${n}` } });
    const made = await raceAtRow('projects', project.id, [1, 2, 3].map(request));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expectLimitReached(
      await call('POST', path, { ...asKey(project), body: { name: 'more' } }),
      'PROJECT_MAX_EVENT_TYPES',
    );
    const { json } = await call<ProjectLimits>('GET', `/api/v1/projects/${project.id}/limits`, asKey(project));
    expect(json.limits).toContainEqual({ name: 'eventTypes', used: 1, max: 1 });
  });
});
