import { beforeAll, describe, expect, it } from 'vitest';
import { checkCookieNames } from '@/lib/idp/check-cookies';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sendRaw } from '@/tests/http/send-raw';
import { setTestConfig } from '@/tests/setup/variables';
import { echo, startLocal } from '@/tests/tunnel/local-server';
import { startTunnelServer, type TunnelServer } from '@/tests/tunnel/start-tunnel-server';
import { clientOf, connectClient, makeTunnel } from '@/tests/tunnel/tunnel-server';
import { visit } from '@/tests/tunnel/visit';

const db = useDatabase();
const [OWN, APP] = ['http://tunnels.example', 'http://app.example'];
let project: TestProject;
beforeAll(async () => {
  project = await makeTestProject();
});

/** Starts a server whose tunnels answer on the dashboard's origin, or on their own. */
async function startOn(variables: Record<string, string>): Promise<TunnelServer> {
  const { AUTH_SECRET, ENCRYPTION_KEY } = secrets;
  setTestConfig({ DATABASE_URL: db.url, APP_BASE_URL: APP, AUTH_SECRET, ENCRYPTION_KEY, ...variables });
  return startTunnelServer();
}
const secrets = { AUTH_SECRET: 's'.repeat(32), ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') };

async function serving(variables: Record<string, string>, use: (origin: string) => Promise<void>): Promise<void> {
  const started = await startOn(variables);
  try {
    await use(started.origin);
  } finally {
    await started.stop();
  }
}

async function tunnelTo(origin: string, listener: Parameters<typeof startLocal>[0], body: object = {}) {
  const [tunnel, local] = [await makeTunnel(project, body), await startLocal(listener)];
  const handle = await connectClient(clientOf(origin, tunnel, local.url));
  return { url: `${origin}${tunnel.prefix}`, prefix: tunnel.prefix, handle };
}

async function headersAtLocal(url: string, headers: Record<string, string>): Promise<Record<string, string>> {
  const { rawHeaders } = JSON.parse(String((await visit(url, { headers })).body)) as { rawHeaders: string[] };
  const pairs = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? '']] : [],
  );
  return Object.fromEntries(pairs);
}

const OURS = {
  Cookie: ['mine=1', 'refresh_token=secret', ...checkCookieNames().map((name) => `${name}.slot=secret`)].join('; '),
  'X-Platform-Admin-Token': 'secret',
};

