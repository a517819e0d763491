import { connect as connectSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { database } from '@/lib/platform/db';
import { openTunnel, type TunnelStatus } from '@/lib/tunnel/client';
import { SUBPROTOCOL } from '@/lib/tunnel/protocol/protocol';
import { notifyReleased, releaseTunnels, takeTunnel } from '@/lib/tunnel/relay/connections-sql';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sendThroughNode } from '@/tests/http/adapters';
import { call, callOver, expectProblem } from '@/tests/http/api-request';
import { makeCertificate } from '@/tests/http/certificate';
import { listen } from '@/tests/http/listen';
import { sendRaw } from '@/tests/http/send-raw';
import { startConnectProxy } from '@/tests/tunnel/connect-proxy';
import { echo, startLocal } from '@/tests/tunnel/local-server';
import { startTunnelServer } from '@/tests/tunnel/start-tunnel-server';
import { clientOf, connectClient, makeTunnel, type TestTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { begin, visit } from '@/tests/tunnel/visit';

useDatabase();

const server = useTunnelServer();

let project: TestProject;

beforeAll(async () => {
  project = await makeTestProject();
});

async function connect(tunnel: TestTunnel, takeover = false) {
  const local = await startLocal((_message, response) => void response.end(takeover ? 'second' : 'first'));
  const statuses: TunnelStatus[] = [];
  const handle = openTunnel({
    ...clientOf(server.origin, tunnel, local.url),
    takeover,
    onStatus: (status) => void statuses.push(status),
  });
  onTestFinished(() => handle.close());
  return { handle, statuses };
}

const answerOf = async (tunnel: TestTunnel) => String((await visit(`${server.origin}${tunnel.prefix}/`)).body);

/** Offers the WebSocket of a client without the client. */
const offer = ({ projectId, id, key }: TestTunnel, query = '') => {
  const websocket = { 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'sec-websocket-protocol': SUBPROTOCOL };
  const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', ...websocket };
  const callServer = callOver(sendThroughNode(() => Number(new URL(server.origin).port)));
  return callServer('GET', `/api/v1/projects/${projectId}/tunnels/${id}/connect${query}`, { apiKey: key, headers });
};

const rowOf = async (tunnel: TestTunnel) =>
  (await select('SELECT * FROM tunnel_connections WHERE tunnel_id = $1', tunnel.id))[0];

describe('a second client', () => {
  it('is refused while the first is connected, and the first stays', async () => {
    const tunnel = await makeTunnel(project);
    await (await connect(tunnel)).handle.connected;
    const second = openTunnel(clientOf(server.origin, tunnel, new URL('http://127.0.0.1:1')));
    await expect(second.connected).rejects.toThrow('Another client is connected to this tunnel.');
    expectProblem(await offer(tunnel), 409, 'tunnel_in_use');
    expect(await answerOf(tunnel)).toBe('first');
  });

  it('replaces the first with takeover=true, and the first does not come back', async () => {
    const tunnel = await makeTunnel(project);
    const first = await connect(tunnel);
    await first.handle.connected;
    await (await connect(tunnel, true)).handle.connected;
    expect(await first.handle.closed).toMatch(/took the tunnel over/);
    expect(await answerOf(tunnel)).toBe('second');
  });

  it('is refused when another one has taken the tunnel over meanwhile, which stays', async () => {
    const tunnel = await makeTunnel(project);
    const { first } = takeTunnel;
    let answer = () => {};
    const claim = vi.spyOn(takeTunnel, 'first').mockImplementationOnce(async (...given) => {
      const claimed = await first.apply(takeTunnel, given);
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return claimed;
    });
    onTestFinished(() => claim.mockRestore());
    const offered = offer(tunnel, '?takeover=true');
    await expect.poll(() => rowOf(tunnel)).toBeDefined();
    const { handle } = await connect(tunnel, true);
    await handle.connected;
    answer();
    expectProblem(await offered, 409, 'tunnel_in_use');
    expect(await answerOf(tunnel)).toBe('second');
    expect(await rowOf(tunnel)).toBeDefined();
  });

  it('one of ten that connect at the same time wins', async () => {
    const tunnel = await makeTunnel(project);
    const clients = await Promise.all(Array.from({ length: 10 }, () => connect(tunnel)));
    const results = await Promise.allSettled(clients.map(({ handle }) => handle.connected));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await answerOf(tunnel)).toBe('first');
  });

  it('may connect when the row of the first is older than 30 seconds, and not before', async () => {
    const tunnel = await makeTunnel(project);
    const insert = (age: string) =>
      run(
        `INSERT INTO tunnel_connections (tunnel_id, project_id, connection_id, peer_url, client_name, heartbeat_at)
         VALUES ($1, $2, gen_random_uuid(), 'http://127.0.0.1:1', 'dead', now() - $3::interval)
         ON CONFLICT (tunnel_id) DO UPDATE SET heartbeat_at = excluded.heartbeat_at`,
        tunnel.id,
        tunnel.projectId,
        age,
      );
    await insert('20 s');
    await expect((await connect(tunnel)).handle.connected).rejects.toThrow('Another client');
    await insert('31 s');
    await (await connect(tunnel)).handle.connected;
    expect(await answerOf(tunnel)).toBe('first');
  });
});

