import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Attempt, AttemptDetail } from '@/lib/delivery/schema';
import { settleBackground } from '@/lib/platform/background';
import { config } from '@/lib/platform/config/config';
import { findFreePort } from '@/lib/platform/free-port';
import { setOnce } from '@/lib/platform/globals';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import type { TunnelRequestDetail } from '@/lib/tunnel/schema';
import { tablesWith } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';
import { echo, startLocal } from '@/tests/tunnel/local-server';
import { startTunnelServer, type TunnelServer } from '@/tests/tunnel/start-tunnel-server';
import { clientOf, connectClient, makeTunnel } from '@/tests/tunnel/tunnel-server';

useDatabase();

const VALUE = 'a-long-credential-42';
const BASIC = Buffer.from(`shop:${VALUE}`).toString('base64');
const AUTHS = [
  [{ type: 'BEARER', token: VALUE }, 'authorization', VALUE],
  [{ type: 'BASIC', username: 'shop', password: VALUE }, 'authorization', BASIC],
  // No rule for names covers this one.
  [{ type: 'HEADER', name: 'X-Vault', value: VALUE }, 'x-vault', VALUE],
] as const;

const { manage, makeSource, makeDestination, post, deliveriesOf } = sourceTools(() => project);
let project: TestProject;
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

/** Forwards an event through a tunnel whose local server repeats what it got. @returns the paths of its traces */
async function forward(auth: object): Promise<{ attempts: string; attempt: string; logged: string }> {
  const [tunnel, local] = [await makeTunnel(project), await startLocal(echo)];
  await connectClient(clientOf(config().baseUrl, tunnel, local.url));
  const source = await makeSource();
  const url = `${config().TUNNEL_BASE_URL ?? config().baseUrl}${tunnel.prefix}/hook`;
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
    'with %j is shown alike by the inspector and the log, to each as much as they may see',
    async (auth, header) => {
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
    },
  );

  it.each(AUTHS)('with %j leaves its credential in no row of any table', async (auth, _header, secret) => {
    const { logged } = await forward(auth);
    expect(await tablesWith('webhook-signature')).toEqual(expect.arrayContaining(['tunnel_request_log']));
    expect([...(await tablesWith(secret)), ...(await tablesWith(VALUE))]).toEqual([]);
    expect((await manage<TunnelRequestDetail>('GET', logged)).signature).not.toBeUndefined();
  });
});