describe('on the origin of the dashboard', () => {
  it('a request loses our cookies and its Authorization, and gets X-Forwarded-*', async () => {
    await serving({}, async (origin) => {
      const { url } = await tunnelTo(origin, echo);
      const received = await headersAtLocal(url, {
        ...OURS,
        ...{ Authorization: 'Basic eDp5', 'X-API-Key': project.key, Host: 'app.example', 'X-Forwarded-For': '9.9.9.9' },
        ...{ Connection: 'x-hop', 'X-Hop': '1', TE: 'trailers', 'X-Kept': 'yes' },
      });
      expect(JSON.stringify(received)).not.toContain('secret');
      expect(received).toMatchObject({ cookie: 'mine=1', 'x-kept': 'yes', 'x-forwarded-for': '127.0.0.1' });
      expect(received).toMatchObject({ 'x-forwarded-host': 'app.example', 'x-forwarded-proto': 'http' });
      expect(received.host).toMatch(/^127\.0\.0\.1:/);
      for (const name of ['authorization', 'x-api-key', 'x-hop', 'te']) expect(received, name).not.toHaveProperty(name);
    });
  });

  it('a response is sandboxed, and cannot set cookies, workers or rules of the origin', async () => {
    await serving({}, async (origin) => {
      const { url } = await tunnelTo(origin, (_message, response) => {
        response.writeHead(401, [
          ...[
            'Set-Cookie',
            'refresh_token=x',
            'Service-Worker-Allowed',
            '/',
            'Clear-Site-Data',
            '"*"',
            'Alt-Svc',
            'h3=":1"',
          ],
          ...['Strict-Transport-Security', 'max-age=1', 'NEL', '{}', 'Report-To', '{}', 'WWW-Authenticate', 'Basic'],
          ...['Access-Control-Allow-Credentials', 'true', 'Access-Control-Allow-Origin', '*', 'X-Kept', 'yes'],
          ...[
            'Content-Security-Policy',
            'sandbox allow-same-origin allow-scripts',
            'Connection',
            'x-hop',
            'X-Hop',
            '1',
          ],
        ]);
        response.end('<script>1</script>');
      });
      const { headers, rawHeaders } = await visit(url);
      const dropped = [
        'set-cookie',
        'service-worker-allowed',
        'clear-site-data',
        'alt-svc',
        'strict-transport-security',
      ];
      for (const name of [
        ...dropped,
        'nel',
        'report-to',
        'www-authenticate',
        'access-control-allow-credentials',
        'x-hop',
      ]) {
        expect(headers, name).not.toHaveProperty(name);
      }
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-kept': 'yes' });
      const policies = rawHeaders.filter((_value, at) => rawHeaders[at - 1] === 'Content-Security-Policy');
      expect(policies).toHaveLength(2);
      // All policies apply, so the one that lets nothing run decides.
      expect(policies[1]).toMatch(/^default-src 'none'; .*; sandbox$/);
      expect(headers).toMatchObject({ 'content-disposition': 'attachment; filename="response.txt"' });
    });
  });

  it('a page of a tunnel is shown in a sandbox next to a dashboard on this machine', async () => {
    await serving({ APP_BASE_URL: 'http://localhost:3000' }, async (origin) => {
      const { headers } = await visit((await tunnelTo(origin, echo)).url);
      expect(headers['content-security-policy']).toMatch(/^sandbox (?!.*allow-same-origin).*allow-scripts/);
      expect(headers).not.toHaveProperty('content-disposition');
    });
  });

  it('no service worker is served', async () => {
    await serving({}, async (origin) => {
      const { url } = await tunnelTo(origin, echo);
      expect((await visit(url, { headers: { 'Service-Worker': 'script' } })).status).toBe(403);
      expect((await visit(url)).status).toBe(200);
    });
  });

  it('a WebSocket is refused with 501, and an offer of another protocol is ignored', async () => {
    await serving({}, async (origin) => {
      const { prefix, url } = await tunnelTo(origin, echo);
      const port = Number(new URL(origin).port);
      const lines = (upgrade: string) => [
        ...[`GET ${prefix}/x HTTP/1.1`, 'Host: a', `Connection: Upgrade, close`, `Upgrade: ${upgrade}`],
        ...['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='],
      ];
      const refused = await sendRaw(port, `${lines('websocket').join('\r\n')}\r\n\r\n`);
      expect(refused).toMatch(/^HTTP\/1\.1 501 .*"code":"upgrade_unsupported"/s);
      const served = await sendRaw(port, `${lines('h2c').join('\r\n')}\r\n\r\n`);
      expect(served).toMatch(/^HTTP\/1\.1 200 /);
      expect(
        (await visit(url, { method: 'POST', headers: { Upgrade: 'h2c', Connection: 'Upgrade' }, body: 'all of it' }))
          .status,
      ).toBe(200);
    });
  });
});

