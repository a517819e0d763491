import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { HEARTBEAT } from '@/lib/tunnel/protocol/protocol';
import type { TunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { echo, readAll, startLocal } from '@/tests/tunnel/local-server';
import { clientOf, connectClient, makeTunnel, type TestTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { begin, visit } from '@/tests/tunnel/visit';

useDatabase();
const times = { responseHeadMs: 400, idleMs: 2_000, heartbeat: HEARTBEAT };
const server = useTunnelServer(() => ({ times }));
let project: TestProject;
beforeAll(async () => {
  project = await makeTestProject();
});

async function tunnelTo(listener: Parameters<typeof startLocal>[0]): Promise<{ url: string; tunnel: TestTunnel }> {
  const [tunnel, local] = [await makeTunnel(project), await startLocal(listener)];
  await connectClient(clientOf(server.origin, tunnel, local.url));
  return { url: `${server.origin}${tunnel.prefix}`, tunnel };
}

describe('a local server that does not respond', () => {
  it('results in 504 tunnel_timeout, and the local request is canceled', async () => {
    let closed = 0;
    const { url } = await tunnelTo((_message, response) => {
      response.once('close', () => {
        closed += 1;
      });
    });
    const startedAt = performance.now();
    const response = await visit(url);
    expect([response.status, response.code]).toEqual([504, 'tunnel_timeout']);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(times.responseHeadMs - 20);
    await expect.poll(() => closed).toBe(1);
  });

  it('has its full time after a slow upload', async () => {
    const { url } = await tunnelTo(async (message, response) => {
      await readAll(message);
      response.end('got it');
    });
    const answered = new Promise<number>((resolve, reject) => {
      const request = httpRequest(url, { method: 'POST', agent: false }, (response) =>
        resolve(response.statusCode ?? 0),
      );
      request.on('error', reject);
      const upload = async () => {
        for (let part = 0; part < 4; part++) {
          request.write('part');
          await sleep(200);
        }
        request.end();
      };
      void upload();
    });
    expect(await answered).toBe(200);
  });

  it('has its response ended when it pauses for too long; regular events keep it open', async () => {
    const { url } = await tunnelTo(async (message, response) => {
      response.write('begun');
      if (message.url === '/paused') return;
      for (let event = 0; event < 9; event++) {
        await sleep(300);
        response.write('.');
      }
      response.end();
    });
    await expect(visit(`${url}/paused`)).rejects.toThrow();
    expect(String((await visit(`${url}/slow`)).body)).toBe('begun.........');
  });
});

describe('a tunnel', () => {
  it('has 100 requests in flight: the 101st gets 503 with Retry-After, until one ends', async () => {
    const waiting: (() => void)[] = [];
    const { url } = await tunnelTo((_message, response) => {
      response.write('begun');
      waiting.push(() => response.end());
    });
    const under: Awaited<ReturnType<typeof begin>>[] = [];
    // In groups: on a busy machine, a hundred at once take longer than the local server may.
    while (under.length < 100) under.push(...(await Promise.all(Array.from({ length: 5 }, () => begin(url)))));
    expect(under.every(({ response }) => response.statusCode === 200)).toBe(true);
    const refused = await visit(url);
    expect([refused.status, refused.code, refused.headers['retry-after']]).toEqual([503, 'tunnel_busy', '1']);
    waiting.shift()?.();
    await Promise.any(under.map(({ body }) => body()));
    const served = begin(url);
    expect((await served).response.statusCode).toBe(200);
    for (const { request } of [...under, await served]) request.destroy();
  });

  it('a reader that does not read stops only its own response and its sender', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(64 * 1024);
    const { url } = await tunnelTo(async (message, response) => {
      if (message.url !== '/endless') return void response.end('quick');
      while (!response.destroyed) {
        sent += chunk.length;
        // A canceled response never drains, and nothing waits for it.
        if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve));
      }
    });
    const { request, response } = await begin(`${url}/endless`);
    response.pause();
    for (let before = -1; before !== sent; ) {
      before = sent;
      await sleep(200);
    }
    // A window, and what the socket buffers along the way hold.
    expect(sent).toBeLessThan(24 * 1024 * 1024);
    for (let count = 0; count < 20; count++) expect(String((await visit(url)).body)).toBe('quick');
    request.destroy();
  });

  it('a local server that does not read stops the upload, and delays no other request', async () => {
    const { url } = await tunnelTo((message, response) => {
      if (message.url !== '/stuck') response.end('quick');
    });
    let written = 0;
    const request = httpRequest(`${url}/stuck`, { method: 'POST', agent: false });
    request.on('error', () => undefined);
    const chunk = Buffer.alloc(64 * 1024);
    for (let count = 0; count < 150; count++) {
      if (request.write(chunk)) written += chunk.length;
      else break;
    }
    expect(String((await visit(url)).body)).toBe('quick');
    request.destroy();
    expect(written).toBeLessThan(10 * 1024 * 1024);
  });
});

