import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { startLocal } from '@/tests/tunnel/local-server';
import { clientOf, connectClient, makeTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { visit } from '@/tests/tunnel/visit';

useDatabase();
const ORIGIN = 'http://tunnels.example.com';
const server = useTunnelServer(() => ({
  settings: {
    baseUrl: 'http://127.0.0.1',
    tunnelBaseUrl: ORIGIN,
    peerUrl: () => 'http://127.0.0.1:9',
    logBodyBytes: 0,
    logHeaders: true,
  },
}));
let project: TestProject;
beforeAll(async () => {
  project = await makeTestProject();
});

const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'user-agent': 'Mozilla/5.0' };
const SCRIPT = { 'sec-fetch-mode': 'same-origin', 'user-agent': 'Mozilla/5.0', 'service-worker': 'script' };
const IMAGE = { 'sec-fetch-mode': 'no-cors', 'user-agent': 'Mozilla/5.0' };

/** Starts a local server that asks everybody for a password, with a tunnel to it, and returns a visitor of it. */
async function startAsking(options: object = {}) {
  const local = await startLocal((_message, response) => {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="local"' }).end('local');
  });
  const tunnel = await makeTunnel(project, options);
  await connectClient(clientOf(server.origin, tunnel, local.url));
  return (path: string, headers: Record<string, string> = {}) =>
    visit(`${server.origin}${tunnel.prefix}${path}`, { headers: { host: new URL(ORIGIN).host, ...headers } });
}

describe('a tunnel’s URL without the final slash, whose folder is that of all tunnels', () => {
  it('sends a browser to the one with it, and no other client', async () => {
    const to = await startAsking();
    const { status, headers } = await to('?a=b', NAVIGATION);
    expect([status, headers.location]).toEqual([308, expect.stringMatching(/^\/t\/[^/]+\/\?a=b$/)]);
    const old = { 'user-agent': 'Mozilla/5.0', accept: 'text/html' };
    expect((await to('', old)).status).toBe(308);
    expect((await to('', { accept: 'text/html' })).status).toBe(401);
    expect((await to('/', NAVIGATION)).status).toBe(401);
  });

  it.each([
    ['its own password', { basicAuth: { username: 'eve', password: 'a long password' } }],
    ['a password of the local server', {}],
  ])('asks no browser for %s, which it would send to other tunnels', async (_, options) => {
    const to = await startAsking(options);
    const asked = async (path: string, headers = {}) => {
      const answer = await to(path, headers);
      return [answer.status, answer.headers['www-authenticate']?.startsWith('Basic') === true];
    };
    expect(await asked('', IMAGE)).toEqual([401, false]);
    expect(await asked('/', IMAGE)).toEqual([401, true]);
    expect(await asked('')).toEqual([401, true]);
  });

  it('is no script of a service worker, which would get the requests to other tunnels', async () => {
    const to = await startAsking();
    expect((await to('', SCRIPT)).status).toBe(403);
    expect((await to('?x', SCRIPT)).status).toBe(403);
    expect((await to('/worker.js', SCRIPT)).status).toBe(401);
  });
});
