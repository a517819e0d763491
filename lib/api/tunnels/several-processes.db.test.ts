import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { findFreePort } from '@/lib/platform/free-port';
import { openTunnel, type TunnelStatus } from '@/lib/tunnel/client';
import { signPeerRequest, withLength } from '@/lib/tunnel/relay/peer/peer-protocol';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { waitFor } from '@/tests/http/receiver';
import { endProcess, useProcesses } from '@/tests/processes/entry-process';
import { readAll, startLocal } from '@/tests/tunnel/local-server';
import { clientOf, connectClient, makeTunnel, type TestTunnel } from '@/tests/tunnel/tunnel-server';
import { begin, visit } from '@/tests/tunnel/visit';

const db = useDatabase();
let project: TestProject;
beforeAll(async () => {
  project = await makeTestProject();
});
const start = useProcesses('tests/tunnel/tunnel-process.ts', () => ({
  DATABASE_URL: db.url,
  AUTH_SECRET: (config().AUTH_SECRET ?? []).join(','),
  ENCRYPTION_KEY: (config().ENCRYPTION_KEY ?? []).join(','),
  APP_BASE_URL: config().baseUrl,
  LOG_LEVEL: 'silent',
}));

interface WebProcess {
  child: ChildProcess;
  origin: string;
  port: number;
}

async function startWeb(port?: number): Promise<WebProcess> {
  const chosen = port ?? (await findFreePort());
  const child = start([], { PORT: String(chosen), TUNNEL_PEER_URL: `http://127.0.0.1:${chosen}` });
  child.stdout?.resume();
  child.stderr?.pipe(process.stderr);
  await once(child, 'message');
  return { child, origin: `http://127.0.0.1:${chosen}`, port: chosen };
}

/** Starts two web processes; the client of a tunnel is connected to the first. */
async function startTwo(listener: Parameters<typeof startLocal>[0]) {
  const [first, second] = await Promise.all([startWeb(), startWeb()]);
  const [tunnel, local] = [await makeTunnel(project), await startLocal(listener)];
  const handle = await connectClient(clientOf(first.origin, tunnel, local.url));
  return { first, second, tunnel, handle, url: `${second.origin}${tunnel.prefix}` };
}

describe('a request that arrives at another process than the client of its tunnel', () => {
  it('passes with its body in both directions, and as a stream', async () => {
    const { url } = await startTwo(async (message, response) => {
      if (message.url === '/events') {
        response.write('one');
        await sleep(200);
        response.end('two');
        return;
      }
      const { method, body } = await readAll(message);
      response.writeHead(201, { 'X-Method': method, 'X-Path': message.url ?? '' }).end(body);
    });
    const body = Buffer.alloc(10 * 1024 * 1024, 'abc');
    const response = await visit(`${url}/a?b=1`, { method: 'PUT', body });
    expect([response.status, response.headers['x-method'], response.headers['x-path']]).toEqual([201, 'PUT', '/a?b=1']);
    expect(response.body.equals(body)).toBe(true);
    const chunks: string[] = [];
    for await (const chunk of (await begin(`${url}/events`)).response) chunks.push(String(chunk));
    expect(chunks).toEqual(['one', 'two']);
  });

  it('is canceled at the local server when the public hangs up', async () => {
    let closed = 0;
    const { url } = await startTwo((_message, response) => {
      response.once('close', () => {
        closed += 1;
      });
      response.write('begun');
    });
    (await begin(url)).request.destroy();
    await waitFor('the end of the local request', () => closed === 1);
  });

  it('gets 502 tunnel_offline when the other process is gone but its row remains', async () => {
    const { first, tunnel, url } = await startTwo((_message, response) => void response.end());
    expect((await visit(url)).status).toBe(200);
    await endProcess(first.child, 'SIGKILL');
    const response = await visit(url);
    expect([response.status, response.code]).toEqual([502, 'tunnel_offline']);
    expect((await database().query('SELECT FROM tunnel_connections WHERE tunnel_id = $1', [tunnel.id])).rowCount).toBe(
      1,
    );
  });

  it('finds the client at once after another one took the tunnel over', async () => {
    const { second, tunnel, url, handle } = await startTwo((_message, response) => void response.end('first'));
    expect(String((await visit(url)).body)).toBe('first');
    const local = await startLocal((_message, response) => void response.end('second'));
    await connectClient({ ...clientOf(second.origin, tunnel, local.url), takeover: true });
    expect(await handle.closed).toMatch(/took the tunnel over/);
    expect(String((await visit(url)).body)).toBe('second');
  });
});

