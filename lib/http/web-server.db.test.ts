import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { sendThroughNext, sendThroughNode, startWebServer, useWebServer } from '@/tests/http/adapters';
import { callOver, type WireRequest } from '@/tests/http/api-request';

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
  const json = { 'content-type': 'application/json' };
  const requests: [string, (key: string, projectId: string) => WireRequest][] = [
    [
      'an event',
      (key) => ({
        method: 'POST',
        path: '/api/v1/events',
        headers: { ...json, 'x-api-key': key },
        body: '{"type":"a","data":{}}',
      }),
    ],
    [
      'a faulty event',
      (key) => ({
        method: 'POST',
        path: '/api/v1/events',
        headers: { ...json, 'x-api-key': key },
        body: '{"type":1,"x":2}',
      }),
    ],
    [
      'broken JSON',
      (key) => ({ method: 'POST', path: '/api/v1/events', headers: { ...json, 'x-api-key': key }, body: '{' }),
    ],
    [
      'no media type',
      (key) => ({
        method: 'POST',
        path: '/api/v1/events',
        headers: { 'content-type': 'text/plain', 'x-api-key': key },
        body: 'x',
      }),
    ],
    [
      '2 MB',
      (key) => ({
        method: 'POST',
        path: '/api/v1/events',
        headers: { ...json, 'x-api-key': key },
        body: `{"type":"a","data":{"x":"${'y'.repeat(2e6)}"}}`,
      }),
    ],
    [
      'no credential',
      (_key, id) => ({ method: 'GET', path: `/api/v1/projects/${id}/events`, headers: {}, body: null }),
    ],
    [
      'a list',
      (key, id) => ({
        method: 'GET',
        path: `/api/v1/projects/${id}/endpoints?limit=2`,
        headers: { 'x-api-key': key },
        body: null,
      }),
    ],
    [
      'a bad query',
      (key, id) => ({
        method: 'GET',
        path: `/api/v1/projects/${id}/endpoints?limit=x`,
        headers: { 'x-api-key': key },
        body: null,
      }),
    ],
    [
      'HEAD',
      (key, id) => ({
        method: 'HEAD',
        path: `/api/v1/projects/${id}/endpoints`,
        headers: { 'x-api-key': key },
        body: null,
      }),
    ],
    [
      'OPTIONS',
      (_key, id) => ({ method: 'OPTIONS', path: `/api/v1/projects/${id}/endpoints`, headers: {}, body: null }),
    ],
    ['a wrong verb', () => ({ method: 'PUT', path: '/api/v1/events', headers: {}, body: null })],
    ['an unknown path', () => ({ method: 'GET', path: '/api/v1/nothing', headers: {}, body: null })],
    [
      'a wrong password',
      () => ({
        method: 'POST',
        path: '/api/v1/auth/login',
        headers: json,
        body: '{"email":"a@b.example","password":"wrong-password"}',
      }),
    ],
  ];

  it.each(requests)('answer alike: %s', async (_name, make) => {
    const wire = make(projects.mine.key, projects.mine.id);
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
      '/API/v1/events',
      '/%zz',
    ]) {
      const response = await call('GET', path);
      if (path === '/API/v1/events') continue;
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
    expect(await sendRaw('GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toContain('404 Not Found');
  });

  it('gets the same response when its target is in absolute form', async () => {
    const absolute = (path: string) =>
      sendRaw(`GET http://host${path} HTTP/1.1\r\nHost: host\r\nConnection: close\r\n\r\n`);
    expect(await absolute('/api/health/live')).toContain('{"status":"ok"}');
    expect(await absolute('/api/v1/nothing')).toContain('404');
    expect(await absolute('/login')).toContain('a page');
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

  it('forbids caching, sniffing and framing', async () => {
    const { headers } = await call('GET', '/api/health/live');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });
});

/** Sends raw bytes. Returns what was received until the server closed, the text contains `until`, or `ms` passed. */
function sendRaw(bytes: string, { until, ms = 10_000 }: { until?: string; ms?: number } = {}): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(server.port(), '127.0.0.1', () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), ms);
    socket.on('data', (chunk) => {
      text += chunk;
      if (until !== undefined && text.includes(until)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}

describe('a hostile client', () => {
  it('gets 413 while its body is still being sent, however long it claims or streams', async () => {
    const head = `POST /api/v1/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${projects.mine.key}\r\nContent-Type: application/json\r\n`;
    const claimed = await sendRaw(`${head}Content-Length: 999999999\r\n\r\n{`);
    expect(claimed).toContain('413 Payload Too Large');
    const chunk = `${(65536).toString(16)}\r\n${'x'.repeat(65536)}\r\n`;
    const streamed = await sendRaw(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}`);
    expect(streamed).toContain('413 Payload Too Large');
    expect(streamed.toLowerCase()).toContain('connection: close');
  });

  it('gets 400 for invalid HTTP and 431 for endless headers, and the next client is served', async () => {
    const refused = await sendRaw('NONSENSE\r\n\r\n');
    expect(refused).toContain('400 Bad Request');
    expect(refused).toContain('application/problem+json');
    expect(await sendRaw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`)).toContain('431');
    expect((await call('GET', '/api/health/live')).status).toBe(200);
  });

  it('is answered over HTTP/1.1 when it offers an upgrade', async () => {
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n';
    const asked = `GET /api/health/live HTTP/1.1\r\nHost: x\r\n${offer}\r\n`;
    expect(await sendRaw(asked, { until: '200 OK' })).toContain('200 OK');
  });

  it('is answered normally when it sends an unknown expectation', async () => {
    const { status, json, headers } = await call('GET', '/api/v1/auth/me', { headers: { expect: 'a miracle' } });
    expect([status, json.code]).toEqual([401, 'unauthenticated']);
    expect(headers['x-request-id']).toBe(json.requestId);
  });

  it.each([
    ['sends CONNECT', 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n'],
    ['sends invalid HTTP', 'NONSENSE\r\n\r\n'],
  ])('that %s gets 400, and is disconnected even if it keeps its own end open', async (_, bytes) => {
    const refusing = await startWebServer();
    const { port } = refusing.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let refused = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      refused += chunk;
    });
    socket.write(bytes);
    await once(socket, 'end');
    expect(refused).toContain('400 Bad Request');
    expect(refused).toContain('X-Request-Id: ');
    expect(refused).toContain('application/problem+json');
    const isClosed = new Promise((resolve) => refusing.close(() => resolve('closed')));
    expect(await Promise.race([isClosed, sleep(10_000, 'held open')])).toBe('closed');
    socket.destroy();
  });

  it('does not crash the server with a CONNECT and a reset', async () => {
    const faults: unknown[] = [];
    const note = (fault: unknown) => faults.push(fault);
    process.on('uncaughtException', note);
    for (let tries = 0; tries < 20; tries += 1) {
      const socket = connect({ port: server.port(), host: '127.0.0.1' });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write('CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n');
      await sleep(tries % 3);
      socket.resetAndDestroy();
    }
    await sleep(100);
    process.off('uncaughtException', note);
    expect(faults).toEqual([]);
  });

  it('gets no response larger than its request', async () => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, 1])));
    const { status, text, json } = await call('POST', '/api/v1/auth/login', { body });
    expect(status).toBe(400);
    expect(json.errors?.length).toBeLessThanOrEqual(50);
    expect(text.length).toBeLessThan(10_000);
  });

  it('may send 1 MiB only with a valid key or session', async () => {
    const body = JSON.stringify({ email: 'a@b.example', password: 'p'.repeat(70_000) });
    expect((await call('POST', '/api/v1/auth/login', { body })).json.code).toBe('payload_too_large');
    const event = { type: 'a', data: { text: 'x'.repeat(70_000) } };
    expect((await call('POST', '/api/v1/events', { body: event, apiKey: projects.mine.key })).status).toBe(202);
  });

  it.each(['/_next/../api/v1/auth/providers', '/x/%2e%2e/metrics', '/./api/health/live', '/x/%2E./api/health/live'])(
    'gets 404 for %s, which a proxy in front may have resolved differently',
    async (path) => {
      const response = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(response).toContain('404 Not Found');
      expect(response).toContain('not_found');
    },
  );

  it('gets 415 for a compressed body or another charset', async () => {
    const body = { email: 'a@b.example', password: 'some-password' };
    const odd: Record<string, string>[] = [
      { 'content-encoding': 'gzip' },
      { 'content-type': 'application/json; charset=utf-16' },
    ];
    for (const headers of odd) {
      const response = await call('POST', '/api/v1/auth/login', { body, headers });
      expect(response.status).toBe(415);
    }
    const plain = { 'content-encoding': 'identity', 'content-type': 'application/json; charset=utf-8' };
    expect((await call('POST', '/api/v1/auth/login', { body, headers: plain })).status).toBe(401);
  });

  it('stores nothing and breaks nothing when it disconnects in the middle of its body', async () => {
    const head = `POST /api/v1/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${projects.mine.key}\r\nContent-Type: application/json\r\n`;
    await sendRaw(`${head}Content-Length: 100\r\n\r\n{"type":"cut"`, { ms: 50 });
    const listed = await call<{ data: unknown[] }>('GET', `/api/v1/projects/${projects.mine.id}/events?type=cut`, {
      apiKey: projects.mine.key,
    });
    expect(listed.json.data).toEqual([]);
  });
});

describe('a server that closes', () => {
  it('finishes open requests and ends at once, even if its clients keep sending', async () => {
    const closing = await startWebServer();
    const { port } = closing.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const ask = () =>
      new Promise<string>((resolve) => {
        const request = httpRequest({ port, host: '127.0.0.1', path: '/slow', agent }, (response) => {
          response.resume().on('end', () => resolve('answered'));
        });
        request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed')).end();
      });
    let isOver = false;
    const all = Array.from({ length: 4 }, () => new Set<string>());
    const askOnAndOn = async (outcomes: Set<string>) => {
      while (!isOver) outcomes.add(await ask());
    };
    const clients = Promise.all(all.map(askOnAndOn));
    await vi.waitFor(() => expect(all.every((outcomes) => outcomes.has('answered'))).toBe(true), { timeout: 30_000 });
    const began = performance.now();
    await new Promise((resolve) => closing.close(resolve));
    expect(performance.now() - began).toBeLessThan(1_000);
    isOver = true;
    await clients;
    agent.destroy();
  });
});
