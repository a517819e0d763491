import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkCookieNames } from '@/lib/idp/check-cookies';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { waitFor } from '@/tests/http/receiver';
import { sendRaw } from '@/tests/http/send-raw';
import { setTestConfig } from '@/tests/setup/variables';
import { echo, type Received, readAll, startLocal } from '@/tests/tunnel/local-server';
import { startTunnelServer, type TunnelServer } from '@/tests/tunnel/start-tunnel-server';
import { clientOf, connectClient, makeTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { begin, visit } from '@/tests/tunnel/visit';

const db = useDatabase();

let project: TestProject;

beforeAll(async () => {
  project = await makeTestProject();
});

describe('a request through a tunnel', () => {
  const server = useTunnelServer();
  /** Connects a client of a new tunnel to a local server, and returns the public address. */
  async function tunnelTo(listener: Parameters<typeof startLocal>[0]): Promise<string> {
    const tunnel = await makeTunnel(project);
    const local = await startLocal(listener);
    await connectClient(clientOf(server.origin, tunnel, local.url));
    return `${server.origin}${tunnel.prefix}`;
  }
  const echoed = (body: Buffer) => JSON.parse(body.toString('utf8')) as Omit<Received, 'body'> & { body: string };
  it('arrives at the local server with its method, path, query and body', async () => {
    const url = await tunnelTo(echo);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const body = ['POST', 'PUT', 'PATCH'].includes(method) ? 'some text' : undefined;
      const response = await visit(`${url}/a%2Fb//c/../d?x=1&x=%20&y`, { method, ...(body ? { body } : {}) });
      expect(response.status).toBe(200);
      const received = echoed(response.body);
      expect([received.method, Buffer.from(received.body, 'base64').toString()]).toEqual([method, body ?? '']);
    }
    const { path } = echoed((await visit(`${url}?only=query`)).body);
    expect(path).toBe('/?only=query');
  });

  it('cannot end the tunnel with the name of a header, however long', async () => {
    const url = await tunnelTo(echo);
    const name = 'x'.repeat(10_000);
    const response = await visit(url, { headers: { [name]: 'long' } });
    expect(response.status).toBe(200);
    expect(echoed(response.body).rawHeaders).toContain(name);
    expect((await visit(url)).status).toBe(200);
  });

  it('cannot end the tunnel by hanging up on a response in single bytes', async () => {
    const url = await tunnelTo((message, response) => {
      if (message.url === '/whole') return void response.end('whole');
      const chunks = '1\r\nx\r\n'.repeat(200_000);
      message.socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`);
    });
    for (let times = 0; times < 10; times++) {
      const { response, request } = await begin(`${url}/bytes`);
      await once(response, 'data');
      request.destroy();
    }
    await sleep(300);
    expect((await visit(`${url}/whole`)).status).toBe(200);
  });

  it('keeps every byte of any body and header, in both directions', async () => {
    const url = await tunnelTo(async (message, response) => {
      const { rawHeaders, body } = await readAll(message);
      const at = rawHeaders.findIndex((name) => name.toLowerCase() === 'x-value');
      response.writeHead(200, { 'X-Value': rawHeaders[at + 1] ?? '' }).end(body);
    });
    const value = fc.string({
      unit: fc
        .integer({ min: 0x21, max: 0xff })
        .filter((code) => code < 0x7f || code > 0x9f)
        .map((code) => String.fromCharCode(code)),
      maxLength: 200,
    });
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200_000, size: 'max' }), value, async (bytes, text) => {
        const response = await visit(url, { method: 'POST', headers: { 'X-Value': text }, body: Buffer.from(bytes) });
        expect(response.body.equals(Buffer.from(bytes))).toBe(true);
        expect(response.headers['x-value']).toBe(text);
      }),
      { numRuns: 40 },
    );
  });

  it('keeps repeated headers apart, in their order', async () => {
    const url = await tunnelTo((_message, response) => {
      response.writeHead(200, ['X-A', '1', 'X-B', '2', 'X-A', '3']).end();
    });
    const { rawHeaders } = await visit(url);
    const ours = rawHeaders.flatMap((name, at) => (/^X-[AB]$/.test(name) ? [[name, rawHeaders[at + 1]]] : []));
    expect(ours).toEqual([
      ['X-A', '1'],
      ['X-B', '2'],
      ['X-A', '3'],
    ]);
  });

  it('gets the status and the body of HEAD, 204 and 304 right', async () => {
    const url = await tunnelTo((message, response) => {
      response.statusCode = Number(message.url?.slice(1)) || 200;
      if (message.method === 'HEAD') response.setHeader('Content-Length', '1234');
      response.end();
    });
    const head = await visit(url, { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '1234', 0]);
    expect((await visit(`${url}/204`)).status).toBe(204);
    expect((await visit(`${url}/304`)).status).toBe(304);
    expect((await visit(`${url}/500`)).status).toBe(500);
  });

  it('carries 10 MiB in both directions, and refuses more with 413', async () => {
    const url = await tunnelTo((message, response) => void message.pipe(response));
    const body = Buffer.alloc(10 * 1024 * 1024, 'x');
    expect((await visit(url, { method: 'POST', body })).body.equals(body)).toBe(true);
    const declared = await visit(url, { method: 'POST', body: Buffer.concat([body, Buffer.from('y')]) });
    expect([declared.status, declared.code]).toEqual([413, 'payload_too_large']);
  });

  it('gets each server-sent event when it is sent', async () => {
    const url = await tunnelTo(async (_message, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (let count = 1; count <= 3; count++) {
        response.write(`data: ${count}\n\n`);
        await sleep(150);
      }
      response.end();
    });
    const { response } = await begin(url);
    const arrivals: [string, number][] = [];
    for await (const chunk of response) arrivals.push([String(chunk), performance.now()]);
    expect(arrivals.map(([text]) => text)).toEqual(['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']);
    expect((arrivals[2]?.[1] ?? 0) - (arrivals[0]?.[1] ?? 0)).toBeGreaterThan(200);
  });

  it('is canceled at the local server when the public hangs up', async () => {
    let closed = 0;
    const url = await tunnelTo((_message, response) => {
      response.once('close', () => {
        closed += 1;
      });
      response.write('begun');
    });
    const { request } = await begin(url);
    request.destroy();
    await waitFor('the end of the local request', () => closed === 1);
  });

  it('gets 502 with the reason when the local server is down', async () => {
    const tunnel = await makeTunnel(project);
    const local = await startLocal(echo);
    await connectClient(clientOf(server.origin, tunnel, local.url));
    await local.close();
    const response = await visit(`${server.origin}${tunnel.prefix}/x`);
    expect([response.status, response.body.toString()]).toEqual([502, expect.stringContaining('ECONNREFUSED')]);
  });

  it('gets 502 tunnel_offline when no client is connected, and 404 when there is no tunnel', async () => {
    const tunnel = await makeTunnel(project);
    const offline = await visit(`${server.origin}${tunnel.prefix}/`);
    expect([offline.status, offline.code]).toEqual([502, 'tunnel_offline']);
    for (const token of ['a'.repeat(43), newId(), '~peer']) {
      const unknown = await visit(`${server.origin}/t/${token}/`);
      expect([unknown.status, unknown.code], token).toEqual([404, 'not_found']);
    }
  });

  it('of another process with a wrong signature gets 404 before its body is read', async () => {
    const { hostname, port } = new URL(server.origin);
    const socket = connect(Number(port), hostname);
    const names = ['time', 'nonce', 'signature', 'head', 'connection'].map((name) => `Tunnel-Peer-${name}: 1`);
    const head = [`POST /t/~peer/${newId()} HTTP/1.1`, 'Host: a', 'Content-Length: 100000', ...names];
    socket.write(`${head.join('\r\n')}\r\n\r\n${'\0'.repeat(2)}`);
    const [first] = await once(socket, 'data', { signal: AbortSignal.timeout(2_000) });
    expect(String(first)).toMatch(/^HTTP\/1.1 404 /);
    await once(socket, 'close');
  });

  it('redirects to the public address when the local server redirects to itself', async () => {
    const url = await tunnelTo((message, response) => {
      const { host } = message.headers;
      const where = message.url === '/absolute' ? `http://${host}/there?a=1` : '/there?a=1';
      response.writeHead(302, { Location: where }).end();
    });
    const { pathname } = new URL(url);
    for (const path of ['/absolute', '/path']) {
      expect((await visit(`${url}${path}`)).headers.location).toBe(`${pathname}/there?a=1`);
    }
  });
});

