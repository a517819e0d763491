import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { mayEnter } from '@/lib/tunnel/access-policy';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { type MadeTunnel, makeTunnel } from '@/tests/fixtures/tunnels';
import { call } from '@/tests/http/api-request';
import { findPublicTunnels, getTunnelForClient, markTunnelSeen } from './find-tunnels';
import { setLastSeen } from './tunnels-sql';

useDatabase();

let project: TestProject;
let tunnel: MadeTunnel;
beforeEach(async () => {
  project = await makeTestProject();
  tunnel = await makeTunnel(project, {
    basicAuth: { username: 'ada', password: 'long password' },
    allowedCidrs: ['192.0.2.7'],
  });
});

const tokenOf = ({ url }: MadeTunnel) => new URL(url).pathname.split('/')[2] ?? '';
const findPublicTunnel = async (token: string) => (await findPublicTunnels([token])).get(token) ?? null;
const send = (verb: string, path: string, body?: object) =>
  call<MadeTunnel>(verb, path, { bearer: project.owner.accessToken, ...(body === undefined ? {} : { body }) });
const path = () => `/api/v1/projects/${project.id}/tunnels/${tunnel.id}`;

describe('a tunnel is found by the token of its URL', () => {
  it('with the rules of who may enter', async () => {
    const found = await findPublicTunnel(tokenOf(tunnel));
    expect(found).toMatchObject({ id: tunnel.id, projectId: project.id, allowedCidrs: ['192.0.2.7/32'] });
    const authorization = `Basic ${Buffer.from('ada:long password').toString('base64')}`;
    expect(found && mayEnter(found, { clientAddress: '192.0.2.7', authorization })).toBe('ok');
    expect(found && mayEnter(found, { clientAddress: '192.0.2.7', authorization: 'Basic eDp5' })).toBe('credentials');
  });

  it('without rules when it has none', async () => {
    const open = await makeTunnel(project);
    expect(await findPublicTunnel(tokenOf(open))).toEqual({
      id: open.id,
      projectId: project.id,
      basicAuth: null,
      allowedCidrs: [],
      testResponse: null,
    });
  });

  it('among others, each by its own token', async () => {
    const other = await makeTunnel(project);
    const found = await findPublicTunnels([tokenOf(other), 'a'.repeat(43), tokenOf(tunnel)]);
    expect((await found.get(tokenOf(other)))?.id).toBe(other.id);
    expect((await found.get(tokenOf(tunnel)))?.id).toBe(tunnel.id);
    expect(await found.get('a'.repeat(43))).toBeNull();
  });

  it.each(['', 'a', 'a'.repeat(43), `${'a'.repeat(42)}'`, 'ä'.repeat(43), '\0'])('and not by %j', async (token) => {
    expect(await findPublicTunnel(token)).toBeNull();
  });

  it('until its URL is rotated, and then only by the new one', async () => {
    const rotated = await send('POST', `${path()}/rotate-url`);
    expect(await findPublicTunnel(tokenOf(tunnel))).toBeNull();
    expect((await findPublicTunnel(tokenOf(rotated.json)))?.id).toBe(tunnel.id);
  });

  it('until it is deleted', async () => {
    expect((await send('DELETE', path())).status).toBe(204);
    expect(await findPublicTunnel(tokenOf(tunnel))).toBeNull();
  });

  it.each([
    ['project', () => `/api/v1/projects/${project.id}`],
    ['organization', () => `/api/v1/orgs/${project.owner.organizationId}`],
  ])('until its %s is deleted', async (_, owner) => {
    expect(await findPublicTunnel(tokenOf(tunnel))).not.toBeNull();
    expect((await send('DELETE', owner())).status).toBeLessThan(300);
    expect(await findPublicTunnel(tokenOf(tunnel))).toBeNull();
    await expect(getTunnelForClient(project.id, tunnel.id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the client of a tunnel', () => {
  it('finds it in its project, and not in another', async () => {
    const other = await makeTestProject();
    expect((await getTunnelForClient(project.id, tunnel.id)).id).toBe(tunnel.id);
    for (const [projectId, tunnelId] of [
      [other.id, tunnel.id],
      [project.id, newId()],
    ] as const) {
      await expect(getTunnelForClient(projectId, tunnelId)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('sets when it was last seen, at most once every five seconds', async () => {
    const lastSeen = async () => (await send('GET', path())).json.lastSeenAt;
    expect(await lastSeen()).toBeNull();
    await markTunnelSeen(tunnel.id, newId());
    expect(await lastSeen()).toBeNull();
    await markTunnelSeen(tunnel.id, project.id);
    const first = await lastSeen();
    expect(Math.abs(Date.parse(first ?? '') - Date.now())).toBeLessThan(10_000);
    await markTunnelSeen(tunnel.id, project.id);
    expect(await lastSeen()).toBe(first);
    await database().query(`UPDATE tunnels SET last_seen_at = now() - interval '6 seconds' WHERE id = $1`, [tunnel.id]);
    await markTunnelSeen(tunnel.id, project.id);
    expect(Date.parse((await lastSeen()) ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''));
  });

  it('is marked as seen together with others: a statement for a hundred of them', async () => {
    const run = vi.spyOn(setLastSeen, 'run');
    onTestFinished(() => run.mockRestore());
    const other = await makeTunnel(project);
    const many = Array.from({ length: 249 }, () => markTunnelSeen(tunnel.id, project.id));
    await Promise.all([...many, markTunnelSeen(other.id, project.id)]);
    expect(run.mock.calls.length).toBeLessThanOrEqual(4);
    const { data } = (await send('GET', `/api/v1/projects/${project.id}/tunnels`)).json as unknown as {
      data: MadeTunnel[];
    };
    expect(data.map(({ lastSeenAt }) => lastSeenAt)).not.toContain(null);
    expect(data).toHaveLength(2);
  });

  it('is online while its web process renews the connection', async () => {
    const isOnline = async () => (await send('GET', path())).json.online;
    const connect = (age: string, projectId = project.id) =>
      database().query(
        `INSERT INTO tunnel_connections (tunnel_id, project_id, connection_id, peer_url, client_name, heartbeat_at)
         VALUES ($1, $2, $3, 'http://127.0.0.1:9', 'laptop', now() - $4::interval)
         ON CONFLICT (tunnel_id) DO UPDATE SET heartbeat_at = EXCLUDED.heartbeat_at`,
        [tunnel.id, projectId, newId(), age],
      );
    expect(await isOnline()).toBe(false);
    await connect('29 seconds');
    expect(await isOnline()).toBe(true);
    expect(
      (await call<{ data: MadeTunnel[] }>('GET', `/api/v1/projects/${project.id}/tunnels`, { apiKey: project.key }))
        .json.data,
    ).toMatchObject([{ online: true }]);
    await connect('31 seconds');
    expect(await isOnline()).toBe(false);
  });
});
