import { beforeAll, describe, expect, it } from 'vitest';
import { settleBackground } from '@/lib/platform/background';
import { database } from '@/lib/platform/db';
import { metricsRegistry } from '@/lib/platform/metrics';
import type { TunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { sendRaw } from '@/tests/http/send-raw';
import { echo, startLocal } from '@/tests/tunnel/local-server';
import { clientOf, connectClient, makeTunnel, type TestTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { visit } from '@/tests/tunnel/visit';

useDatabase();
const server = useTunnelServer();
let project: TestProject;
beforeAll(async () => {
  project = await makeTestProject();
});

const PASSWORD = { basicAuth: { username: 'eve', password: 'a long password' } };
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const urlOf = ({ prefix }: TestTunnel) => `${server.origin}${prefix}`;

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
  const { rows } = await database().query(
    'SELECT row_to_json(r)::text AS row FROM tunnel_request_log r WHERE id = $1',
    [id],
  );
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
      ...{ method: 'POST', path: '/hook?a=1', responseStatus: status, error, responseSize: null, requestSize: 11 },
      ...{ requestHeaders: null, requestBody: null, responseHeaders: null, responseBody: null },
      replayObstacle: 'headers_not_kept',
    });
    expect(Math.abs(Date.parse(entry?.createdAt ?? '') - Date.now())).toBeLessThan(60_000);
    const row = await rowOf(entry?.id ?? '');
    expect(row).not.toMatch(/secret|guess/);
    expect(row).not.toContain(Buffer.from('guess-guess').toString('base64').slice(0, 8));
  });

  it('and one with the password is logged in full', async () => {
    const tunnel = await makeTunnel(project, PASSWORD);
    await connectClient(clientOf(server.origin, tunnel, (await startLocal(echo)).url));
    const headers = { Authorization: basic('eve:a long password'), 'X-Kept': 'yes' };
    expect((await visit(`${urlOf(tunnel)}/in`, { method: 'POST', headers, body: 'body' })).status).toBe(200);
    const [entry] = await logOf(tunnel);
    expect(entry).toMatchObject({ responseStatus: 200, error: null, requestBody: 'body', replayObstacle: null });
    expect(entry?.requestHeaders).toContainEqual(['X-Kept', 'yes']);
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
      ...{ method: 'POST', headers: { 'Transfer-Encoding': 'chunked' }, body: 'never read' },
    });
    const [chunked, post, get] = await logOf(tunnel);
    expect(get).toMatchObject({ path: '/get', responseStatus: null, error: 'tunnel_offline', replayObstacle: null });
    expect(get?.requestHeaders).toContainEqual(['X-Kept', 'yes']);
    // The body was never read, so a replay would send an empty one.
    expect(post).toMatchObject({ error: 'tunnel_offline', requestSize: 10, replayObstacle: 'body_truncated' });
    expect(chunked).toMatchObject({ error: 'tunnel_offline', replayObstacle: 'body_truncated' });
  });

  it('when too many are in flight', async () => {
    const tunnel = await makeTunnel(project);
    const held = await startLocal(() => undefined);
    await connectClient(clientOf(server.origin, tunnel, held.url));
    const waiting = Array.from({ length: 100 }, () => visit(`${urlOf(tunnel)}/held`).catch(() => null));
    await expect.poll(async () => (await visit(`${urlOf(tunnel)}/over`)).code).toBe('tunnel_busy');
    const entries = await logOf(tunnel);
    expect(entries).toContainEqual(
      expect.objectContaining({ path: '/over', error: 'tunnel_busy', responseStatus: null }),
    );
    await held.close();
    await Promise.all(waiting);
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

describe('a flood of refused requests', () => {
  const droppedCount = async () =>
    (await metricsRegistry().getSingleMetric('tunnel_log_dropped_total')?.get())?.values[0]?.value ?? 0;

  it('is logged up to 600 a minute, counted beyond, and leaves the log to requests that may enter', async () => {
    const tunnel = await makeTunnel(project, PASSWORD);
    await connectClient(clientOf(server.origin, tunnel, (await startLocal(echo)).url));
    const before = await droppedCount();
    for (let batch = 0; batch < 13; batch++) {
      await Promise.all(Array.from({ length: 50 }, () => visit(`${urlOf(tunnel)}/guess`)));
    }
    const enter = visit(`${urlOf(tunnel)}/in`, { headers: { Authorization: basic('eve:a long password') } });
    expect((await enter).status).toBe(200);
    await settleBackground();
    const { rows } = await database().query(
      'SELECT path, count(*)::int AS count FROM tunnel_request_log WHERE tunnel_id = $1 GROUP BY path ORDER BY path',
      [tunnel.id],
    );
    expect(rows).toEqual([
      { path: '/guess', count: 600 },
      { path: '/in', count: 1 },
    ]);
    expect((await droppedCount()) - before).toBe(50);
  });
});
