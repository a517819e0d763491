import { request as httpRequest, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { settleBackground } from '@/lib/platform/background';
import { HEARTBEAT } from '@/lib/tunnel/protocol/protocol';
import type { TunnelRequest } from '@/lib/tunnel/schema';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call, expectProblem } from '@/tests/http/api-request';
import { readAll, startLocal } from '@/tests/tunnel/local-server';
import { startTunnelServer } from '@/tests/tunnel/start-tunnel-server';
import { clientOf, connectClient, makeTunnel, type TestTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { begin, visit } from '@/tests/tunnel/visit';

useDatabase();
const times = { responseHeadMs: 400, idleMs: 2_000, heartbeat: HEARTBEAT };
const server = useTunnelServer(() => ({ times }));
let project: TestProject;
beforeAll(async () => {
  project = await makeTestProject();
});

async function tunnelTo(
  listener: Parameters<typeof startLocal>[0],
  origin = server.origin,
): Promise<{ url: string; tunnel: TestTunnel }> {
  const tunnel = await makeTunnel(project);
  const local = await startLocal(listener);
  await connectClient(clientOf(origin, tunnel, local.url));
  return { url: `${origin}${tunnel.prefix}`, tunnel };
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

describe('a replay of a logged request', () => {
  it.each<[string, Parameters<typeof startLocal>[0], number, string]>([
    ['does not respond', () => undefined, 504, 'tunnel_timeout'],
    [
      'responds with what is not HTTP',
      (_message, response) => void response.writeHead(999).end(),
      502,
      'tunnel_failed',
    ],
  ])('fails when the local server %s', async (_what, listener, status, code) => {
    const { replay } = await loggedRequest(listener);
    expectProblem(await replay(), status, code);
  });

  it('is refused while the tunnel has all the requests that it may have in flight', async () => {
    // Nothing is late here, however slow the machine is.
    const patient = await startTunnelServer();
    onTestFinished(() => patient.stop());
    const waiting: ServerResponse[] = [];
    const { url, replay } = await loggedRequest((_message, response) => void waiting.push(response), patient.origin);
    const visits = Array.from({ length: 100 }, () => visit(url));
    await expect.poll(() => waiting.length).toBe(100);
    expectProblem(await replay(), 503, 'tunnel_busy');
    for (const response of waiting) response.end();
    await Promise.all(visits);
  });

  /** Logs a request that is answered. Later ones get to the listener. */
  async function loggedRequest(listener: Parameters<typeof startLocal>[0], origin = server.origin) {
    let isLogged = false;
    const { url, tunnel } = await tunnelTo((message, response) => {
      if (isLogged) listener(message, response);
      else response.end('answered');
    }, origin);
    await visit(url);
    isLogged = true;
    await settleBackground();
    const path = `/api/v1/projects/${project.id}/tunnels/${tunnel.id}/requests`;
    const { json } = await call<{ data: TunnelRequest[] }>('GET', path, { apiKey: project.key });
    return { url, replay: () => call('POST', `${path}/${json.data[0]?.id}/replay`, { apiKey: project.key }) };
  }
});

describe('a tunnel', () => {
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
});
