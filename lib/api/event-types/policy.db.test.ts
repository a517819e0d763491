import type { LRUCache } from 'lru-cache';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { CatalogueType, EventSummary } from '@/lib/events/schema';
import { checkEvent } from '@/lib/events/types/event-rules';
import { findRule } from '@/lib/events/types/event-types-sql';
import type { Project } from '@/lib/orgs/schema';
import { database } from '@/lib/platform/db';
import { once, setOnce } from '@/lib/platform/globals';
import { useDatabase } from '@/tests/database/use-database';
import { asPerson } from '@/tests/fixtures/people';
import { makeKey, makeTestProject, type TestProject, useProjects } from '@/tests/fixtures/projects';
import { type CallOptions, call, type Problem } from '@/tests/http/api-request';

useDatabase();
const projects = useProjects();
let project: TestProject;

const define = async (body: object) => {
  const path = `/api/v1/projects/${project.id}/event-types`;
  const made = await call('POST', path, { apiKey: project.key, body });
  expect(made.status, made.text).toBe(201);
};
const setPolicy = async (eventTypePolicy: string) => {
  const { json } = await call<Project>(
    'PATCH',
    `/api/v1/projects/${project.id}`,
    asPerson(project.owner, { eventTypePolicy }),
  );
  expect(json.eventTypePolicy).toBe(eventTypePolicy);
};
const send = (body: unknown, options: CallOptions = {}) =>
  call<EventSummary & Problem>('POST', '/api/v1/events', { apiKey: project.key, body, ...options });
const countEvents = async () => {
  const { rows } = await database().query('SELECT count(*)::int AS n FROM events WHERE project_id = $1', [project.id]);
  return rows[0].n as number;
};
/** As in a process that has just started. */
const forgetRules = () => {
  for (const name of ['event-rules', 'checking-projects', 'ingest-batchers', 'key-projects']) setOnce(name, undefined);
};

const SCHEMA = {
  type: 'object',
  properties: {
    amount: { type: 'integer', maximum: 9007199254740992 },
    items: { type: 'array', items: { type: 'object', required: ['sku'] } },
  },
  required: ['amount'],
};
const BAD = { type: 'order.paid', data: { items: [{ sku: 1 }, {}] } };

beforeAll(async () => {
  project = await makeTestProject();
  await define({ name: 'order.paid', schema: SCHEMA });
  await define({ name: 'order.any', status: 'DEPRECATED' });
});

describe('the policy OPEN', () => {
  it('stores whatever is sent, without reading the catalogue', async () => {
    expect((await send(BAD)).status).toBe(202);
    expect((await send({ type: 'not.defined', data: {} })).status).toBe(202);
  });
});

describe('the policy STRICT', () => {
  beforeAll(() => setPolicy('STRICT'));

  it.each([
    ['in a process that has just started', true],
    ['in one that knows it', false],
  ])('stores nothing that differs, and names each difference, %s', async (_when, isFresh) => {
    if (isFresh) forgetRules();
    const before = await countEvents();
    const refused = await send(BAD);
    expect(refused.json).toMatchObject({
      status: 400,
      code: 'schema_mismatch',
      errors: [
        { path: 'data.amount', message: 'is required' },
        { path: 'data.items[1].sku', message: 'is required' },
      ],
    });
    if (isFresh) forgetRules();
    expect((await send({ type: 'order.pad', data: {} })).json).toMatchObject({
      status: 400,
      code: 'unknown_event_type',
      errors: [{ path: 'type' }],
    });
    // The same below the project.
    const sendAs = (body: object) =>
      call<Problem>('POST', `/api/v1/projects/${project.id}/events`, { apiKey: project.key, body });
    expect((await sendAs(BAD)).json.code).toBe('schema_mismatch');
    expect((await sendAs({ type: 'order.pad', data: {} })).json.code).toBe('unknown_event_type');
    expect(await countEvents()).toBe(before);
  });

  it('stores what satisfies its schema, what has none, and what is deprecated', async () => {
    forgetRules();
    for (const body of [
      { type: 'order.paid', data: { amount: 1 } },
      { type: 'order.paid', data: { amount: 2 } },
      { type: 'order.any', data: { whatever: 1 } },
    ]) {
      expect((await send(body)).status).toBe(202);
    }
  });

  it('is exact about numbers', async () => {
    const amount = (text: string) => send(`{"type":"order.paid","data":{"amount":${text}}}`);
    expect((await amount('9007199254740992')).status).toBe(202);
    expect((await amount('9007199254740993')).json.code).toBe('schema_mismatch');
  });

  it('tells nothing to a key that may not send', async () => {
    const path = `/api/v1/projects/${projects.foreign.id}/events`;
    expect((await call<Problem>('POST', path, { apiKey: project.key, body: BAD })).json.code).toBe('not_found');
    expect((await send(BAD, { apiKey: project.readOnlyKey })).json.code).toBe('read_only_key');
    const revoked = await makeKey(project.id, project.owner, { name: 'soon gone' });
    expect((await send({ type: 'order.any', data: {} }, { apiKey: revoked.key })).status).toBe(202);
    await call('DELETE', `/api/v1/projects/${project.id}/api-keys/${revoked.id}`, asPerson(project.owner));
    expect((await send(BAD, { apiKey: revoked.key })).json.code).toBe('api_key_revoked');
  });

  it('does not concern other projects', async () => {
    expect((await send(BAD, { apiKey: projects.mine.key })).status).toBe(202);
  });

  it('still answers the repeat of an event that was stored before', async () => {
    await setPolicy('OPEN');
    forgetRules();
    const headers = { 'idempotency-key': 'before-strict' };
    const first = await send(BAD, { headers });
    expect(first.status).toBe(202);
    await setPolicy('STRICT');
    const again = await send(BAD, { headers });
    expect([again.status, again.json, again.headers['idempotent-replayed']]).toEqual([202, first.json, 'true']);
    expect((await send(BAD, { headers: { 'idempotency-key': 'another' } })).json.code).toBe('schema_mismatch');
  });

  it('refuses an unknown customer before it stores, too', async () => {
    const { json } = await send({ type: 'order.any', data: {}, customer: 'nobody' });
    expect(json).toMatchObject({ status: 400, code: 'validation_failed', errors: [{ path: 'customer' }] });
  });

  it('stores a large event that satisfies a large schema', async () => {
    const properties = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`m${n}`, { type: 'integer' }]));
    await define({ name: 'order.large', schema: { items: { properties } } });
    const rows = Array.from({ length: 40 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 400 }, (_x, n) => [`m${n}`, row])),
    );
    expect((await send({ type: 'order.large', data: { rows } })).status).toBe(202);
  });
});