describe('on an origin of its own', () => {
  const variables = { TUNNEL_BASE_URL: OWN };
  const HOST = { Host: 'tunnels.example' };

  it("Authorization passes, unless it is the tunnel's password or a credential of ours", async () => {
    await serving(variables, async (origin) => {
      const open = await tunnelTo(origin, echo);
      const sent = (value: string) => headersAtLocal(open.url, { ...HOST, ...OURS, Authorization: value });
      expect(await sent('Bearer theirs')).toMatchObject({ authorization: 'Bearer theirs', cookie: 'mine=1' });
      expect(await sent(`Bearer ${project.key}`)).not.toHaveProperty('authorization');
      expect(await sent(`Bearer ${project.owner.accessToken}`)).not.toHaveProperty('authorization');
      expect(await sent('Bearer eyJraWQiOiJ4In0.e30.x')).toHaveProperty('authorization');
      const closed = await tunnelTo(origin, echo, { basicAuth: { username: 'eve', password: 'a long password' } });
      const authorization = `Basic ${Buffer.from('eve:a long password').toString('base64')}`;
      const inside = await headersAtLocal(closed.url, { ...HOST, Authorization: authorization });
      expect(inside).not.toHaveProperty('authorization');
    });
  });

  it('cookies are confined to the tunnel, and there is no sandbox', async () => {
    await serving(variables, async (origin) => {
      const { url, prefix } = await tunnelTo(origin, (_message, response) => {
        response
          .writeHead(200, ['Set-Cookie', 'a=b; Path=/x; Domain=example; HttpOnly', 'Service-Worker-Allowed', '/'])
          .end();
      });
      const { headers } = await visit(url, { headers: HOST });
      expect(headers['set-cookie']).toEqual([`a=b; HttpOnly; Path=${prefix}/x`]);
      for (const name of ['content-security-policy', 'service-worker-allowed'])
        expect(headers).not.toHaveProperty(name);
    });
  });

  it('a tunnel answers only there, next to nothing but the health checks', async () => {
    await serving(variables, async (origin) => {
      const { prefix } = await tunnelTo(origin, echo);
      const statusOf = async (host: string, path: string) =>
        (await visit(`${origin}${path}`, { headers: { Host: host } })).status;
      expect(await statusOf('tunnels.example', `${prefix}/`)).toBe(200);
      expect(await statusOf('TUNNELS.example:80', `${prefix}/`)).toBe(200);
      expect(await statusOf('app.example', `${prefix}/`)).toBe(404);
      expect(await statusOf('app.example', '/login')).toBe(200);
      expect(await statusOf('tunnels.example', '/login')).toBe(404);
      expect(await statusOf('tunnels.example', `/api/v1/projects/${project.id}/tunnels`)).toBe(404);
      expect(await statusOf('tunnels.example', '/api/health/live')).toBe(200);
      for (const path of [
        '/api/health/../v1/auth/me',
        '/api/health/%2e%2e/v1/auth/me',
        '/api/health/live/x',
        '//login',
      ]) {
        expect(await statusOf('tunnels.example', path), path).toBe(404);
      }
      for (const host of ['app.example@tunnels.example', 'tunnels.example/', 'tunnels.example?', 'x.tunnels.example']) {
        expect(await statusOf(host, `${prefix}/`), host).toBe(404);
      }
    });
  });

  it('goes by the host of a target in absolute form, which counts more than Host', async () => {
    await serving(variables, async (origin) => {
      const { prefix } = await tunnelTo(origin, echo);
      const firstLine = async (target: string, host: string) => {
        const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
        return (await sendRaw(Number(new URL(origin).port), head)).split('\r\n')[0];
      };
      expect(await firstLine(`http://tunnels.example${prefix}/`, 'app.example')).toContain(' 200 ');
      expect(await firstLine(`http://app.example${prefix}/`, 'tunnels.example')).toContain(' 404 ');
      expect(await firstLine('http://tunnels.example/login', 'app.example')).toContain(' 404 ');
      expect(await firstLine('http://app.example/login', 'tunnels.example')).toContain(' 200 ');
      // The offer is declined, and the request is read again without it.
      const offer = 'Connection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n';
      const head = `GET http://app.example${prefix}/ HTTP/1.1\r\nHost: tunnels.example\r\n${offer}`;
      expect(await sendRaw(Number(new URL(origin).port), head)).toContain(' 404 ');
    });
  });
});