describe('on each origin', () => {
  const [OWN, APP] = ['http://tunnels.example', 'http://app.example'];

  const SECRETS = { AUTH_SECRET: 's'.repeat(32), ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') };

  /** Starts a server, until the test ends, whose tunnels answer on the dashboard's origin, or on their own. */
  async function startOn(variables: Record<string, string>): Promise<TunnelServer> {
    setTestConfig({ DATABASE_URL: db.url, APP_BASE_URL: APP, ...SECRETS, ...variables });
    const started = await startTunnelServer();
    onTestFinished(() => started.stop());
    return started;
  }

  async function tunnelTo(origin: string, listener: Parameters<typeof startLocal>[0], body: object = {}) {
    const tunnel = await makeTunnel(project, body);
    const local = await startLocal(listener);
    await connectClient(clientOf(origin, tunnel, local.url));
    return { url: `${origin}${tunnel.prefix}`, prefix: tunnel.prefix };
  }

  async function headersAtLocal(url: string, headers: Record<string, string>): Promise<Record<string, string>> {
    const { rawHeaders } = JSON.parse(String((await visit(url, { headers })).body)) as { rawHeaders: string[] };
    const pairs = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? '']] : [],
    );
    return Object.fromEntries(pairs);
  }

  const OURS = {
    Cookie: ['mine=1', 'refresh_token=secret', ...checkCookieNames().map((name) => `${name}.slot=secret`)].join('; '),
    'X-Platform-Admin-Token': 'secret',
  };

  describe('on the origin of the dashboard', () => {
    it('a request loses our cookies and its Authorization, and gets X-Forwarded-*', async () => {
      const { origin } = await startOn({});
      const { url } = await tunnelTo(origin, echo);
      const received = await headersAtLocal(url, {
        ...OURS,
        ...{
          Authorization: 'Basic eDp5',
          'X-API-Key': project.key,
          Host: 'app.example',
          'X-Forwarded-For': '9.9.9.9',
        },
        Connection: 'x-hop',
        'X-Hop': '1',
        TE: 'trailers',
        'X-Kept': 'yes',
      });
      expect(JSON.stringify(received)).not.toContain('secret');
      expect(received).toMatchObject({ cookie: 'mine=1', 'x-kept': 'yes', 'x-forwarded-for': '127.0.0.1' });
      expect(received).toMatchObject({ 'x-forwarded-host': 'app.example', 'x-forwarded-proto': 'http' });
      expect(received.host).toMatch(/^127\.0\.0\.1:/);
      for (const name of ['authorization', 'x-api-key', 'x-hop', 'te']) expect(received, name).not.toHaveProperty(name);
    });

    // lib/tunnel/relay/public/response-headers.test.ts shows which other headers a response loses.
    it('a response is sandboxed, and cannot set cookies', async () => {
      const { origin } = await startOn({});
      const { url } = await tunnelTo(origin, (_message, response) => {
        const policy = 'sandbox allow-same-origin allow-scripts';
        response.writeHead(401, ['Set-Cookie', 'a=b', 'X-Kept', 'yes', 'Content-Security-Policy', policy]);
        response.end('<script>1</script>');
      });
      const { headers, rawHeaders } = await visit(url);
      expect(headers).not.toHaveProperty('set-cookie');
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-kept': 'yes' });
      expect(headers).toMatchObject({ 'content-disposition': 'attachment; filename="response.txt"' });
      const policies = rawHeaders.filter((_value, at) => rawHeaders[at - 1] === 'Content-Security-Policy');
      // All policies apply, so the one that lets nothing run decides.
      expect(policies).toEqual([expect.anything(), expect.stringMatching(/^default-src 'none'; .*; sandbox$/)]);
    });

    it('a WebSocket is refused with 501, and an offer of another protocol is ignored', async () => {
      const { origin } = await startOn({});
      const { prefix, url } = await tunnelTo(origin, echo);
      const port = Number(new URL(origin).port);
      const lines = (upgrade: string) => [
        `GET ${prefix}/x HTTP/1.1`,
        'Host: a',
        `Connection: Upgrade, close`,
        `Upgrade: ${upgrade}`,
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      ];
      const refused = await sendRaw(port, `${lines('websocket').join('\r\n')}\r\n\r\n`);
      expect(refused).toMatch(/^HTTP\/1\.1 501 .*"code":"upgrade_unsupported"/s);
      expect(await sendRaw(port, `${lines('h2c').join('\r\n')}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
      expect(
        (await visit(url, { method: 'POST', headers: { Upgrade: 'h2c', Connection: 'Upgrade' }, body: 'all of it' }))
          .status,
      ).toBe(200);
    });
  });

  describe('on an origin of its own', () => {
    const variables = { TUNNEL_BASE_URL: OWN };
    const HOST = { Host: 'tunnels.example' };

    it("Authorization passes, unless it is the tunnel's password or a credential of ours", async () => {
      const { origin } = await startOn(variables);
      const open = await tunnelTo(origin, echo);
      const sent = (value: string) => headersAtLocal(open.url, { ...HOST, ...OURS, Authorization: value });
      expect(await sent('Bearer theirs')).toMatchObject({ authorization: 'Bearer theirs', cookie: 'mine=1' });
      expect(await sent(`Bearer ${project.key}`)).not.toHaveProperty('authorization');
      expect(await sent(`Bearer ${project.owner.accessToken}`)).not.toHaveProperty('authorization');
      expect(await sent(`Bearer ptok_${'x'.repeat(65)}`)).not.toHaveProperty('authorization');
      expect(await sent('Bearer eyJraWQiOiJ4In0.e30.x')).toHaveProperty('authorization');
      const closed = await tunnelTo(origin, echo, { basicAuth: { username: 'eve', password: 'a long password' } });
      const authorization = `Basic ${Buffer.from('eve:a long password').toString('base64')}`;
      const inside = await headersAtLocal(closed.url, { ...HOST, Authorization: authorization });
      expect(inside).not.toHaveProperty('authorization');
    });

    it('a tunnel answers only there, next to nothing but the health checks', async () => {
      const { origin } = await startOn(variables);
      const { prefix } = await tunnelTo(origin, echo);
      const statusOf = async (host: string, path: string) =>
        (await visit(`${origin}${path}`, { headers: { Host: host } })).status;
      expect(await statusOf('tunnels.example', `${prefix}/`)).toBe(200);
      expect(await statusOf('TUNNELS.example:80', `${prefix}/`)).toBe(200);
      expect(await statusOf('app.example', `${prefix}/`)).toBe(404);
      expect(await statusOf('app.example', '/login')).toBe(200);
      expect(await statusOf('tunnels.example', '/login')).toBe(404);
      expect(await statusOf('tunnels.example', `/api/v1/projects/${project.id}/tunnels`)).toBe(404);
      expect(await statusOf('tunnels.example', '/api/health/live')).toBe(200);
      for (const path of [
        '/api/health/../v1/auth/me',
        '/api/health/%2e%2e/v1/auth/me',
        '/api/health/live/x',
        '//login',
      ]) {
        expect(await statusOf('tunnels.example', path), path).toBe(404);
      }
      for (const host of ['app.example@tunnels.example', 'tunnels.example/', 'tunnels.example?', 'x.tunnels.example']) {
        expect(await statusOf(host, `${prefix}/`), host).toBe(404);
      }
    });

    it('goes by the host of a target in absolute form, which counts more than Host', async () => {
      const { origin } = await startOn(variables);
      const { prefix } = await tunnelTo(origin, echo);
      const firstLine = async (target: string, host: string) => {
        const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
        return (await sendRaw(Number(new URL(origin).port), head)).split('\r\n')[0];
      };
      expect(await firstLine(`http://tunnels.example${prefix}/`, 'app.example')).toContain(' 200 ');
      expect(await firstLine(`http://app.example${prefix}/`, 'tunnels.example')).toContain(' 404 ');
      expect(await firstLine('http://tunnels.example/login', 'app.example')).toContain(' 404 ');
      expect(await firstLine('http://app.example/login', 'tunnels.example')).toContain(' 200 ');
      // The offer is declined, and the request is read again without it.
      const offer = 'Connection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n';
      const head = `GET http://app.example${prefix}/ HTTP/1.1\r\nHost: tunnels.example\r\n${offer}`;
      expect(await sendRaw(Number(new URL(origin).port), head)).toContain(' 404 ');
    });
  });
});
