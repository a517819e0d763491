import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { readVia, viaHeader } from '@/lib/platform/net/via';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { sendThroughNext, sendThroughNode, useWebServer } from '@/tests/http/adapters';
import { callOver, type WireRequest } from '@/tests/http/api-request';
import { sendRaw } from '@/tests/http/send-raw';

useDatabase();
const projects = useProjects();
const server = useWebServer();
const sendNode = sendThroughNode(server.port);
const call = callOver(sendNode);

/** The parts that must be equal: all except framing, the date, and values that differ in each response. */
async function essence(send: typeof sendNode, wire: WireRequest) {
  const { status, headers, text } = await send({ ...wire, headers: { ...wire.headers, 'x-request-id': 'same' } });
  const framing = ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding', 'vary', 'ratelimit'];
  const kept = Object.entries(headers).filter(([name]) => !framing.includes(name));
  const body = text.replaceAll(/[0-9a-f-]{36}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…');
  return { status, headers: Object.fromEntries(kept.sort()), body };
}

describe('the two adapters', () => {
  const EVENTS = '/api/v1/events';
  const json = { 'content-type': 'application/json' };
  /** `PROJECT` in a path is the id of the project. A body is JSON unless `headers` say otherwise. */
  type Case = { method?: string; path: string; isAnonymous?: true; body?: string; headers?: Record<string, string> };
  const requests: Record<string, Case> = {
    'an event': { method: 'POST', path: EVENTS, body: '{"type":"a","data":{}}' },
    'a faulty event': { method: 'POST', path: EVENTS, body: '{"type":1,"x":2}' },
    'broken JSON': { method: 'POST', path: EVENTS, body: '{' },
    'no media type': { method: 'POST', path: EVENTS, body: 'x', headers: { 'content-type': 'text/plain' } },
    '2 MB': { method: 'POST', path: EVENTS, body: `{"type":"a","data":{"x":"${'y'.repeat(2e6)}"}}` },
    'no credential': { path: '/api/v1/projects/PROJECT/events', isAnonymous: true },
    'a list': { path: '/api/v1/projects/PROJECT/endpoints?limit=2' },
    'a bad query': { path: '/api/v1/projects/PROJECT/endpoints?limit=x' },
    HEAD: { method: 'HEAD', path: '/api/v1/projects/PROJECT/endpoints' },
    OPTIONS: { method: 'OPTIONS', path: '/api/v1/projects/PROJECT/endpoints', isAnonymous: true },
    'a wrong verb': { method: 'PUT', path: EVENTS, isAnonymous: true },
    'an unknown path': { path: '/api/v1/nothing', isAnonymous: true },
    'a wrong password': {
      method: 'POST',
      path: '/api/v1/auth/login',
      isAnonymous: true,
      body: '{"email":"a@b.example","password":"wrong-password"}',
    },
  };

  it.each(Object.entries(requests))('answer alike: %s', async (_name, one) => {
    const { method = 'GET', path, isAnonymous, body = null, headers = body === null ? {} : json } = one;
    const credential: Record<string, string> = isAnonymous ? {} : { 'x-api-key': projects.mine.key };
    const wire = {
      method,
      path: path.replace('PROJECT', projects.mine.id),
      headers: { ...headers, ...credential },
      body,
    };
    expect(await essence(sendThroughNext, wire)).toEqual(await essence(sendNode, wire));
  });
});

describe('a request without a route', () => {
  it('gets a 404 problem under /api, also with a trailing slash, an invalid encoding or a dot segment', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/v1',
      '/api/v1/events/',
      '/api/v1/%zz',
      '/api/v1/../v1/nothing',
      '/%zz',
    ]) {
      const response = await call('GET', path);
      expect([response.status, response.json?.code], path).toEqual([404, 'not_found']);
      expect(response.headers['content-type']).toBe('application/problem+json');
    }
  });

  it('gets a 405 problem with the verbs of the path', async () => {
    for (const method of ['DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'GET']) {
      const { status, json, headers } = await call(method, '/api/v1/events');
      expect([status, json.code, headers.allow], method).toEqual([405, 'method_not_allowed', 'POST, OPTIONS']);
    }
  });

  it('gets 405 for verbs that do not read a page, and 404 for an invalid path', async () => {
    for (const method of ['POST', 'PUT', 'PROPFIND', 'TRACE', 'OPTIONS']) {
      const { status, headers } = await call(method, '/login');
      expect([status, headers.allow], method).toEqual([405, 'GET, HEAD']);
    }
    expect(await sendRaw(server.port(), 'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toContain(
      '404 Not Found',
    );
  });

  it('gets the same response when its target is in absolute form', async () => {
    const absolute = (path: string) =>
      sendRaw(server.port(), `GET http://host${path} HTTP/1.1\r\nHost: host\r\nConnection: close\r\n\r\n`);
    expect(await absolute('/api/health/live')).toContain('{"status":"ok"}');
    expect(await absolute('/api/v1/nothing')).toContain('404');
    expect(await absolute('/login')).toContain('a page');
    // To convert a host that is longer than any takes long.
    const long = `GET http://${'a.'.repeat(127)}/login HTTP/1.1\r\nHost: host\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(server.port(), long)).toContain('400 Bad Request');
  });

  it('reaches the pages everywhere else', async () => {
    expect((await call('GET', '/login')).text).toBe('a page');
  });
});

describe('every response', () => {
  it('has a request id: the client’s own if it is well formed', async () => {
    const idOf = async (given?: string) => {
      const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given };
      return (await call('GET', '/api/health/live', { headers })).headers['x-request-id'];
    };
    expect(await idOf('my-id_1.2')).toBe('my-id_1.2');
    expect(await idOf()).toMatch(/^[0-9a-f-]{36}$/);
    for (const bad of ['x'.repeat(129), 'a b', 'a/b', '<x>']) expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/);
    expect((await call('GET', '/login', { headers: { 'x-request-id': 'page-1' } })).headers['x-request-id']).toBe(
      'page-1',
    );
  });

  it('finds no header of a name that every object has, as a tenant may choose it', async () => {
    const project = projects.mine;
    const chosen = { name: 'a', provider: 'GENERIC_HMAC', secret: 'a long secret', signatureHeader: 'constructor' };
    const path = `/api/v1/projects/${project.id}/sources`;
    const { json } = await call<{ url: string }>('POST', path, { apiKey: project.key, body: chosen });
    const { status, json: refusal } = await call('POST', new URL(json.url).pathname, { body: 'x' });
    expect([status, refusal.code]).toEqual([401, 'invalid_signature']);
  });

  it('lists the errors of every 400', async () => {
    const responses = [
      await call('POST', '/api/v1/auth/login', { body: '{' }),
      await call('GET', '/api/v1/orgs', { bearer: 'x', apiKey: 'y' }),
      await call('GET', '/api/v1/orgs?x=1', { bearer: projects.mine.owner.accessToken }),
    ];
    for (const { status, json } of responses) {
      expect(status).toBe(400);
      expect(json.errors?.length).toBeGreaterThan(0);
    }
  });

  it('has the version of the service, whatever it answers', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const responses = [
      await call('GET', '/api/health/live'),
      await call('GET', '/api/v1/key'),
      await call('DELETE', '/api/v1/events'),
      await call('OPTIONS', '/api/v1/events'),
      await call('GET', '/api/v1/nothing'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 401, 405, 204, 404]);
    expect(responses.map(({ headers }) => headers['x-eds-version'])).toEqual(responses.map(() => version));
  });

  it('forbids caching, sniffing and framing', async () => {
    const { headers } = await call('GET', '/api/health/live');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });
});

const via = () => viaHeader(newId(), newId(), readVia(null));
const forged = () => via().replace(/..$/, (end) => (end === 'AA' ? 'BB' : 'AA'));

describe('a request that a delivery of this service led to', () => {
  const event = { type: 'a', data: {} };

  it.each([
    ['an event', 'POST', '/api/v1/events', event],
    ['a replay', 'POST', `/api/v1/projects/P/incoming-events/${newId()}/replay`, {}],
    ['a bulk retry', 'POST', '/api/v1/projects/P/bulk-retries', {}],
    ['an unknown path', 'POST', '/api/v1/nothing', {}],
    ['a page', 'GET', '/login', undefined],
  ])('is refused before any work: %s', async (_, verb, path, body) => {
    const { id, key } = projects.mine;
    const answer = await call(verb, path.replace('/P/', `/${id}/`), {
      apiKey: key,
      headers: { 'x-eds-via': `${newId()}, ${via()}` },
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.json).toMatchObject({ status: 409, code: 'conflict', detail: expect.stringContaining('delivery') });
  });

  it('is none when another deployment has sent it, or somebody forged the mark', async () => {
    const { key } = projects.mine;
    for (const value of [forged(), newId(), 'x']) {
      const answer = await call('POST', '/api/v1/events', {
        body: event,
        apiKey: key,
        headers: { 'x-eds-via': value },
      });
      expect(answer.status).toBe(202);
    }
  });
});
