import { createConnection } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { keysOfEndpoint, signWebhook } from '@/lib/delivery/credentials';
import type { Endpoint, EndpointSecret } from '@/lib/delivery/schema';
import { settleBackground } from '@/lib/platform/background';
import { MAX_DELAYED_TESTS, TESTS_PER_MINUTE } from '@/lib/tunnel/relay/limits';
import type { Tunnel, TunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { asPerson, registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call, type Problem } from '@/tests/http/api-request';
import { sendRaw } from '@/tests/http/send-raw';
import { echo, startLocal } from '@/tests/tunnel/local-server';
import { clientOf, connectClient, makeTunnel, type TestTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { begin, visit } from '@/tests/tunnel/visit';

useDatabase();

const server = useTunnelServer();

let project: TestProject;

beforeAll(async () => {
  project = await makeTestProject();
});

const urlOf = ({ prefix }: TestTunnel) => `${server.origin}${prefix}`;

const PASSWORD = { basicAuth: { username: 'eve', password: 'a long password' } };

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

async function logOf({ id }: TestTunnel): Promise<TunnelRequestDetail[]> {
  await settleBackground();
  const path = `/api/v1/projects/${project.id}/tunnels/${id}/requests`;
  const { json } = await call<{ data: TunnelRequest[] }>('GET', path, { apiKey: project.key });
  const details = json.data.map((each) =>
    call<TunnelRequestDetail>('GET', `${path}/${each.id}`, { apiKey: project.key }),
  );
  return (await Promise.all(details)).map((each) => each.json);
}

/** Everything that the row of a request holds, as text. */
async function rowOf(id: string): Promise<string> {
  const rows = await select('SELECT row_to_json(r)::text AS row FROM tunnel_request_log r WHERE id = $1', id);
  return rows[0].row as string;
}

describe('a request that is refused at the door of a tunnel is logged', () => {
  it.each([
    ['a wrong password', PASSWORD, 401, 'unauthenticated'],
    ['an address that is not allowed', { allowedCidrs: ['203.0.113.0/24'] }, 403, 'forbidden'],
  ])('for %s, without headers and body, and cannot be replayed', async (_why, rules, status, error) => {
    const tunnel = await makeTunnel(project, rules);
    const refused = await visit(`${urlOf(tunnel)}/hook?a=1`, {
      method: 'POST',
      headers: { Authorization: basic('eve:guess-guess'), Cookie: 'sid=cookie-secret', 'X-Secret': 'header-secret' },
      body: 'body-secret',
    });
    expect([refused.status, refused.code]).toEqual([status, error]);
    const [entry] = await logOf(tunnel);
    expect(entry).toMatchObject({
      method: 'POST',
      path: '/hook?a=1',
      responseStatus: status,
      error,
      responseSize: null,
      requestSize: 11,
      requestHeaders: null,
      requestBody: null,
      responseHeaders: null,
      responseBody: null,
      replayObstacle: 'headers_not_kept',
    });
    expect(Math.abs(Date.parse(entry?.createdAt ?? '') - Date.now())).toBeLessThan(60_000);
    const row = await rowOf(entry?.id ?? '');
    expect(row).not.toMatch(/secret|guess/);
    expect(row).not.toContain(Buffer.from('guess-guess').toString('base64').slice(0, 8));
  });

  it('with a short part of its path', async () => {
    const tunnel = await makeTunnel(project, PASSWORD);
    await visit(`${urlOf(tunnel)}/${'p'.repeat(10_000)}`);
    expect((await logOf(tunnel))[0]?.path).toBe(`/${'p'.repeat(199)}`);
  });

  it('for a body that is too large', async () => {
    const tunnel = await makeTunnel(project);
    await connectClient(clientOf(server.origin, tunnel, (await startLocal(echo)).url));
    const port = Number(new URL(server.origin).port);
    const declared = await sendRaw(
      port,
      `POST ${tunnel.prefix}/big HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n`,
      { until: '\r\n\r\n' },
    );
    expect(declared).toMatch(/^HTTP\/1\.1 413 /);
    const streamed = { headers: { 'Transfer-Encoding': 'chunked' }, body: Buffer.alloc(11 * 1024 * 1024) };
    expect((await visit(`${urlOf(tunnel)}/long`, { method: 'POST', ...streamed })).status).toBe(413);
    const [second, first] = await logOf(tunnel);
    for (const entry of [first, second]) {
      expect(entry).toMatchObject({
        responseStatus: 413,
        error: 'payload_too_large',
        replayObstacle: 'body_truncated',
      });
    }
    expect(first).toMatchObject({ path: '/big', requestSize: 99_999_999 });
  });

  it('for a service worker, and for a WebSocket', async () => {
    const tunnel = await makeTunnel(project);
    await visit(`${urlOf(tunnel)}/sw.js`, { headers: { 'Service-Worker': 'script' } });
    const lines = ['Host: a', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const offer = (path: string) =>
      sendRaw(
        Number(new URL(server.origin).port),
        [`GET ${path} HTTP/1.1`, ...lines, 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==', '', ''].join('\r\n'),
      );
    expect(await offer(`${tunnel.prefix}/ws`)).toMatch(/^HTTP\/1\.1 501 /);
    expect(await offer(`/t/${'a'.repeat(43)}/ws`)).toMatch(/^HTTP\/1\.1 404 /);
    const closed = await makeTunnel(project, PASSWORD);
    expect(await offer(`${closed.prefix}/ws`)).toMatch(/^HTTP\/1\.1 401 .*WWW-Authenticate: Basic/s);
    expect(await logOf(tunnel)).toMatchObject([
      { path: '/ws', responseStatus: 501, error: 'upgrade_unsupported' },
      { path: '/sw.js', responseStatus: 403, error: 'forbidden' },
    ]);
    expect(await logOf(closed)).toMatchObject([{ path: '/ws', responseStatus: 401, requestHeaders: null }]);
  });
});

describe('a request that no client takes is logged', () => {
  it('with its headers when the tunnel is offline, and is replayed only if it had no body', async () => {
    const tunnel = await makeTunnel(project);
    await visit(`${urlOf(tunnel)}/get`, { headers: { 'X-Kept': 'yes' } });
    await visit(`${urlOf(tunnel)}/post`, { method: 'POST', body: 'never read' });
    await visit(`${urlOf(tunnel)}/chunked`, {
      method: 'POST',
      headers: { 'Transfer-Encoding': 'chunked' },
      body: 'never read',
    });
    const [chunked, post, get] = await logOf(tunnel);
    expect(get).toMatchObject({ path: '/get', responseStatus: null, error: 'tunnel_offline', replayObstacle: null });
    expect(get?.requestHeaders).toContainEqual(['X-Kept', 'yes']);
    // The body was never read, so a replay would send an empty one.
    expect(post).toMatchObject({ error: 'tunnel_offline', requestSize: 10, replayObstacle: 'body_truncated' });
    expect(chunked).toMatchObject({ error: 'tunnel_offline', replayObstacle: 'body_truncated' });
  });
});

describe('a request whose body did not arrive entirely', () => {
  it('is not replayed, although the local server answered it', async () => {
    const tunnel = await makeTunnel(project);
    const early = await startLocal((message, response) => {
      if (message.url === '/early') response.end('enough');
      else message.resume().once('end', () => response.end('all'));
    });
    await connectClient(clientOf(server.origin, tunnel, early.url));
    const head = (path: string) => `POST ${tunnel.prefix}${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;
    const port = Number(new URL(server.origin).port);
    await sendRaw(port, `${head('/early')}Content-Length: 50000\r\n\r\nstart`, { until: 'enough' });
    await sendRaw(port, `${head('/whole')}Content-Length: 5\r\n\r\nstart`, { until: 'all' });
    await expect.poll(async () => (await logOf(tunnel)).length).toBe(2);
    const [whole, cut] = await logOf(tunnel);
    expect(cut).toMatchObject({
      path: '/early',
      requestSize: 50_000,
      requestBody: 'start',
      replayObstacle: 'body_truncated',
    });
    expect(whole).toMatchObject({ path: '/whole', requestSize: 5, requestBody: 'start', replayObstacle: null });
  });
});

const makeReceiver = (testResponse: object = { status: 200 }) => makeTunnel(project, { testResponse });

const pathOf = ({ id, projectId }: TestTunnel, tail = '') => `/api/v1/projects/${projectId}/tunnels/${id}${tail}`;

async function newestRequest(tunnel: TestTunnel, apiKey = project.key): Promise<TunnelRequestDetail> {
  await settleBackground();
  const list = await call<{ data: { id: string }[] }>('GET', pathOf(tunnel, '/requests?limit=1'), { apiKey });
  const path = pathOf(tunnel, `/requests/${list.json.data[0]?.id}`);
  return (await call<TunnelRequestDetail>('GET', path, { apiKey })).json;
}

describe('a test receiver', () => {
  it('answers without a client, and keeps the method, headers and body of the request', async () => {
    const tunnel = await makeReceiver();
    const answer = await visit(`${urlOf(tunnel)}/hook?a=1`, { method: 'POST', headers: { 'x-a': 'b' }, body: 'hello' });
    expect([answer.status, answer.body.toString()]).toEqual([200, '{"received":true}']);
    const request = await newestRequest(tunnel);
    expect(request).toMatchObject({ method: 'POST', path: '/hook?a=1', requestBody: 'hello', responseStatus: 200 });
    expect(request.requestHeaders).toContainEqual(['x-a', 'b']);
    expect(request.signature).toBeNull();
  });

  it.each([204, 304, 410, 500])('answers with status %i when it is told to', async (status) => {
    const tunnel = await makeReceiver({ status });
    expect((await visit(urlOf(tunnel), { method: 'POST', body: 'x' })).status).toBe(status);
    expect((await newestRequest(tunnel)).responseStatus).toBe(status);
  });

  it('changes its answer, and becomes an ordinary tunnel without one', async () => {
    const tunnel = await makeReceiver();
    const change = async (testResponse: object | null) =>
      call<Tunnel>('PATCH', pathOf(tunnel), { apiKey: project.key, body: { testResponse } });
    expect((await change({ status: 503, delaySeconds: 1 })).json.testResponse).toEqual({
      status: 503,
      delaySeconds: 1,
    });
    expect((await visit(urlOf(tunnel))).status).toBe(503);
    expect((await change(null)).json.testResponse).toBeNull();
    await expect.poll(async () => (await visit(urlOf(tunnel))).code, { timeout: 5_000 }).toBe('tunnel_offline');
  });

  it('stops waiting when the sender hangs up, and the log says that nothing was answered', async () => {
    const tunnel = await makeReceiver({ status: 200, delaySeconds: 20 });
    const socket = createConnection(Number(new URL(server.origin).port), '127.0.0.1');
    socket.write(`POST ${tunnel.prefix}/slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi`);
    setTimeout(() => socket.destroy(), 100);
    await expect
      .poll(async () => (await newestRequest(tunnel)).error ?? null, { timeout: 5_000 })
      .toBe('invalid_request');
    expect((await newestRequest(tunnel)).responseStatus).toBeNull();
  });

  it('takes no client, and a tunnel without a test response does', async () => {
    const receiver = await makeReceiver();
    const tunnel = await makeTunnel(project);
    const connect = (to: TestTunnel) => call<Problem>('GET', pathOf(to, '/connect'), { apiKey: project.key });
    expect([(await connect(receiver)).status, (await connect(receiver)).json.code]).toEqual([409, 'conflict']);
    expect((await connect(tunnel)).status).toBe(426);
    await connectClient(clientOf(server.origin, tunnel, new URL('http://127.0.0.1:9')));
  });

  it('answers a replay of a logged request', async () => {
    const tunnel = await makeReceiver();
    await visit(urlOf(tunnel), { method: 'POST', body: 'once more' });
    const { id } = await newestRequest(tunnel);
    expect((await call('POST', pathOf(tunnel, `/requests/${id}/replay`), { apiKey: project.key })).status).toBe(202);
    await expect.poll(async () => (await newestRequest(tunnel)).replayOf).toBe(id);
    expect(await newestRequest(tunnel)).toMatchObject({ requestBody: 'once more', responseStatus: 200 });
  });
});

describe('a flood of a test receiver', () => {
  it('is refused beyond its rate, and does not affect another receiver', async () => {
    const flooded = await makeReceiver();
    const other = await makeReceiver();
    const statuses = new Map<number, number>();
    for (let sent = 0; sent < TESTS_PER_MINUTE + 20; sent += 20) {
      const batch = await Promise.all(Array.from({ length: 20 }, () => visit(urlOf(flooded))));
      for (const { status } of batch) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([statuses.get(200), statuses.get(429)]).toEqual([TESTS_PER_MINUTE, 20]);
    expect((await visit(urlOf(other))).status).toBe(200);
  });

  it('makes at most 20 requests wait at once', async () => {
    const tunnel = await makeReceiver({ status: 200, delaySeconds: 2 });
    const answers = await Promise.all(Array.from({ length: MAX_DELAYED_TESTS + 5 }, () => visit(urlOf(tunnel))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(MAX_DELAYED_TESTS);
    expect(answers.filter(({ code }) => code === 'tunnel_busy')).toHaveLength(5);
    expect((await begin(urlOf(tunnel))).response.statusCode).toBe(200);
  });
});

describe('the signature of a request to a test receiver', () => {
  const send = async (tunnel: TestTunnel, secret: string, body = '{"a":1}') => {
    const seconds = Math.floor(Date.now() / 1000);
    const signature = signWebhook([keysOfEndpoint(secret).key], 'msg_1', seconds, Buffer.from(body));
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(seconds), 'webhook-signature': signature };
    await visit(urlOf(tunnel), { method: 'POST', headers, body });
    return (await newestRequest(tunnel)).signature;
  };
  const makeEndpoint = async (owner: TestProject, url: string, options: object = {}) => {
    const path = `/api/v1/projects/${owner.id}/endpoints`;
    const { json } = await call<Endpoint>('POST', path, { apiKey: owner.key, body: { url, ...options } });
    const bearer = owner.owner.accessToken;
    return (await call<EndpointSecret>('GET', `${path}/${json.id}/secret`, { bearer })).json.secret;
  };

  it('is verified with the secret of the endpoint that has its URL', async () => {
    const tunnel = await makeReceiver();
    const { json } = await call<Tunnel>('GET', pathOf(tunnel), { apiKey: project.key });
    expect((await send(tunnel, await makeEndpoint(project, json.url ?? '')))?.verified).toBe(true);
    expect((await send(tunnel, 'whsec_AAAA'))?.verified).toBe(false);
    expect((await newestRequest(tunnel, project.readOnlyKey)).signature?.verified).toBe(false);
  });

  it('confirms a secret that can be guessed only to those who may read it', async () => {
    const tunnel = await makeReceiver();
    const { json } = await call<Tunnel>('GET', pathOf(tunnel), { apiKey: project.key });
    const form = { header: 'X-Acme', content: '{body}', algorithm: 'SHA256', encoding: 'HEX', value: '{signature}' };
    const secret = 'our webhook password';
    await makeEndpoint(project, json.url ?? '', { signature: { profile: 'CUSTOM', ...form }, secret });
    const viewer = asPerson(await registerMember(project.owner.organizationId, 'VIEWER'));
    const hidden: TunnelRequestDetail['signature'][] = [];
    for (const guess of [secret, 'our webhook passw0rd']) {
      expect((await send(tunnel, guess))?.verified).toBe(guess === secret);
      const { id } = await newestRequest(tunnel);
      for (const caller of [viewer, { apiKey: project.readOnlyKey }]) {
        hidden.push((await call<TunnelRequestDetail>('GET', pathOf(tunnel, `/requests/${id}`), caller)).json.signature);
      }
    }
    expect(hidden).toEqual(Array(4).fill({ verified: null, detail: expect.stringContaining('may read') }));
  });

  it('is never checked with a secret of another project, whose endpoint has the same URL', async () => {
    const tunnel = await makeReceiver();
    const stranger = await makeTestProject();
    const { json } = await call<Tunnel>('GET', pathOf(tunnel), { apiKey: project.key });
    expect((await send(tunnel, await makeEndpoint(stranger, json.url ?? '')))?.verified).toBeNull();
  });
});

describe('a tunnel', () => {
  it('is not there any longer when its project is deleted', async () => {
    const other = await makeTestProject();
    const tunnel = await makeTunnel(other);
    const local = await startLocal(echo);
    await connectClient(clientOf(server.origin, tunnel, local.url));
    expect((await visit(`${server.origin}${tunnel.prefix}/`)).status).toBe(200);
    await run('UPDATE projects SET deleted_at = now() WHERE id = $1', other.id);
    await expect.poll(async () => (await visit(`${server.origin}${tunnel.prefix}/`)).status).toBe(404);
  });
});