describe('a connection', () => {
  it('leaves no row when its client ends', async () => {
    const tunnel = await makeTunnel(project);
    const { handle } = await connect(tunnel);
    await handle.connected;
    expect(await rowOf(tunnel)).toMatchObject({ project_id: project.id, client_name: 'eds-tunnel' });
    await handle.close();
    await expect.poll(() => rowOf(tunnel)).toBeUndefined();
  });

  it('is released together with those that end at the same time', async () => {
    const started = await startTunnelServer();
    const tunnels = await Promise.all(Array.from({ length: 12 }, () => makeTunnel(project)));
    const target = new URL('http://127.0.0.1:1');
    await Promise.all(tunnels.map((tunnel) => connectClient(clientOf(started.origin, tunnel, target))));
    const released = vi.spyOn(releaseTunnels, 'all');
    onTestFinished(() => released.mockRestore());
    await started.stop();
    expect(released.mock.calls[0]?.[1].tunnels.toSorted()).toEqual(tunnels.map(({ id }) => id).toSorted());
    for (const tunnel of tunnels) expect(await rowOf(tunnel)).toBeUndefined();
  });

  it('ends when the tunnel is deleted, and the client does not reconnect', async () => {
    const tunnel = await makeTunnel(project);
    const { handle } = await connect(tunnel);
    await handle.connected;
    const path = `/api/v1/projects/${project.id}/tunnels/${tunnel.id}`;
    expect((await call('DELETE', path, { apiKey: project.key })).status).toBe(204);
    expect(await handle.closed).toBe('No such tunnel.');
  });

  it('that lost its row is closed, and the client reconnects by itself with the same address', async () => {
    const tunnel = await makeTunnel(project);
    const { handle, statuses } = await connect(tunnel);
    await handle.connected;
    // As if the database had lost the row.
    await run('DELETE FROM tunnel_connections WHERE tunnel_id = $1', tunnel.id);
    await run(`SELECT pg_notify('tunnel_signal', json_build_object('tunnelId', $1::text)::text)`, tunnel.id);
    await expect.poll(() => statuses.filter(({ state }) => state === 'connected').length).toBe(2);
    expect(await answerOf(tunnel)).toBe('first');
  });

  it('of the same client replaces its earlier one that is still open', async () => {
    const started = await startTunnelServer();
    const tunnel = await makeTunnel(project);
    const local = await startLocal(echo);
    const handle = await connectClient(clientOf(started.origin, tunnel, local.url));
    const before = await rowOf(tunnel);
    await started.stop();
    const again = await startTunnelServer({}, Number(new URL(started.origin).port));
    onTestFinished(() => again.stop());
    await expect.poll(async () => (await rowOf(tunnel))?.client_hash?.equals(before.client_hash)).toBe(true);
    expect((await visit(`${again.origin}${tunnel.prefix}/`)).status).toBe(200);
    await handle.close();
  });
});