describe('a process that is killed and started again', () => {
  it('has its client back within five seconds, with the same address', async () => {
    const web = await startWeb();
    const tunnel = await makeTunnel(project);
    const local = await startLocal((_message, response) => void response.end('here'));
    const statuses: TunnelStatus[] = [];
    const handle = openTunnel({
      ...clientOf(web.origin, tunnel, local.url),
      onStatus: (status) => void statuses.push(status),
    });
    onTestFinished(() => handle.close());
    await handle.connected;
    await endProcess(web.child, 'SIGKILL');
    await startWeb(web.port);
    const startedAt = performance.now();
    const url = `${web.origin}${tunnel.prefix}/`;
    await waitFor('the tunnel', async () => (await visit(url)).status === 200);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('that is stopped hands its client over to another one at once', async () => {
    const [first, second] = await Promise.all([startWeb(), startWeb()]);
    const tunnel = await makeTunnel(project);
    const local = await startLocal((_message, response) => void response.end('here'));
    // Like a load balancer: whichever process is up.
    const origins = [first.origin, second.origin];
    const options = clientOf(first.origin, tunnel, local.url);
    Object.defineProperty(options, 'url', { get: () => (origins.length > 1 ? origins.shift() : origins[0]) });
    await connectClient(options);
    expect(await endProcess(first.child, 'SIGTERM')).toBe(0);
    const startedAt = performance.now();
    await waitFor('the tunnel', async () => (await visit(`${second.origin}${tunnel.prefix}/`)).status === 200);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe('the path between processes', () => {
  const head = Buffer.from(JSON.stringify({ method: 'GET', path: '/', headers: [], hasBody: false }));

  async function send(web: WebProcess, tunnel: TestTunnel, change: (headers: Record<string, string>) => void) {
    const rows = await database().query('SELECT connection_id FROM tunnel_connections WHERE tunnel_id = $1', [
      tunnel.id,
    ]);
    const path = `/t/~peer/${tunnel.id}`;
    const signed = {
      method: 'POST',
      path,
      tunnelId: tunnel.id,
      connectionId: rows.rows[0].connection_id as string,
      head,
    };
    const headers = { 'tunnel-peer-connection': signed.connectionId, ...signPeerRequest(signed) };
    change(headers);
    const post = () => visit(`${web.origin}${path}`, { method: 'POST', headers, body: withLength(head) });
    return { post, headers };
  }

  it('accepts a signature once, and no forged, changed or old one', async () => {
    const { first, tunnel } = await startTwo((_message, response) => void response.end('secret'));
    const { post } = await send(first, tunnel, () => undefined);
    expect(String((await post()).body)).toContain('secret');
    expect((await post()).status).toBe(404);
    const changes: ((headers: Record<string, string>) => void)[] = [
      (headers) => Object.assign(headers, { 'tunnel-peer-signature': 'A'.repeat(43) }),
      (headers) => delete headers['tunnel-peer-signature'],
      (headers) => Object.assign(headers, { 'tunnel-peer-nonce': 'another' }),
      (headers) => Object.assign(headers, { 'tunnel-peer-connection': tunnel.id }),
      (headers) => Object.assign(headers, { 'tunnel-peer-time': String(Date.now() - 61_000) }),
    ];
    for (const change of changes) {
      const response = await (await send(first, tunnel, change)).post();
      expect([response.status, String(response.body)]).toEqual([404, expect.not.stringContaining('secret')]);
    }
  });
});
