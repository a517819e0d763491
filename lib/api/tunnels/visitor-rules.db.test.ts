import { beforeAll, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { echo, startLocal } from '@/tests/tunnel/local-server';
import { clientOf, connectClient, makeTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { visit } from '@/tests/tunnel/visit';

useDatabase();
const server = useTunnelServer();
let project: TestProject;
beforeAll(async () => {
  project = await makeTestProject();
});

async function tunnelTo(listener: Parameters<typeof startLocal>[0], body: object): Promise<{ url: string }> {
  const [tunnel, local] = [await makeTunnel(project, body), await startLocal(listener)];
  await connectClient(clientOf(server.origin, tunnel, local.url));
  return { url: `${server.origin}${tunnel.prefix}` };
}

describe('who may enter', () => {
  it('needs the name and the password of the tunnel, if it has them', async () => {
    const { url } = await tunnelTo(echo, { basicAuth: { username: 'eve', password: 'a long password' } });
    const enter = (text: string) =>
      visit(url, { headers: { Authorization: `Basic ${Buffer.from(text).toString('base64')}` } });
    const refused = await visit(url);
    expect([refused.status, refused.code]).toEqual([401, 'unauthenticated']);
    expect(refused.headers['www-authenticate']).toMatch(/^Basic realm=/);
    expect((await enter('eve:wrong')).status).toBe(401);
    expect((await enter('eve:a long password')).status).toBe(200);
  });

  it('needs an allowed address, if the tunnel lists any', async () => {
    const { url: foreign } = await tunnelTo(echo, { allowedCidrs: ['203.0.113.0/24'] });
    const { url: local } = await tunnelTo(echo, { allowedCidrs: ['127.0.0.0/8'] });
    expect([(await visit(foreign)).status, (await visit(local)).status]).toEqual([403, 200]);
  });

  it('is not there any longer when the project is deleted', async () => {
    const other = await makeTestProject();
    const [tunnel, local] = [await makeTunnel(other), await startLocal(echo)];
    await connectClient(clientOf(server.origin, tunnel, local.url));
    expect((await visit(`${server.origin}${tunnel.prefix}/`)).status).toBe(200);
    await database().query('UPDATE projects SET deleted_at = now() WHERE id = $1', [other.id]);
    await expect.poll(async () => (await visit(`${server.origin}${tunnel.prefix}/`)).status).toBe(404);
  });
});