describe('who may connect', () => {
  const rawConnect = (tunnel: TestTunnel, ...more: string[]) => {
    const path = `/api/v1/projects/${tunnel.projectId}/tunnels/${tunnel.id}/connect`;
    const lines = [`GET ${path} HTTP/1.1`, 'Host: a', ...more];
    return sendRaw(Number(new URL(server.origin).port), `${lines.join('\r\n')}\r\n\r\n`, {
      until: '\r\n\r\n',
      ms: 5_000,
    });
  };
  const socket = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ];
  const protocol = 'Sec-WebSocket-Protocol: eds-tunnel.v1';

  it('is a developer or a key that may write', async () => {
    const tunnel = await makeTunnel(project);
    const viewer = await registerMember(project.owner.organizationId, 'VIEWER');
    const statusWith = async (...headers: string[]) =>
      (await rawConnect(tunnel, ...socket, protocol, ...headers)).slice(9, 12);
    expect(await statusWith()).toBe('401');
    expect(await statusWith('Cookie: refresh_token=x')).toBe('401');
    expect(await statusWith(`Authorization: Bearer ${viewer.accessToken}`)).toBe('403');
    expect(await statusWith(`X-API-Key: ${project.readOnlyKey}`)).toBe('403');
    expect(await statusWith(`X-API-Key: ${(await makeTestProject()).key}`)).toBe('404');
    expect(await statusWith(`X-API-Key: ${project.key}`)).toBe('101');
    await expect.poll(() => rowOf(tunnel)).toBeUndefined();
    expect(await statusWith(`Authorization: Bearer ${project.owner.accessToken}`)).toBe('101');
  });

  it('gets 426 without the WebSocket or its subprotocol', async () => {
    const tunnel = await makeTunnel(project);
    const key = `X-API-Key: ${project.key}`;
    expect(await rawConnect(tunnel, key, 'Connection: close')).toMatch(/^HTTP\/1\.1 426 /);
    expect(await rawConnect(tunnel, key, ...socket)).toMatch(/^HTTP\/1\.1 426 /);
    expect(await rowOf(tunnel)).toBeUndefined();
  });
});

describe('a server that stops', () => {
  it('lets requests end, and its clients reconnect at once', async () => {
    const started = await startTunnelServer();
    const tunnel = await makeTunnel(project);
    let receive = () => {};
    const isReceived = new Promise<void>((resolve) => {
      receive = resolve;
    });
    const local = await startLocal(async (_message, response) => {
      receive();
      await sleep(400);
      response.end('in time');
    });
    const statuses: TunnelStatus[] = [];
    await connectClient({
      ...clientOf(started.origin, tunnel, local.url),
      onStatus: (status) => void statuses.push(status),
    });
    const { response, body } = {
      ...(
        await Promise.all([
          begin(`${started.origin}${tunnel.prefix}/`),
          isReceived.then(async () => {
            const stopped = started.relay.stop(2_000);
            // The stop releases the connection, too, and its signal may arrive before the connection is closed.
            const { connection_id: connection } = await rowOf(tunnel);
            await releaseTunnels.run(database(), { tunnels: [tunnel.id], connections: [connection] });
            await notifyReleased.run(database(), { tunnels: [tunnel.id] });
            await stopped;
          }),
        ])
      )[0],
    };
    expect([response.statusCode, String(await body())]).toEqual([200, 'in time']);
    await expect
      .poll(() => statuses.at(-1)?.state === 'disconnected' || statuses.at(-1)?.state === 'connecting')
      .toBe(true);
    expect(statuses.find(({ state }) => state === 'disconnected')).toMatchObject({
      reason: 'The server is restarting.',
    });
    await started.stop();
  });
});

