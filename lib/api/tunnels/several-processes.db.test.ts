import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Attempt, AttemptDetail } from '@/lib/delivery/schema';
import { settleBackground } from '@/lib/platform/background';
import { config } from '@/lib/platform/config/config';
import { findFreePort } from '@/lib/platform/free-port';
import { setOnce } from '@/lib/platform/globals';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { openTunnel, type TunnelStatus } from '@/lib/tunnel/client';
import type { TunnelRequestDetail } from '@/lib/tunnel/schema';
import { count, tablesWith } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';
import { endProcess, useProcesses } from '@/tests/processes/entry-process';
import { echo, readAll, startLocal } from '@/tests/tunnel/local-server';
import { startTunnelServer, type TunnelServer } from '@/tests/tunnel/start-tunnel-server';
import { clientOf, connectClient, makeTunnel } from '@/tests/tunnel/tunnel-server';
import { begin, visit } from '@/tests/tunnel/visit';

const db = useDatabase();

let project: TestProject;

describe('with several web processes', () => {
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
    const tunnel = await makeTunnel(project);
    const local = await startLocal(listener);
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
      expect([response.status, response.headers['x-method'], response.headers['x-path']]).toEqual([
        201,
        'PUT',
        '/a?b=1',
      ]);
      expect(response.body.equals(body)).toBe(true);
      const chunks: string[] = [];
      for await (const chunk of (await begin(`${url}/events`)).response) chunks.push(String(chunk));
      expect(chunks).toEqual(['one', 'two']);
    });

    it('gets 502 tunnel_offline when the other process is gone but its row remains', async () => {
      const { first, tunnel, url } = await startTwo((_message, response) => void response.end());
      expect((await visit(url)).status).toBe(200);
      await endProcess(first.child, 'SIGKILL');
      const response = await visit(url);
      expect([response.status, response.code]).toEqual([502, 'tunnel_offline']);
      expect(await count('SELECT FROM tunnel_connections WHERE tunnel_id = $1', tunnel.id)).toBe(1);
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
});

const VALUE = 'a-long-credential-42';

const BASIC = Buffer.from(`shop:${VALUE}`).toString('base64');

const AUTHS = [
  [{ type: 'BEARER', token: VALUE }, 'authorization', VALUE],
  [{ type: 'BASIC', username: 'shop', password: VALUE }, 'authorization', BASIC],
  // No rule for names covers this one.
  [{ type: 'HEADER', name: 'X-Vault', value: VALUE }, 'x-vault', VALUE],
] as const;

const { makeSource, makeDestination, post, deliveriesOf } = sourceTools(() => project);

let server: TunnelServer;

type Credential = { apiKey: string } | { bearer: string };

const lower = (headers: HeaderPairs | null | undefined) =>
  Object.fromEntries((headers ?? []).map(([name, value]) => [name.toLowerCase(), value]));

const read = async <T>(path: string, credential: Credential) => {
  const found = await call<T>('GET', `/api/v1/projects/${project.id}${path}`, credential);
  expect(found.status, found.text).toBe(200);
  return found.json;
};

const newestOf = async (path: string): Promise<string> =>
  (await read<{ data: { id: string }[] }>(`${path}?limit=1`, { apiKey: project.key })).data[0]?.id ?? '';

/**
 * Forwards an event through a tunnel whose local server repeats what it got.
 * @param origins the names of the service for the client and for the destination; by default the configured ones
 * @returns the paths of its traces
 */
async function forward(
  auth: object,
  origins = { client: config().baseUrl, destination: config().TUNNEL_BASE_URL ?? config().baseUrl },
): Promise<{ attempts: string; attempt: string; logged: string }> {
  const tunnel = await makeTunnel(project);
  const local = await startLocal(echo);
  await connectClient(clientOf(origins.client, tunnel, local.url));
  const source = await makeSource();
  const url = `${origins.destination}${tunnel.prefix}/hook`;
  await makeDestination(source, { url }, { auth, signing: true });
  const { json } = await post(source, '{"a":1}');
  await startWorker();
  await waitFor('the forward', async () => (await deliveriesOf(json.id))[0]?.status === 'SUCCEEDED');
  await settleBackground();
  const attempts = `/deliveries/${(await deliveriesOf(json.id))[0]?.id}/attempts`;
  const requests = `/tunnels/${tunnel.id}/requests`;
  return {
    attempts,
    attempt: `${attempts}/${await newestOf(attempts)}`,
    logged: `${requests}/${await newestOf(requests)}`,
  };
}

