import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mayEnter } from '@/lib/tunnel/access-policy';
import { findPublicTunnels, markTunnelSeen } from '@/lib/tunnel/records/find-tunnels';
import type { TunnelRequestEntry } from '@/lib/tunnel/types';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sendRaw } from '@/tests/http/send-raw';
import { type Received, readAll, startLocal } from '@/tests/tunnel/local-server';
import { startTunnelServer } from '@/tests/tunnel/start-tunnel-server';
import { clientOf, connectClient, makeTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { visit } from '@/tests/tunnel/visit';

useDatabase();
const server = useTunnelServer();
let project: TestProject;
beforeAll(async () => {
  project = await makeTestProject();
});

/** What the local server has received. */
let received: Received[];
/** `/t/` and the token of a tunnel to it. */
let prefix: string;
beforeEach(async () => {
  received = [];
  const local = await startLocal(async (message, response) => {
    const all = await readAll(message).catch(() => null);
    if (all !== null) received.push(all);
    response.end('local');
  });
  const tunnel = await makeTunnel(project);
  await connectClient(clientOf(server.origin, tunnel, local.url));
  ({ prefix } = tunnel);
});

const portOf = () => Number(new URL(server.origin).port);
const send = (head: string, body = '') =>
  sendRaw(portOf(), `${head.replaceAll('\n', '\r\n')}\r\n\r\n${body}`, { ms: 2_000 });
const statusOf = async (answer: Promise<string>) => Number(/^HTTP\/1\.1 (\d+) /.exec(await answer)?.[1] ?? 0);
const headerAtLocal = (name: string) => {
  const pairs = received.at(-1)?.rawHeaders ?? [];
  return pairs.filter((_, at) => at % 2 === 1 && pairs[at - 1]?.toLowerCase() === name);
};

const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n';
const CHUNKED = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`;

describe('a request that is hidden in the body of another', () => {
  it.each([
    ['with a length and chunks', 'Content-Length: 5\nTransfer-Encoding: chunked', `0\r\n\r\n${HIDDEN}`],
    ['with two lengths', `Content-Length: 0\nContent-Length: ${HIDDEN.length}`, HIDDEN],
    ['with a length that is a list', `Content-Length: 0, ${HIDDEN.length}`, HIDDEN],
    ['with a signed length', `Content-Length: +${HIDDEN.length}`, HIDDEN],
    ['with an unknown coding', 'Transfer-Encoding: xchunked', CHUNKED],
    ['with a coding after chunked', 'Transfer-Encoding: chunked, identity', CHUNKED],
    ['with a coding behind a tab', 'Transfer-Encoding:\tchunked\nTransfer-Encoding: x', CHUNKED],
    ['with a space before the colon', `Content-Length : ${HIDDEN.length}`, HIDDEN],
    ['with a folded header', `X-A: b\n Content-Length: ${HIDDEN.length}`, HIDDEN],
    ['with a bare carriage return', `X-A: b\rContent-Length: ${HIDDEN.length}`, HIDDEN],
    ['with a chunk size that is not a number', 'Transfer-Encoding: chunked', `0x1f\r\n${HIDDEN}\r\n0\r\n\r\n`],
    ['with a length among the trailers', 'Transfer-Encoding: chunked', `0\r\nContent-Length: 5\r\n\r\n${HIDDEN}`],
  ])('%s gets 400 and never arrives', async (_how, framing, body) => {
    const answer = await send(`POST ${prefix}/x HTTP/1.1\nHost: a\n${framing}`, body);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toMatch(/^local/m);
    await visit(`${server.origin}${prefix}/after`);
    expect(received.map(({ path }) => path)).not.toContain('/hidden');
  });

  it.each(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PROPFIND'])(
    'is a body of %s, however its length is declared, even as a header of the connection alone',
    async (method) => {
      for (const [framing, body] of [
        [`Content-Length: ${HIDDEN.length}`, HIDDEN],
        ['Transfer-Encoding: chunked', CHUNKED],
        [`Connection: content-length\nContent-Length: ${HIDDEN.length}`, HIDDEN],
        ['Connection: transfer-encoding\nTransfer-Encoding: chunked', CHUNKED],
      ] as const) {
        expect(
          await statusOf(send(`${method} ${prefix}/x HTTP/1.1\nHost: a\nConnection: close\n${framing}`, body)),
        ).toBe(200);
        expect([received.at(-1)?.path, received.at(-1)?.body.toString()], framing).toEqual(['/x', HIDDEN]);
      }
      expect(received.map(({ path }) => path)).toEqual(['/x', '/x', '/x', '/x']);
    },
  );
});

describe('what the local server is told about the visitor', () => {
  it('cannot be said by the visitor, in whatever spelling', async () => {
    const names = [
      'X-Forwarded-For',
      'X_Forwarded_For',
      'x-forwarded_for',
      'X-Real-IP',
      'X_Real_IP',
      'Forwarded',
      'X-Forwarded-Host',
      'X-Forwarded-Port',
      'X-Forwarded-Prefix',
      'X-Forwarded-Server',
      'X-Forwarded-Proto',
      'X_Eds_Proof',
      'X_Api_Key',
      'X_Platform_Admin_Token',
      'Proxy',
    ];
    const headers = names.map((name) => `${name}: ${name === 'X_Api_Key' ? project.key : 'spoofed'}`);
    await send(`GET ${prefix}/x HTTP/1.1\nHost: spoofed.example\nConnection: close\n${headers.join('\n')}`);
    const text = JSON.stringify(received.at(-1)?.rawHeaders);
    expect(text).not.toContain('spoofed');
    expect(text).not.toContain(project.key);
    expect(headerAtLocal('x-forwarded-for')).toEqual(['127.0.0.1']);
    expect(headerAtLocal('x-forwarded-proto')).toEqual(['http']);
  });

  it('names the public address of the service, whatever Host says', async () => {
    for (const host of ['evil.example', 'evil.example:1', 'a@evil.example/x', '']) {
      await send(`GET ${prefix}/x HTTP/1.1\nHost: ${host}\nConnection: close`);
      expect(headerAtLocal('x-forwarded-host')).toEqual(['localhost:3000']);
    }
    expect(received).toHaveLength(4);
  });

  it('is kept from it when Connection names it', async () => {
    const names = 'close, host, x-forwarded-for, x-forwarded-host, x-forwarded-proto, x-kept';
    await send(`GET ${prefix}/x HTTP/1.1\nHost: a\nConnection: ${names}\nX-Kept: no`);
    expect(headerAtLocal('x-forwarded-for')).toEqual(['127.0.0.1']);
    expect(headerAtLocal('x-forwarded-host')).toHaveLength(1);
    expect(headerAtLocal('x-kept')).toEqual([]);
  });
});

describe('a path', () => {
  it.each([
    '/../../api/v1/projects',
    '/%2e%2e/%2e%2e/api/v1/projects',
    '//evil.example/x',
    '/..%2f..%2fapi',
    '/%0d%0aSet-Cookie:%20a=b',
    '/a\\..\\..\\api',
    '/?x=/../../api',
    '/http://evil.example/',
  ])('%s stays below its tunnel, byte for byte', async (path) => {
    expect(await send(`GET ${prefix}${path} HTTP/1.1\nHost: a\nConnection: close`)).toMatch(/^HTTP\/1\.1 200 .*local/s);
    expect(received.map((each) => each.path)).toEqual([path]);
  });

  it.each([
    (own: string) => `/api/..${own}/x`,
    (own: string) => `/x/../..${own}/x`,
    (own: string) => `/%2e%2e${own}/x`,
    (own: string) => `/.${own}/x`,
    (own: string) => `${own}\\..\\x`,
    (own: string) => `${own}#/x`,
    (own: string) => `${own.slice(0, -1)}/x`,
    (own: string) => `${own}%2fx`,
  ])('that another server may resolve to a tunnel is not one (%#)', async (path) => {
    expect(await statusOf(send(`GET ${path(prefix)} HTTP/1.1\nHost: a\nConnection: close`))).toBe(404);
    expect(received).toEqual([]);
  });

  it.each([['7f'], ['80'], ['9b'], ['ff'], ['01'], ['00']])(
    'with the byte %s never arrives, where it might control a terminal',
    async (byte) => {
      const bytes = Buffer.from(`GET ${prefix}/a%ZZ31m HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      const at = bytes.indexOf('%ZZ');
      const raw = Buffer.concat([bytes.subarray(0, at), Buffer.from(byte, 'hex'), bytes.subarray(at + 3)]);
      expect(await statusOf(sendRaw(portOf(), raw))).toBe(400);
      expect(received).toEqual([]);
    },
  );

  it('in absolute form is the same tunnel', async () => {
    expect(await statusOf(send(`GET http://evil.example${prefix}/x HTTP/1.1\nHost: a\nConnection: close`))).toBe(200);
    expect(received.map((each) => each.path)).toEqual(['/x']);
  });
});

