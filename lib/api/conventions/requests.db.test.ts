import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeKey } from '@/lib/keys/key-format';
import { config } from '@/lib/platform/config/config';
import { closeDatabase, database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import type { Listing } from '@/lib/platform/pagination';
import { closePrisma } from '@/lib/platform/prisma/client';
import type { Tunnel } from '@/lib/tunnel/schema';
import { untilLockWait } from '@/tests/database/lock-waits';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { raceAtRow } from '@/tests/fixtures/limits';
import { asPerson, makeProject, registerPerson } from '@/tests/fixtures/people';
import { useProjects } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { call, expectProblem, type Problem } from '@/tests/http/api-request';
import { setTestConfig } from '@/tests/setup/variables';

const testDatabase = useDatabase();
const projects = useProjects();

const asOwner = () => asPerson(projects.mine.owner);

const pathOf = (rest: string, projectId = projects.mine.id) => `/api/v1/projects/${projectId}${rest}`;

let tunnelId: string;

beforeAll(async () => {
  const made = await call<Tunnel>('POST', pathOf('/tunnels'), { ...asOwner(), body: {} });
  expect(made.status, made.text).toBe(201);
  tunnelId = made.json.id;
  for (let index = 0; index < 3; index += 1) {
    const event = { type: 'order.paid', data: { index } };
    expect((await call('POST', '/api/v1/events', { apiKey: projects.mine.key, body: event })).status).toBe(202);
  }
});

describe.each(useAdapters())('a request %s', (_name, call) => {
  const rotate = (body: string | undefined, contentType = 'application/json') =>
    call('POST', pathOf(`/tunnels/${tunnelId}/rotate-url`), {
      ...asOwner(),
      headers: { 'content-type': contentType },
      ...(body === undefined ? {} : { body }),
    });

  it('with an unexpected body is refused with the error that fits the body', async () => {
    expect((await rotate('{"nonsense":1}')).json).toMatchObject({
      status: 400,
      code: 'validation_failed',
      errors: [{ path: 'nonsense', message: 'is not a known field' }],
    });
    expectProblem(await rotate('[1]'), 400, 'validation_failed');
    expectProblem(await rotate('{'), 400, 'invalid_json');
    expect((await rotate('<a/>', 'application/xml')).json).toMatchObject({ status: 415 });
    expect((await rotate(JSON.stringify({ x: 'x'.repeat(70_000) }))).status).toBe(413);
  });

  it('is served without a body, or with an empty object, when no body is expected', async () => {
    expect((await rotate(undefined)).status).toBe(200);
    expect((await rotate('{}')).status).toBe(200);
    expect((await rotate('', 'text/plain')).status).toBe(200);
  });

  it('whose body is optional is served with an empty body of any type', async () => {
    const body = { url: 'https://receiver.example/' };
    const { json } = await call<{ id: string }>('POST', pathOf('/endpoints'), { ...asOwner(), body });
    const path = pathOf(`/endpoints/${json.id}/rotate-secret`);
    for (const contentType of ['text/plain', 'application/json']) {
      const headers = { 'content-type': contentType };
      expect((await call('POST', path, { ...asOwner(), headers, body: '' })).status).toBe(200);
    }
    const headers = { 'content-type': 'text/plain' };
    expect((await call('POST', path, { ...asOwner(), headers, body: '{}' })).status).toBe(415);
  });

  it('that repeats a parameter is refused, and the parameter is named', async () => {
    const response = await call('GET', pathOf('/events?limit=1&limit=2'), asOwner());
    expect(response.json).toMatchObject({
      status: 400,
      errors: [{ path: 'limit', message: 'appears more than once' }],
    });
    expect((await call('GET', pathOf('/events?limit=1'), asOwner())).status).toBe(200);
  });

  it('with a cursor of another list is refused, and with one of its own list is served', async () => {
    const first = (await call<Listing<unknown>>('GET', pathOf('/events?limit=1'), asOwner())).json;
    const cursor = `cursor=${first.nextCursor}`;
    expect((await call('GET', pathOf(`/events?${cursor}`), asOwner())).status).toBe(200);
    for (const path of [pathOf(`/api-keys?${cursor}`), pathOf(`/endpoints?${cursor}`)]) {
      expect((await call('GET', path, asOwner())).json, path).toMatchObject({
        status: 400,
        errors: [{ path: 'cursor', message: 'is not a cursor of this list' }],
      });
    }
    const { foreign } = projects;
    expect((await call('GET', pathOf(`/events?${cursor}`, foreign.id), asPerson(foreign.owner))).status).toBe(400);
  });

  it.each(['utf-8', 'UTF-8', 'utf8', '"utf-8"'])('may have charset=%s', async (charset) => {
    const headers = { 'content-type': `application/json; charset=${charset}` };
    const body = '{"type":"order.paid","data":{}}';
    expect((await call('POST', '/api/v1/events', { apiKey: projects.mine.key, headers, body })).status).toBe(202);
  });

  it('may not have another charset', async () => {
    const headers = { 'content-type': 'application/json; charset=latin1' };
    const body = '{"type":"order.paid","data":{}}';
    expect((await call('POST', '/api/v1/events', { apiKey: projects.mine.key, headers, body })).status).toBe(415);
  });
});

describe.each(useAdapters())('a resource %s', (_name, call) => {
  const path = () => `/api/v1/projects/${projects.mine.id}`;
  const read = (headers: Record<string, string> = {}, method = 'GET') =>
    call<{ name: string }>(method, path(), { bearer: projects.mine.owner.accessToken, headers });

  it('is not sent again to a client that has it, until it changes', async () => {
    const first = await read();
    const tag = first.headers.etag ?? '';
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    for (const given of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await read({ 'if-none-match': given });
      expect([again.status, again.text, again.headers.etag], given).toEqual([304, '', tag]);
    }
    const head = await read({}, 'HEAD');
    expect([head.status, head.headers.etag]).toEqual([200, tag]);
    const body = { name: `${first.json.name} renamed` };
    const renamed = await call('PATCH', path(), asPerson(projects.mine.owner, body));
    expect([renamed.status, renamed.headers.etag]).toEqual([200, undefined]);
    const changed = await read({ 'if-none-match': tag });
    expect([changed.status, changed.json.name]).toEqual([200, body.name]);
    expect(changed.headers.etag).not.toBe(tag);
  });

  it('is hidden from a caller without access, whatever tag they send', async () => {
    const stranger = { bearer: projects.foreign.owner.accessToken, headers: { 'if-none-match': '*' } };
    expect((await call('GET', path(), stranger)).status).toBe(404);
    expect((await call('GET', path(), { headers: { 'if-none-match': '*' } })).status).toBe(401);
  });

  it('has an ETag; a list has none', async () => {
    const list = await call('GET', `${path()}/api-keys`, asPerson(projects.mine.owner));
    expect([list.status, list.headers.etag]).toEqual([200, undefined]);
  });
});

it('a change gets 404 when its resource is deleted meanwhile', async () => {
  const person = await registerPerson();
  const { id: projectId } = await makeProject(person);
  const create = <T>(what: string, body: object) =>
    call<T>('POST', `/api/v1/projects/${projectId}/${what}`, asPerson(person, body));
  const endpoint = await create<{ id: string }>('endpoints', { url: 'https://shop.example/hook' });
  const client = await database().connect();
  await client.query('BEGIN');
  await client.query('DELETE FROM endpoints WHERE id = $1', [endpoint.json.id]);
  const underWay = create<Problem>('subscriptions', { endpointId: endpoint.json.id, eventType: '*' });
  await untilLockWait(underWay);
  await client.query('COMMIT');
  client.release();
  expectProblem(await underWay, 404, 'not_found');
});

it.each(['PATCH', 'DELETE'])('%s of an endpoint gets 404 when another request deletes it meanwhile', async (verb) => {
  const person = await registerPerson();
  const { id: projectId } = await makeProject(person);
  const path = `/api/v1/projects/${projectId}/endpoints`;
  const body = { url: 'https://shop.example/hook' };
  const endpoint = await call<{ id: string }>('POST', path, asPerson(person, body));
  const client = await database().connect();
  await client.query('BEGIN');
  await client.query('UPDATE endpoints SET deleted_at = now() WHERE id = $1', [endpoint.json.id]);
  const changed = verb === 'PATCH' ? { body: { description: 'Mine' } } : {};
  const underWay = call(verb, `${path}/${endpoint.json.id}`, { bearer: person.accessToken, ...changed });
  await untilLockWait(underWay);
  await client.query('COMMIT');
  client.release();
  expectProblem(await underWay, 404, 'not_found');
  const actions = (await auditOf(person.organizationId)).map(({ action }) => action);
  expect(actions.filter((action) => /^endpoint\.(updated|deleted)$/.test(action))).toEqual([]);
});

describe('of two changes of a resource at once, the audit log tells each with the value that it replaced:', () => {
  const create = async (path: string, body: object) => {
    const made = await call<{ id: string }>('POST', pathOf(path), { ...asOwner(), body });
    expect(made.status, made.text).toBe(201);
    return made.json.id;
  };
  const url = 'https://shop.example/hook';

  it.each([
    ['customers', 'name', async () => ['/customers', await create('/customers', { uid: 'acme' })]],
    ['endpoints', 'description', async () => ['/endpoints', await create('/endpoints', { url })]],
    [
      'subscriptions',
      'eventType',
      async () => {
        const endpointId = await create('/endpoints', { url });
        return ['/subscriptions', await create('/subscriptions', { endpointId, eventType: '*' })];
      },
    ],
    ['sources', 'name', async () => ['/sources', await create('/sources', { name: 'first' })]],
    [
      'destinations',
      'description',
      async () => {
        const path = `/sources/${await create('/sources', { name: 'of it' })}/destinations`;
        return [path, await create(path, { url })];
      },
    ],
    ['tunnels', 'name', async () => ['/tunnels', await create('/tunnels', {})]],
  ] as const)('%s', async (table, field, make) => {
    const [path = '', id = ''] = await make();
    const change = (value: string) => () =>
      call('PATCH', pathOf(`${path}/${id}`), { ...asOwner(), body: { [field]: value } });
    const raced = await raceAtRow(table, id, [change('one'), change('two')]);
    expect(raced.map(({ status }) => status)).toEqual([200, 200]);
    const changes = (await auditOf(id)).flatMap(({ action, details }) =>
      action.endsWith('.updated') ? [(details.changes as Record<string, { from: unknown; to: unknown }>)[field]] : [],
    );
    expect(changes).toHaveLength(2);
    expect(changes[1]?.from).toBe(changes[0]?.to);
  });
});

describe('while the database is unreachable', () => {
  const projects = useProjects();
  it('every kind of request gets 503 with Retry-After, without details of the database', async () => {
    const bearer = projects.mine.owner.accessToken;
    const working = config();
    await closePrisma();
    await closeDatabase();
    setOnce('config', { ...working, DATABASE_URL: 'postgresql://nobody:secret@127.0.0.1:1/none' });
    const requests = [
      call('POST', '/api/v1/events', { apiKey: makeKey(), body: { type: 'a', data: {} } }),
      call('GET', `/api/v1/projects/${projects.mine.id}/endpoints`, { bearer }),
      call('GET', `/api/v1/projects/${projects.mine.id}/endpoints`, { apiKey: makeKey() }),
      call('POST', '/api/v1/auth/login', { body: { email: 'a@b.example', password: 'some-password' } }),
      call('GET', '/api/health/ready'),
    ];
    for (const { status, json, headers, text } of await Promise.all(requests)) {
      expect([status, json.code]).toEqual([503, 'unavailable']);
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(text).not.toMatch(/secret|127\.0\.0\.1|ECONNREFUSED/);
    }
    expect((await call('GET', '/api/health/live')).status).toBe(200);
    await closeDatabase();
    setOnce('config', working);
    expect((await call('GET', '/api/health/ready')).status).toBe(200);
  });
});

const APP = 'https://app.example.com';

const allow = (origins: string) => setTestConfig({ DATABASE_URL: testDatabase.url, API_ALLOWED_ORIGINS: origins });

const corsOf = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control')));

describe.each(useAdapters())('a page of another origin, %s', (_name, call) => {
  beforeEach(() => allow(''));
  const ask = (origin: string) => call('GET', '/api/v1/key', { apiKey: projects.mine.key, headers: { origin } });
  const preflight = (origin: string, path = '/api/v1/events') =>
    call('OPTIONS', path, { headers: { origin, 'access-control-request-method': 'POST' } });

  it('may read nothing by default', async () => {
    expect(corsOf((await ask(APP)).headers)).toEqual({});
    expect(corsOf((await preflight(APP)).headers)).toEqual({});
  });

  it('may call the API when it is listed, without cookies', async () => {
    allow(`https://other.example.com, ${APP}`);
    const { headers } = await ask(APP);
    expect(corsOf(headers)).toEqual({
      'access-control-allow-origin': APP,
      'access-control-expose-headers': expect.stringMatching(/X-Request-Id.*RateLimit|RateLimit.*X-Request-Id/),
    });
    expect(headers.vary).toBe('Origin');
    const asked = await preflight(APP);
    expect(asked.status).toBe(204);
    expect(corsOf(asked.headers)).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': expect.stringContaining('X-API-Key'),
      'access-control-max-age': '600',
    });
    expect(corsOf(asked.headers)).not.toHaveProperty('access-control-allow-credentials');
  });

  it('may read errors too, so that it can show what is wrong', async () => {
    allow(APP);
    const refused = await call('GET', '/api/v1/key', { headers: { origin: APP } });
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, APP]);
  });

  it.each(['https://app.example.com.evil.example', 'http://app.example.com', 'https://app.example.com:444', 'null'])(
    'may read nothing when its origin only resembles a listed one: %s',
    async (origin) => {
      allow(APP);
      for (const { headers } of [await ask(origin), await preflight(origin)]) {
        expect(corsOf(headers)).toEqual({});
        expect(headers.vary).toBe('Origin');
      }
    },
  );

  it('may call the API when every origin is allowed', async () => {
    allow('*');
    expect((await ask('https://anything.example')).headers['access-control-allow-origin']).toBe('*');
  });
});