describe('the client of a tunnel behind a proxy', () => {
  afterEach(() => vi.unstubAllEnvs());
  const portOf = () => Number(new URL(server.origin).port);
  /** An address of this machine that is not a loopback one. */
  const reachable = () => `http://0.0.0.0:${portOf()}`;
  /** Connects a client of a new tunnel with these variables, and visits the tunnel. @returns the status */
  async function useTunnel(url: string, env: Record<string, string>): Promise<number> {
    const tunnel = await makeTunnel(project);
    const local = await startLocal(echo);
    await connectClient({ ...clientOf(url, tunnel, local.url), env });
    return (await visit(`${server.origin}${tunnel.prefix}/`)).status;
  }
  /** @returns why a client with these variables cannot connect */
  async function reasonOf(url: string, env: Record<string, string>): Promise<string> {
    const tunnel = await makeTunnel(project);
    const local = await startLocal(echo);
    return new Promise((resolve) => {
      const handle = openTunnel({
        ...clientOf(url, tunnel, local.url),
        env,
        onStatus: (status) => {
          if (status.state !== 'disconnected') return;
          resolve(status.reason);
          void handle.close();
        },
      });
    });
  }
  /** Puts TLS in front of the server. @returns the port */
  async function startTls(): Promise<number> {
    const certificate = makeCertificate('service.example', new Date(Date.now() + 86_400_000));
    const front = createTlsServer({ ...certificate, ALPNProtocols: ['http/1.1'] }, (socket) => {
      const back = connectSocket(portOf(), '127.0.0.1');
      for (const each of [socket, back]) each.on('error', () => undefined);
      socket.pipe(back).pipe(socket);
      socket.once('close', () => back.destroy());
    });
    return Number(new URL(await listen(front)).port);
  }
  it('connects through HTTP_PROXY, and reaches its local server directly', async () => {
    const proxy = await startConnectProxy();
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
    expect(await useTunnel(reachable(), env)).toBe(200);
    expect(proxy.asked).toEqual([`0.0.0.0:${portOf()}`]);
  });

  it('sends the credentials of the proxy to it, decoded, and names what is missing without them', async () => {
    const proxy = await startConnectProxy({ credentials: 'ada:p@ss w%rd' });
    const at = `127.0.0.1:${proxy.port}`;
    expect(await useTunnel(reachable(), { HTTP_PROXY: `http://ada:p%40ss%20w%25rd@${at}` })).toBe(200);
    const refused = await reasonOf(reachable(), { HTTP_PROXY: `http://ada:wrong-secret@${at}` });
    expect(refused).toBe(`The proxy http://${at} requires a username and password.`);
  });

  it('names a proxy that is away, one that cannot reach the service, and one that is not HTTP', async () => {
    const closed = await startLocal(echo);
    await closed.close();
    const away = await reasonOf(reachable(), { HTTP_PROXY: `http://me:secret@127.0.0.1:${closed.port}` });
    expect(away).toBe(`The proxy http://127.0.0.1:${closed.port} is not reachable: ECONNREFUSED.`);
    const proxy = await startConnectProxy();
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
    expect(await reasonOf(`http://0.0.0.0:${closed.port}`, env)).toMatch(/ answered with status 502\.$/);
    expect(await reasonOf(reachable(), { HTTP_PROXY: 'socks5://127.0.0.1:1080' })).toContain('URLs of HTTP proxies');
    const plain = await startLocal(echo);
    expect(await reasonOf(reachable(), { HTTP_PROXY: `http://127.0.0.1:${plain.port}` })).toContain(
      `The proxy http://127.0.0.1:${plain.port}`,
    );
  });

  it('speaks TLS with the service inside of the proxy, which sees no credential, and checks the certificate', async () => {
    const port = await startTls();
    const proxy = await startConnectProxy({ routes: { 'service.example:443': port } });
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    expect(await reasonOf('https://service.example', env)).toMatch(/self-signed certificate/);
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    expect(await useTunnel('https://service.example', env)).toBe(200);
    expect(proxy.asked).toEqual(['service.example:443', 'service.example:443']);
    expect(proxy.seen()).not.toContain(project.key);
    expect(proxy.seen()).toContain('service.example');
  });
});