describe('a visitor that hangs up', () => {
  it('while its tunnel is looked up reaches no local server', async () => {
    const entries: TunnelRequestEntry[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const findSlowly = async (tokens: readonly string[]) => {
      await gate;
      return findPublicTunnels(tokens);
    };
    const recordTunnelRequest = (entry: TunnelRequestEntry) => void entries.push(entry);
    const slow = await startTunnelServer({
      records: { findPublicTunnels: findSlowly, markTunnelSeen, recordTunnelRequest, mayEnter },
    });
    try {
      let asked = 0;
      const local = await startLocal((_message, response) => {
        asked += 1;
        response.end();
      });
      const tunnel = await makeTunnel(project);
      await connectClient(clientOf(slow.origin, tunnel, local.url));
      const { port } = new URL(slow.origin);
      const gone = connect(Number(port), '127.0.0.1');
      const arrived = once(slow.server, 'request');
      gone.write(`GET ${tunnel.prefix}/gone HTTP/1.1\r\nHost: a\r\n\r\n`);
      const [, response] = await arrived;
      gone.destroy();
      await once(response, 'close');
      release();
      expect((await visit(`${slow.origin}${tunnel.prefix}/stayed`)).status).toBe(200);
      expect(asked).toBe(1);
      expect(entries.map(({ path, error }) => [path, error])).toEqual([
        ['/gone', 'invalid_request'],
        ['/stayed', null],
      ]);
    } finally {
      await slow.stop();
    }
  });

  it('with half of its connection ends its request, and leaves room for others', async () => {
    let open = 0;
    const local = await startLocal((message, response) => {
      if (message.url !== '/held') return void response.end('quick');
      open += 1;
      response.once('close', () => {
        open -= 1;
      });
    });
    const tunnel = await makeTunnel(project);
    await connectClient(clientOf(server.origin, tunnel, local.url));
    const halves = Array.from({ length: 100 }, () => {
      const socket = connect({ port: portOf(), host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined);
      socket.write(`GET ${tunnel.prefix}/held HTTP/1.1\r\nHost: a\r\n\r\n`);
      return socket;
    });
    await expect.poll(() => open).toBe(100);
    for (const socket of halves) socket.end();
    await expect.poll(() => open).toBe(0);
    expect((await visit(`${server.origin}${tunnel.prefix}/`)).status).toBe(200);
    for (const socket of halves) socket.destroy();
  });
});

describe('a request with a head that is expensive to relay', () => {
  const lines = (count: number) => `${'\nA: b'.repeat(count)}`;

  it('has at most 200 headers', async () => {
    const statusWith = (count: number) => statusOf(send(`GET ${prefix}/x HTTP/1.1\nHost: a${lines(count - 1)}`));
    expect([await statusWith(200), await statusWith(201)]).toEqual([200, 400]);
    expect(received).toHaveLength(1);
  });

  it('does not name thousands of headers in Connection', async () => {
    const names = ','.repeat(2_000);
    expect(await statusOf(send(`GET ${prefix}/x HTTP/1.1\nHost: a\nConnection: ${names}`))).toBe(400);
    expect(received).toEqual([]);
  });
});
