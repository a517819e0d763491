import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openTunnel } from '@/lib/tunnel/client';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { makeCertificate } from '@/tests/http/certificate';
import { startConnectProxy } from '@/tests/tunnel/connect-proxy';
import { echo, startLocal } from '@/tests/tunnel/local-server';
import { clientOf, connectClient, makeTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { visit } from '@/tests/tunnel/visit';

useDatabase();
const server = useTunnelServer();
let project: TestProject;
beforeAll(async () => {
  project = await makeTestProject();
});
afterEach(() => vi.unstubAllEnvs());

const portOf = () => Number(new URL(server.origin).port);
/** An address of this machine that is not a loopback one. */
const reachable = () => `http://0.0.0.0:${portOf()}`;

/** Connects a client of a new tunnel with these variables, and visits the tunnel. @returns the status */
async function useTunnel(url: string, env: Record<string, string>): Promise<number> {
  const [tunnel, local] = [await makeTunnel(project), await startLocal(echo)];
  await connectClient({ ...clientOf(url, tunnel, local.url), env });
  return (await visit(`${server.origin}${tunnel.prefix}/`)).status;
}

/** @returns why a client with these variables cannot connect */
async function reasonOf(url: string, env: Record<string, string>): Promise<string> {
  const [tunnel, local] = [await makeTunnel(project), await startLocal(echo)];
  return new Promise((resolve) => {
    const handle = openTunnel({
      ...{ ...clientOf(url, tunnel, local.url), env },
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
    const back = connect(portOf(), '127.0.0.1');
    for (const each of [socket, back]) each.on('error', () => undefined);
    socket.pipe(back).pipe(socket);
    socket.once('close', () => back.destroy());
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void front.close());
  return (front.address() as AddressInfo).port;
}

describe('the client of a tunnel behind a proxy', () => {
  it('connects through HTTP_PROXY, and reaches its local server directly', async () => {
    const proxy = await startConnectProxy();
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
    expect(await useTunnel(reachable(), env)).toBe(200);
    expect(proxy.asked).toEqual([`0.0.0.0:${portOf()}`]);
  });

  it('connects directly to what NO_PROXY names', async () => {
    const proxy = await startConnectProxy();
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: `0.0.0.0:${portOf()}` };
    expect(await useTunnel(reachable(), env)).toBe(200);
    expect(proxy.asked).toEqual([]);
  });

  it('connects directly to this machine', async () => {
    const proxy = await startConnectProxy();
    const proxies = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await useTunnel(`http://${host}:${portOf()}`, proxies)).toBe(200);
    }
    expect(proxy.asked).toEqual([]);
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