describe.each([
  ['of the dashboard', false],
  ['of their own', true],
])('a forward to a tunnel on an origin %s', (_, isOwnOrigin) => {
  beforeAll(async () => {
    const port = await findFreePort();
    const [baseUrl, TUNNEL_BASE_URL] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
    setOnce('config', { ...config(), baseUrl, TUNNEL_BASE_URL: isOwnOrigin ? TUNNEL_BASE_URL : undefined });
    server = await startTunnelServer({}, port);
    project = await makeTestProject();
  });
  afterAll(() => server.stop());

  it.each(AUTHS)(
    'with %j is shown alike by the inspector and the log, to each as much as they may see, and its credential is stored nowhere',
    async (auth, header, secret) => {
      const { attempts, attempt, logged } = await forward(auth);
      const member = async (role: 'VIEWER' | 'DEVELOPER') => ({
        bearer: (await registerMember(project.owner.organizationId, role)).accessToken,
      });
      const shown = async (credential: Credential) => {
        const inspected = await read<AttemptDetail>(attempt, credential);
        const log = await read<TunnelRequestDetail>(logged, credential);
        const listed = await read<{ data: Attempt[] }>(attempts, credential);
        return {
          signatures: [inspected.request?.headers, log.requestHeaders].map((each) => lower(each)['webhook-signature']),
          inspected,
          log,
          text: JSON.stringify([inspected, log, listed]),
        };
      };
      const signature = (await shown({ apiKey: project.key })).signatures[0] ?? '';
      expect(signature).toMatch(/^v1,/);
      for (const credential of [{ apiKey: project.key }, await member('DEVELOPER')]) {
        const { signatures, text } = await shown(credential);
        expect(signatures).toEqual([signature, signature]);
        expect(text).not.toContain(VALUE);
      }
      for (const credential of [{ apiKey: project.readOnlyKey }, await member('VIEWER')]) {
        const { signatures, log, inspected, text } = await shown(credential);
        expect(signatures).toEqual(['[redacted]', '[redacted]']);
        expect(text).not.toContain(signature.slice(3));
        expect([log.responseBody, inspected.responseBody]).toEqual([
          expect.stringContaining('webhook-signature'),
          expect.stringContaining('webhook-signature'),
        ]);
      }
      const { inspected, log } = await shown({ apiKey: project.key });
      expect(lower(inspected.request?.headers)[header]).toBe('[redacted]');
      const isRelayed = isOwnOrigin || header !== 'authorization';
      expect(lower(log.requestHeaders)[header]).toBe(isRelayed ? '[redacted]' : undefined);
      if (isRelayed) expect(log.responseBody).toContain('[credential]');
      expect(log.responseBody).not.toContain('x-eds-credential');
      expect(log.responseBody).toContain('webhook-signature');
      expect([log.responseBody, JSON.stringify(log.requestHeaders)].join()).not.toContain('x-eds-owner');
      expect(await tablesWith('webhook-signature')).toEqual(expect.arrayContaining(['tunnel_request_log']));
      expect([...(await tablesWith(secret)), ...(await tablesWith(VALUE))]).toEqual([]);
    },
  );
});

describe('a forward to a tunnel by a name of the service that is not configured', () => {
  beforeAll(async () => {
    const names = { baseUrl: 'https://events.example', TUNNEL_BASE_URL: undefined };
    setOnce('config', { ...config(), ...names, DELIVERY_ALLOWED_CIDRS: ['127.0.0.0/8'] });
    server = await startTunnelServer();
    project = await makeTestProject();
  });
  afterAll(() => server.stop());

  it.each(AUTHS)('with %j leaves its credential nowhere', async (auth, header, secret) => {
    const { attempts, attempt, logged } = await forward(auth, { client: server.origin, destination: server.origin });
    const [detail, log] = [
      await read<AttemptDetail>(attempt, { apiKey: project.key }),
      await read<TunnelRequestDetail>(logged, { apiKey: project.key }),
    ];
    expect(lower(detail.request?.headers)[header]).toBe('[redacted]');
    expect(lower(log.requestHeaders)[header]).toBe(header === 'authorization' ? undefined : '[redacted]');
    expect(log.responseBody).toContain('x-eds-source-id');
    expect(log.responseBody).not.toContain('x-eds-credential');
    expect(await read<{ data: Attempt[] }>(attempts, { apiKey: project.key })).toMatchObject({
      data: [{ error: null }],
    });
    expect([...(await tablesWith(secret)), ...(await tablesWith(VALUE))]).toEqual([]);
  });

  it('keeps a header that a visitor calls a credential', async () => {
    const tunnel = await makeTunnel(project);
    const local = await startLocal(echo);
    await connectClient(clientOf(server.origin, tunnel, local.url));
    const mark = `x-vault ${'A'.repeat(43)}`;
    const headers = { 'X-Vault': 'shown-in-the-log', 'X-EDS-Credential-Mark': mark, 'X-EDS-Incoming-Event-Id': '0199' };
    expect((await visit(`${server.origin}${tunnel.prefix}/`, { headers })).status).toBe(200);
    await settleBackground();
    const requests = `/tunnels/${tunnel.id}/requests`;
    const log = await read<TunnelRequestDetail>(`${requests}/${await newestOf(requests)}`, { apiKey: project.key });
    expect(lower(log.requestHeaders)['x-vault']).toBe('shown-in-the-log');
  });
});
