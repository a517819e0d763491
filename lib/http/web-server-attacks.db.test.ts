import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { sendThroughNode, startWebServer, useWebServer } from '@/tests/http/adapters';
import { callOver } from '@/tests/http/api-request';
import { sendRaw } from '@/tests/http/send-raw';

useDatabase();
const projects = useProjects();
const server = useWebServer();
const sendNode = sendThroughNode(server.port);
const call = callOver(sendNode);

describe('a hostile client', () => {
  it('gets 413 while its body is still being sent, however long it claims or streams', async () => {
    const head = `POST /api/v1/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${projects.mine.key}\r\nContent-Type: application/json\r\n`;
    const claimed = await sendRaw(server.port(), `${head}Content-Length: 999999999\r\n\r\n{`);
    expect(claimed).toContain('413 Payload Too Large');
    const chunk = `${(65536).toString(16)}\r\n${'x'.repeat(65536)}\r\n`;
    const streamed = await sendRaw(server.port(), `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}`);
    expect(streamed).toContain('413 Payload Too Large');
    expect(streamed.toLowerCase()).toContain('connection: close');
  });

  it('gets 400 for invalid HTTP and 431 for endless headers, and the next client is served', async () => {
    const refused = await sendRaw(server.port(), 'NONSENSE\r\n\r\n');
    expect(refused).toContain('400 Bad Request');
    expect(refused).toContain('application/problem+json');
    expect(await sendRaw(server.port(), `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`)).toContain(
      '431',
    );
    expect((await call('GET', '/api/health/live')).status).toBe(200);
  });

  it('gets 400 with a problem document for HTTP/1.1 without a Host', async () => {
    const refused = await sendRaw(server.port(), 'GET /api/health/live HTTP/1.1\r\n\r\n');
    expect(refused).toMatch(/400 Bad Request.*problem\+json.*"code":"invalid_request"/s);
    expect(refused.toLowerCase()).toContain('connection: close');
    const old = await sendRaw(server.port(), 'GET /api/health/live HTTP/1.0\r\n\r\n');
    expect(old).toContain('200 OK');
  });

  it.each([
    ['Transfer-Encoding: gzip, chunked', 400],
    ['Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked', 400],
    ['Transfer-Encoding: Chunked', 202],
  ])('that sends an event with %j gets %i', async (coding, status) => {
    const fields = `Host: x\r\nConnection: close\r\nX-API-Key: ${projects.mine.key}\r\nContent-Type: application/json`;
    const body = '{"type":"a","data":{}}';
    const asked = `POST /api/v1/events HTTP/1.1\r\n${fields}\r\n${coding}\r\n\r\n16\r\n${body}\r\n0\r\n\r\n`;
    expect(await sendRaw(server.port(), asked)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('is answered over HTTP/1.1 when it offers an upgrade', async () => {
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n';
    const asked = `GET /api/health/live HTTP/1.1\r\nHost: x\r\n${offer}\r\n`;
    expect(await sendRaw(server.port(), asked, { until: '200 OK' })).toContain('200 OK');
  });

  it('gets 400 for a header of more than 1,024 characters that would be parsed', async () => {
    const ask = (path: string, value: string) =>
      sendRaw(
        server.port(),
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${value}\r\nConnection: close\r\n\r\n`,
      );
    for (const path of ['/api/health/live', '/nothing']) {
      expect(await ask(path, ','.repeat(1_025))).toMatch(/400 Bad Request.*problem\+json/s);
      expect(await ask(path, ','.repeat(1_024))).not.toContain('400 Bad Request');
    }
  });

  it('gets 400 for more than 200 cookies, and for an offer with a Connection of more than 1,024 characters', async () => {
    const ask = (headers: string) => sendRaw(server.port(), `GET /nothing HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
    expect(await ask(`Cookie: a${';'.repeat(200)}\r\nConnection: close`)).toMatch(/400 Bad Request.*200 cookies/s);
    expect(await ask(`Cookie: a${';'.repeat(199)}\r\nConnection: close`)).not.toContain('400 Bad Request');
    const offer = (commas: number) => ask(`Upgrade: h2c\r\nConnection: Upgrade, close${','.repeat(commas)}`);
    expect(await offer(1_024)).toContain('400 Bad Request');
    expect(await offer(1_000)).not.toContain('400 Bad Request');
  });

  it('gets 404 for a page with a path of more than 1,024 characters, which Next would work on', async () => {
    const ask = (path: string) =>
      sendRaw(server.port(), `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await ask(`/${'.segments/'.repeat(103)}`)).toMatch(/404 Not Found.*problem\+json/s);
    expect(await ask(`/${'.segments/'.repeat(100)}`)).not.toMatch(/problem\+json/);
  });

  const manyHeaders = (count: number) => 'a:\r\n'.repeat(count);

  it('gets 400 for more than 200 headers, so that none is missed behind the others', async () => {
    const asked = `GET /api/health/live HTTP/1.1\r\nHost: x\r\n${manyHeaders(2_000)}\r\n`;
    const refused = await sendRaw(server.port(), asked);
    expect(refused).toContain('400 Bad Request');
    expect(refused).toContain('application/problem+json');
    expect(refused).toContain('Connection: close');
  });

  it('cannot hide the length of a body behind headers, and have the body served as a request', async () => {
    const hidden = 'GET /api/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const length = `Content-Length: ${hidden.length}`;
    const offer = 'POST /api/v1/events HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n';
    for (const count of [0, 2_000]) {
      const answers = await sendRaw(server.port(), `${offer}${manyHeaders(count)}${length}\r\n\r\n${hidden}`, {
        ms: 1_000,
      });
      expect(answers).toMatch(/^HTTP\/1\.1 4/);
      expect(answers, `behind ${count} headers`).not.toContain('200 OK');
    }
  });

  it.each([
    ['two hosts', 'Host: x\r\nHost: y\r\n'],
    ['one host twice', 'Host: x\r\nhost: x\r\n'],
  ])('gets 400 for %s, of which a proxy in front may have read the other', async (_what, hosts) => {
    for (const offer of ['', 'Connection: Upgrade\r\nUpgrade: websocket\r\n']) {
      const refused = await sendRaw(server.port(), `GET /api/health/live HTTP/1.1\r\n${hosts}${offer}\r\n`);
      expect(refused).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json/s);
    }
  });

  const OFFER = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  const withCredentials = (path: string, credentials: string[], offer = '') =>
    sendRaw(
      server.port(),
      `GET ${path} HTTP/1.1\r\nHost: x\r\n${credentials.map((each) => `${each}\r\n`).join('')}${offer || 'Connection: close\r\n'}\r\n`,
      { until: '"requestId"' },
    );

  it('gets 400 for a repeated credential, of which a proxy in front may have read the other', async () => {
    const key = `X-API-Key: ${projects.mine.key}`;
    const token = `Authorization: Bearer ${projects.mine.owner.accessToken}`;
    const project = `/api/v1/projects/${projects.mine.id}`;
    for (const repeated of [
      [token, token],
      [token, 'authorization: Bearer x'],
      ['AUTHORIZATION: Bearer', token],
      [key, key],
      [key, 'x-api-key: eds_x'],
    ]) {
      for (const [path, offer] of [[project], [`${project}/tunnels/${projects.mine.id}/connect`, OFFER]] as const) {
        expect(await withCredentials(path, repeated, offer)).toMatch(/^HTTP\/1\.1 400 .*"ambiguous_credentials"/s);
      }
    }
    for (const single of [[token], [key], [key, 'Authorization: Bearer ']]) {
      expect(await withCredentials(project, single)).toContain('200 OK');
    }
  });

  it('may repeat the headers of credentials where none is read', async () => {
    const repeated = ['Authorization: a', 'Authorization: b', 'X-API-Key: a', 'X-API-Key: b'];
    expect(await withCredentials('/api/health/live', repeated)).toContain('200 OK');
    expect(await withCredentials('/api/v1/ingress/unknown', repeated)).not.toContain('ambiguous_credentials');
  });

  it.each(['http://[', 'http://', 'HTTP:///login', 'http://x:y/', 'http://a@b/', 'http://a\\b/', 'https://x#y'])(
    'gets 400 for a target whose host is invalid: %s',
    async (target) => {
      for (const offer of ['', 'Connection: Upgrade\r\nUpgrade: websocket\r\n']) {
        const refused = await sendRaw(server.port(), `GET ${target} HTTP/1.1\r\nHost: x\r\n${offer}\r\n`);
        expect(refused).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json/s);
      }
    },
  );

  it.each(['http://x', 'https://x/', 'http://[::1]:80/login', 'http://a_b.x:8080?c'])(
    'gets no 400 for a target with a host: %s',
    async (target) => {
      const asked = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      expect(await sendRaw(server.port(), asked)).toMatch(/^HTTP\/1\.1 (?!400)/);
    },
  );

  it('may send as many headers as are read', async () => {
    const asked = `GET /api/health/live HTTP/1.1\r\nHost: x\r\n${manyHeaders(190)}Connection: close\r\n\r\n`;
    expect(await sendRaw(server.port(), asked)).toContain('200 OK');
  });

  it('adds no listeners to its connection with each upgrade that it offers', async () => {
    const offered = await startWebServer();
    const { port } = offered.address() as AddressInfo;
    const sockets: Socket[] = [];
    offered.on('connection', (socket) => sockets.push(socket));
    const offer = 'GET /api/health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    const client = connect({ port, host: '127.0.0.1' });
    for (let offers = 0; offers < 30; offers += 1) {
      client.write(offer);
      await once(client, 'data');
    }
    expect(new Set(sockets).size).toBe(1);
    expect(sockets[0]?.listenerCount('error')).toBeLessThan(5);
    client.destroy();
    offered.close();
  });

  it('loses its connection when it offers upgrades without waiting for responses, which nothing would count', async () => {
    const offer = 'GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    const startedAt = performance.now();
    const answers = await sendRaw(server.port(), offer.repeat(1_000));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(answers.split('HTTP/1.1 ').length - 1).toBeLessThan(3);
    expect((await call('GET', '/api/health/live')).status).toBe(200);
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
      const response = await sendRaw(server.port(), `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
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
    await sendRaw(server.port(), `${head}Content-Length: 100\r\n\r\n{"type":"cut"`, { ms: 50 });
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
