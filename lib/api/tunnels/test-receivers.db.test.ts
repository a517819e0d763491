import { createConnection } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { signingKey } from '@/lib/delivery/endpoint-secret';
import type { Endpoint, EndpointSecret } from '@/lib/delivery/schema';
import { signWebhook } from '@/lib/delivery/signature';
import { settleBackground } from '@/lib/platform/background';
import { MAX_DELAYED_TESTS, TESTS_PER_MINUTE } from '@/lib/tunnel/relay/limits';
import type { Tunnel, TunnelRequestDetail } from '@/lib/tunnel/schema';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call, type Problem } from '@/tests/http/api-request';
import { clientOf, connectClient, makeTunnel, type TestTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { begin, visit } from '@/tests/tunnel/visit';

useDatabase();
const server = useTunnelServer();
let project: TestProject;
beforeAll(async () => {
  project = await makeTestProject();
});

const makeReceiver = (testResponse: object = { status: 200 }) => makeTunnel(project, { testResponse });
const urlOf = ({ prefix }: TestTunnel) => `${server.origin}${prefix}`;
const pathOf = ({ id, projectId }: TestTunnel, tail = '') => `/api/v1/projects/${projectId}/tunnels/${id}${tail}`;

async function newestRequest(tunnel: TestTunnel): Promise<TunnelRequestDetail> {
  await settleBackground();
  const apiKey = project.key;
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

  it('refuses bodies over 10 MiB', async () => {
    const tunnel = await makeReceiver();
    const headers = { 'transfer-encoding': 'chunked' };
    const sent = visit(urlOf(tunnel), { method: 'POST', headers, body: Buffer.alloc(11 * 1024 * 1024) });
    expect(await sent.then(({ status }) => status).catch(() => 'reset')).toSatisfy(
      (got) => got === 413 || got === 'reset',
    );
    expect((await newestRequest(tunnel)).error).toBe('payload_too_large');
  });

  it('accepts statuses from 200 to 599 and delays up to 20 s only', async () => {
    for (const testResponse of [
      { status: 199 },
      { status: 600 },
      { status: 200, delaySeconds: 21 },
      {},
      { status: '200' },
    ]) {
      const path = `/api/v1/projects/${project.id}/tunnels`;
      const refused = await call<Problem>('POST', path, { apiKey: project.key, body: { testResponse } });
      expect([refused.status, refused.json.code]).toEqual([400, 'validation_failed']);
    }
  });

  it('takes no client, and a tunnel without a test response does', async () => {
    const [receiver, tunnel] = [await makeReceiver(), await makeTunnel(project)];
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
    const [flooded, other] = [await makeReceiver(), await makeReceiver()];
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
    const signature = signWebhook([signingKey(secret)], 'msg_1', seconds, Buffer.from(body));
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(seconds), 'webhook-signature': signature };
    await visit(urlOf(tunnel), { method: 'POST', headers, body });
    return (await newestRequest(tunnel)).signature;
  };
  const makeEndpoint = async (owner: TestProject, url: string) => {
    const path = `/api/v1/projects/${owner.id}/endpoints`;
    const { json } = await call<Endpoint>('POST', path, { apiKey: owner.key, body: { url } });
    const bearer = owner.owner.accessToken;
    return (await call<EndpointSecret>('GET', `${path}/${json.id}/secret`, { bearer })).json.secret;
  };

  it('is verified with the secret of the endpoint that has its URL', async () => {
    const tunnel = await makeReceiver();
    const { json } = await call<Tunnel>('GET', pathOf(tunnel), { apiKey: project.key });
    const secret = await makeEndpoint(project, json.url ?? '');
    expect((await send(tunnel, secret))?.verified).toBe(true);
    expect((await send(tunnel, 'whsec_AAAA'))?.verified).toBe(false);
  });

  it('is never checked with a secret of another project, whose endpoint has the same URL', async () => {
    const [tunnel, stranger] = [await makeReceiver(), await makeTestProject()];
    const { json } = await call<Tunnel>('GET', pathOf(tunnel), { apiKey: project.key });
    const secret = await makeEndpoint(stranger, json.url ?? '');
    expect((await send(tunnel, secret))?.verified).toBeNull();
  });
});
