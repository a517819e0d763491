import { beforeEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import type { Tunnel } from '@/lib/tunnel/schema';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { makeTunnel } from '@/tests/fixtures/tunnels';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();

const ADA = { username: 'ada', password: 'the long password' };

describe('tunnels', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await makeTestProject();
  });

  const send = <T = Tunnel>(verb: string, tail = '', body?: object) =>
    call<T & Problem>(verb, `/api/v1/projects/${project.id}/tunnels${tail}`, {
      apiKey: project.key,
      ...(body === undefined ? {} : { body }),
    });
  const rowOf = async (id: string) =>
    (await database().query('SELECT row_to_json(t)::text AS text FROM tunnels t WHERE id = $1', [id])).rows[0]?.text;

  it('are created with a URL of their own and a readable name, and are open and offline', async () => {
    const made = await send('POST');
    expect([made.status, made.json]).toMatchObject([
      201,
      {
        online: false,
        basicAuth: null,
        allowedCidrs: [],
        lastSeenAt: null,
        name: expect.stringMatching(/^[a-z]+-[a-z]+$/),
      },
    ]);
    expect(made.json.url).toMatch(/^http:\/\/localhost:3000\/t\/[A-Za-z0-9_-]{43}\/$/);
    expect((await send('GET', `/${made.json.id}`)).json).toEqual(made.json);
  });

  it('are listed without their URL when no key decrypts it, and get a new one when it is rotated', async () => {
    const [lost, other] = [await makeTunnel(project), await makeTunnel(project)];
    await database().query(`UPDATE tunnels SET token_encrypted = '\\x01020304' WHERE id = $1`, [lost.id]);
    const listed = await send<{ data: Tunnel[] }>('GET');
    expect([listed.status, listed.json.data]).toEqual([200, [other, { ...lost, url: null }]]);
    expect((await send('PATCH', `/${lost.id}`, { name: 'renamed' })).json).toMatchObject({
      name: 'renamed',
      url: null,
    });
    const { url } = (await send('POST', `/${lost.id}/rotate-url`)).json;
    expect(url).toMatch(/\/t\/[A-Za-z0-9_-]{43}\/$/);
    expect((await send('GET', `/${lost.id}`)).json.url).toBe(url);
  });

  it('are listed newest first, with pages', async () => {
    const made = [await makeTunnel(project, { name: 'one' }), await makeTunnel(project), await makeTunnel(project)];
    const list = await send<{ data: Tunnel[]; nextCursor: string }>('GET', '?limit=2');
    expect(list.json.data.map(({ id }) => id)).toEqual([made[2]?.id, made[1]?.id]);
    const rest = await send<{ data: Tunnel[] }>('GET', `?cursor=${list.json.nextCursor}`);
    expect(rest.json.data).toEqual([made[0]]);
    expect(new Set(made.map(({ url }) => url)).size).toBe(3);
  });

  it('keep the token of the URL and the password out of the table, the responses and the audit log', async () => {
    const tunnel = await makeTunnel(project, { basicAuth: ADA });
    expect(tunnel.basicAuth).toEqual({ username: 'ada' });
    const token = new URL(tunnel.url).pathname.split('/')[2] as string;
    const { rows } = await database().query(`SELECT details::text FROM audit_log WHERE target_id = $1`, [tunnel.id]);
    for (const secret of [token, ADA.password]) {
      for (const text of [await rowOf(tunnel.id), JSON.stringify(rows)]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(secret).toString('hex'));
      }
    }
    expect(JSON.stringify((await send('GET')).json)).not.toContain(ADA.password);
  });

  it('change what a request names, and nothing else', async () => {
    const tunnel = await makeTunnel(project, { name: 'mine', basicAuth: ADA, allowedCidrs: ['192.0.2.7'] });
    const before = await rowOf(tunnel.id);
    const renamed = await send('PATCH', `/${tunnel.id}`, { name: 'yours' });
    expect(renamed.json).toEqual({ ...tunnel, name: 'yours', updatedAt: expect.any(String) });
    const open = await send('PATCH', `/${tunnel.id}`, { basicAuth: null });
    expect(open.json).toMatchObject({ basicAuth: null, allowedCidrs: ['192.0.2.7/32'], url: tunnel.url });
    const anywhere = await send('PATCH', `/${tunnel.id}`, { basicAuth: ADA, allowedCidrs: [] });
    expect(anywhere.json).toMatchObject({ basicAuth: { username: 'ada' }, allowedCidrs: [] });
    expect((await send('PATCH', `/${tunnel.id}`, {})).json).toEqual(anywhere.json);
    expect(before).toContain(JSON.parse((await rowOf(tunnel.id)) ?? '{}').basic_auth_hash);
  });

  it.each([
    [{ basicAuth: { username: 'a:b', password: 'the long password' } }, 'basicAuth.username'],
    [{ basicAuth: { username: '', password: 'the long password' } }, 'basicAuth.username'],
    [{ basicAuth: { username: 'a\nb', password: 'the long password' } }, 'basicAuth.username'],
    [{ basicAuth: { username: 'ada', password: 'short' } }, 'basicAuth.password'],
    [{ basicAuth: { username: 'ada', password: 'x'.repeat(201) } }, 'basicAuth.password'],
    [{ basicAuth: { username: 'ada' } }, 'basicAuth.password'],
    [{ basicAuth: { ...ADA, realm: 'x' } }, 'basicAuth.realm'],
    [{ allowedCidrs: ['example.com'] }, 'allowedCidrs.0'],
    [{ allowedCidrs: ['192.0.2.0/24', '192.0.2.0/33'] }, 'allowedCidrs.1'],
    [{ allowedCidrs: ['fe80::1%eth0'] }, 'allowedCidrs.0'],
    [{ allowedCidrs: Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`) }, 'allowedCidrs'],
    [{ allowedCidrs: null }, 'allowedCidrs'],
    [{ name: '' }, 'name'],
    [{ online: true }, 'online'],
  ])('refuse %j', async (body, path) => {
    const tunnel = await makeTunnel(project);
    for (const refused of [await send('POST', '', body), await send('PATCH', `/${tunnel.id}`, body)]) {
      expect([refused.status, refused.json.errors?.[0]?.path]).toEqual([400, path]);
    }
  });

  it('get another URL when it is rotated, and keep everything else', async () => {
    const tunnel = await makeTunnel(project, { basicAuth: ADA });
    const rotated = await send('POST', `/${tunnel.id}/rotate-url`);
    expect(rotated.status).toBe(200);
    expect(rotated.json).toEqual({ ...tunnel, url: rotated.json.url, updatedAt: rotated.json.updatedAt });
    expect(rotated.json.url).not.toBe(tunnel.url);
  });

  it('are gone after their deletion, and every web process is told to disconnect their client', async () => {
    const tunnel = await makeTunnel(project);
    const listener = await database().connect();
    try {
      await listener.query('LISTEN tunnel_signal');
      const told = new Promise<string | undefined>((resolve) => {
        listener.once('notification', ({ payload }) => resolve(payload));
      });
      expect((await send('DELETE', `/${tunnel.id}`)).status).toBe(204);
      expect(JSON.parse((await told) ?? '')).toEqual({ type: 'closed', tunnelId: tunnel.id });
    } finally {
      listener.release(true);
    }
    for (const [verb, tail, body] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PATCH', '', { name: 'x' }],
      ['PATCH', '', {}],
      ['POST', '/rotate-url'],
      ['GET', '/requests'],
    ] as const) {
      expect((await send(verb, `/${tunnel.id}${tail}`, body)).status, `${verb} ${tail}`).toBe(404);
    }
  });

  it('are deleted once, and changed completely or not at all, when requests race', async () => {
    const tunnel = await makeTunnel(project);
    const outcomes = await Promise.all([
      ...Array.from({ length: 3 }, () => send('DELETE', `/${tunnel.id}`)),
      ...Array.from({ length: 3 }, () => send('PATCH', `/${tunnel.id}`, { name: 'other' })),
      ...Array.from({ length: 3 }, () => send('POST', `/${tunnel.id}/rotate-url`)),
    ]);
    const statuses = outcomes.map(({ status }) => status);
    expect(statuses.slice(0, 3).sort()).toEqual([204, 404, 404]);
    for (const status of statuses.slice(3)) expect([200, 404]).toContain(status);
  });

  it('are recorded in the audit log without a secret', async () => {
    const tunnel = await makeTunnel(project, { basicAuth: ADA });
    await send('PATCH', `/${tunnel.id}`, { basicAuth: { ...ADA, password: 'hidden password' } });
    await send('POST', `/${tunnel.id}/rotate-url`);
    await send('DELETE', `/${tunnel.id}`);
    const { rows } = await database().query(
      `SELECT action, details::text FROM audit_log WHERE target_id = $1 ORDER BY created_at, id`,
      [tunnel.id],
    );
    expect(rows.map(({ action }) => action)).toEqual(
      ['created', 'updated', 'url_rotated', 'deleted'].map((what) => `tunnel.${what}`),
    );
    expect(JSON.stringify(rows)).not.toMatch(/hidden|long password|"ada"/);
  });
});