describe('a schema that a process has read', () => {
  it('counts for the memory that it takes, also when its text is short', async () => {
    await define({ name: 'order.short', schema: { allOf: Array.from({ length: 499 }, () => ({})) } });
    const rules = once<LRUCache<string, object>>('event-rules', () => expect.fail('no rules'));
    const before = rules.calculatedSize;
    expect((await send({ type: 'order.short', data: {} })).status).toBe(202);
    expect(rules.calculatedSize - before).toBeGreaterThan(250_000);
  });
});

describe('the policy REPORT', () => {
  const mismatches = async () => {
    const path = `/api/v1/projects/${project.id}/event-types/order.paid`;
    return (await call<CatalogueType>('GET', path, { apiKey: project.key })).json.mismatches;
  };

  it('stores everything, and counts what differs with few writes', async () => {
    await setPolicy('REPORT');
    forgetRules();
    const { count } = await mismatches();
    for (let n = 0; n < 10; n += 1) expect((await send(BAD)).status).toBe(202);
    expect((await send({ type: 'not.defined', data: {} })).status).toBe(202);
    expect((await send({ type: 'order.paid', data: { amount: 1 } })).status).toBe(202);
    await expect.poll(mismatches, { timeout: 5_000 }).toEqual({ count: count + 10, lastAt: expect.any(String) });
  });

  it('counts anew when the schema changes', async () => {
    const path = `/api/v1/projects/${project.id}/event-types/order.paid`;
    await call('PATCH', path, { apiKey: project.key, body: { schema: { ...SCHEMA, title: 'Order' } } });
    expect(await mismatches()).toEqual({ count: 0, lastAt: null });
  });
});

describe('the schemas of an owner', () => {
  it('are read ten at a time, and no other owner waits for them', async () => {
    const other = await makeTestProject();
    const reading: (() => void)[] = [];
    const read = vi.spyOn(findRule, 'first').mockImplementation(async (_sql, { project: id }) => {
      if (id === project.id) await new Promise<void>((resolve) => reading.push(resolve));
      return { policy: 'STRICT', is_defined: true, schema: '{"type":"object"}' };
    });
    try {
      const check = (id: string, n: number) => checkEvent(id, { type: `many.t${n}`, payload: '{}' });
      const checks = Promise.all(Array.from({ length: 25 }, (_, n) => check(project.id, n)));
      await expect.poll(() => reading.length).toBe(10);
      expect(await check(other.id, 0)).toMatchObject({ isDefined: true, errors: [] });
      expect(reading).toHaveLength(10);
      const ended = expect.poll(() => {
        for (const end of reading.splice(0)) end();
        return read.mock.calls.length;
      });
      await ended.toBe(26);
      for (const end of reading.splice(0)) end();
      expect((await checks).map(({ errors }) => errors)).toEqual(Array(25).fill([]));
    } finally {
      read.mockRestore();
    }
  });
});

describe('a change of the policy', () => {
  it('takes effect within 10 seconds', { timeout: 15_000 }, async () => {
    await setPolicy('STRICT');
    await expect.poll(async () => (await send(BAD)).status, { timeout: 10_000 }).toBe(400);
    await setPolicy('OPEN');
    await expect.poll(async () => (await send(BAD)).status, { timeout: 10_000 }).toBe(202);
    expect(await checkEvent(project.id, { type: 'order.paid', payload: '{}' }, true)).toMatchObject({ policy: 'OPEN' });
  });
});