describe('the log', () => {
  const list = async ({ id }: TestTunnel) =>
    (
      await call<{ data: TunnelRequest[] }>('GET', `/api/v1/projects/${project.id}/tunnels/${id}/requests`, {
        apiKey: project.key,
      })
    ).json.data;
  const detail = async ({ id }: TestTunnel, requestId: string) =>
    (
      await call<TunnelRequestDetail>('GET', `/api/v1/projects/${project.id}/tunnels/${id}/requests/${requestId}`, {
        apiKey: project.key,
      })
    ).json;

  it('has every request with its sizes, its status, and the error of one without a response', async () => {
    const { url, tunnel } = await tunnelTo((message, response) => {
      if (message.url !== '/hang') message.resume().on('end', () => response.writeHead(201).end('four'));
    });
    await visit(`${url}/a?b`, { method: 'POST', body: 'twelve bytes' });
    await visit(`${url}/hang`);
    await expect.poll(async () => (await list(tunnel)).length).toBe(2);
    const [hung, created] = await list(tunnel);
    expect(created).toMatchObject({
      method: 'POST',
      path: '/a?b',
      responseStatus: 201,
      requestSize: 12,
      responseSize: 4,
      error: null,
    });
    expect(hung).toMatchObject({ path: '/hang', responseStatus: null, responseSize: null, error: 'tunnel_timeout' });
  });

  it('a replay sends the request again, and has an entry of its own', async () => {
    const bodies: string[] = [];
    const { url, tunnel } = await tunnelTo(async (message, response) => {
      const { body, rawHeaders } = await readAll(message);
      bodies.push(`${message.method} ${message.url} ${body} ${rawHeaders.includes('X-Event')}`);
      response.end('done');
    });
    await visit(`${url}/hook?x=1`, { method: 'POST', body: '{"a":1}', headers: { 'X-Event': 'paid' } });
    await expect.poll(async () => (await list(tunnel)).length).toBe(1);
    const [first] = await list(tunnel);
    const path = `/api/v1/projects/${project.id}/tunnels/${tunnel.id}/requests/${first?.id}/replay`;
    const replayed = await call<{ requestId: string }>('POST', path, { apiKey: project.key });
    expect(replayed.status, replayed.text).toBe(202);
    expect(bodies).toEqual(['POST /hook?x=1 {"a":1} true', 'POST /hook?x=1 {"a":1} true']);
    await expect.poll(async () => (await list(tunnel)).length).toBe(2);
    expect(await detail(tunnel, replayed.json.requestId)).toMatchObject({ replayOf: first?.id, responseStatus: 200 });
  });

  it('a replay without a client gets 502 tunnel_offline', async () => {
    const { url, tunnel } = await tunnelTo(echo);
    await visit(url);
    await expect.poll(async () => (await list(tunnel)).length).toBe(1);
    const other = await makeTunnel(project);
    await visit(`${server.origin}${other.prefix}/x`);
    await expect.poll(async () => (await list(other)).length).toBe(1);
    const [entry] = await list(other);
    const path = `/api/v1/projects/${project.id}/tunnels/${other.id}/requests/${entry?.id}/replay`;
    const replayed = await call('POST', path, { apiKey: project.key });
    expect([replayed.status, replayed.json.code]).toEqual([502, 'tunnel_offline']);
  });
});
