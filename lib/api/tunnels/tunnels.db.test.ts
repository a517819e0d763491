import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { settleBackground } from '@/lib/platform/background';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import type { Tunnel, TunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';
import type { TunnelRequestEntry } from '@/lib/tunnel/types';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { asPerson, registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { logRequest, makeTunnel } from '@/tests/fixtures/tunnels';
import { call, expectInvalid, type Problem } from '@/tests/http/api-request';

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
    (await select('SELECT row_to_json(t)::text AS text FROM tunnels t WHERE id = $1', id))[0]?.text;

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
    const lost = await makeTunnel(project);
    const other = await makeTunnel(project);
    await run(`UPDATE tunnels SET token_encrypted = '\\x01020304' WHERE id = $1`, lost.id);
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

  it('keep the token of the URL and the password out of the table, the responses and the audit log', async () => {
    const tunnel = await makeTunnel(project, { basicAuth: ADA });
    expect(tunnel.basicAuth).toEqual({ username: 'ada' });
    const token = new URL(tunnel.url).pathname.split('/')[2] as string;
    const rows = await select(`SELECT details::text FROM audit_log WHERE target_id = $1`, tunnel.id);
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
    [{ testResponse: { status: 199 } }, 'testResponse.status'],
    [{ testResponse: { status: 600 } }, 'testResponse.status'],
    [{ testResponse: { status: '200' } }, 'testResponse.status'],
    [{ testResponse: { status: 200, delaySeconds: 21 } }, 'testResponse.delaySeconds'],
    [{ testResponse: {} }, 'testResponse.status'],
    [{ name: '' }, 'name'],
    [{ online: true }, 'online'],
  ])('refuse %j', async (body, path) => {
    const tunnel = await makeTunnel(project);
    for (const refused of [await send('POST', '', body), await send('PATCH', `/${tunnel.id}`, body)]) {
      expectInvalid(refused, path);
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
});

describe('the log of a tunnel', () => {
  let project: TestProject;
  let tunnel: Tunnel;
  beforeEach(async () => {
    project = await makeTestProject();
    tunnel = await makeTunnel(project);
  });

  const path = (tail = '') => `/api/v1/projects/${project.id}/tunnels/${tunnel.id}/requests${tail}`;
  const get = <T>(tail = '') => call<T & Problem>('GET', path(tail), { apiKey: project.readOnlyKey });
  const idsOf = async (query: string) => (await get<{ data: TunnelRequest[] }>(query)).json.data.map(({ id }) => id);
  const logAll = async (...changes: Partial<TunnelRequestEntry>[]) => {
    const entries = changes.map((each) => logRequest(tunnel, project.id, each));
    await settleBackground();
    return entries.map(({ id }) => id);
  };
  const detailOf = async (changes: Partial<TunnelRequestEntry>) => {
    const [id] = await logAll(changes);
    return (await get<TunnelRequestDetail>(`/${id}`)).json;
  };

  it('lists requests newest first, without headers and bodies, with pages', async () => {
    const ids = await logAll({}, {}, {});
    const page = await get<{ data: TunnelRequest[]; nextCursor: string }>('?limit=2');
    expect(page.json.data.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect(Object.keys(page.json.data[0] ?? {}).sort()).toEqual(
      [
        'createdAt',
        'durationMs',
        'error',
        'id',
        'method',
        'path',
        'replayOf',
        'requestSize',
        'responseSize',
        'responseStatus',
        'tunnelId',
      ].sort(),
    );
    expect(await idsOf(`?cursor=${page.json.nextCursor}`)).toEqual([ids[0]]);
  });

  it('filters by method, status, class of status and time', async () => {
    const [old, notFound, failed, offline] = (await logAll(
      { startedAt: new Date('2026-01-02T00:00:00Z'), id: '019b7c00-0000-7000-8000-000000000000' },
      { responseStatus: 404, method: 'GET' },
      { responseStatus: 500 },
      { responseStatus: null, error: 'tunnel_offline', method: 'GET' },
    )) as [string, string, string, string];
    expect(await idsOf('?method=get')).toEqual([offline, notFound]);
    expect(await idsOf('?status=404')).toEqual([notFound]);
    expect(await idsOf('?status=4xx')).toEqual([notFound]);
    expect(await idsOf('?status=5xx')).toEqual([failed]);
    expect(await idsOf('?status=none')).toEqual([offline]);
    expect(await idsOf('?status=2xx&method=POST')).toEqual([old]);
    expect(await idsOf('?status=3xx')).toEqual([]);
    expect(await idsOf('?from=2026-06-01T00:00:00Z')).toEqual([offline, failed, notFound]);
  });

  it.each(['status=600', 'status=ok', 'status=4x', 'method=', 'method=GE%20T', 'from=now', 'tunnelId=x'])(
    'refuses ?%s',
    async (query) => {
      expect((await get(`?${query}`)).status).toBe(400);
    },
  );

  it('shows a request with its headers and bodies, even to a VIEWER', async () => {
    const [id] = await logAll({
      requestHeaders: [
        ['Authorization', 'Bearer x'],
        ['X-A', 'b'],
      ],
    });
    const viewer = await registerMember(project.owner.organizationId, 'VIEWER');
    for (const credentials of [asPerson(viewer), { apiKey: project.readOnlyKey }]) {
      const { json } = await call<TunnelRequestDetail>('GET', path(`/${id}`), credentials);
      expect(json).toMatchObject({
        id,
        tunnelId: tunnel.id,
        method: 'POST',
        path: '/hook?try=1',
        responseStatus: 200,
        requestHeaders: [
          ['Authorization', '[redacted]'],
          ['X-A', 'b'],
        ],
        requestBody: '{"a":1}',
        requestBodyBase64: null,
        requestBodyTruncated: false,
        responseBody: 'ok',
        responseBodyBase64: null,
        responseBodyTruncated: false,
        replayObstacle: null,
      });
    }
  });

  it('hides signatures and tokens in queries from those who may not replay', async () => {
    const signature = 'ab12'.repeat(16);
    const key = 'a-key-in/the-query';
    const [id] = await logAll({
      path: `/hook?page=2&api_key=${encodeURIComponent(key)}`,
      requestHeaders: [
        ['X-Hub-Signature-256', `sha256=${signature}`],
        ['X-Original-URI', `/hook?api_key=${encodeURIComponent(key)}`],
      ],
      responseHeaders: [['X-Echo', `${signature} ${key}`]],
      responseBody: { bytes: Buffer.from(`got ${signature} with ${key.replaceAll('-', '\\u002d')}`), truncated: false },
    });
    const read = async (caller: { apiKey: string }) =>
      JSON.stringify([(await call('GET', path(`/${id}`), caller)).json, (await call('GET', path(), caller)).json]);
    const hidden = await read({ apiKey: project.readOnlyKey });
    const shown = await read({ apiKey: project.key });
    for (const secret of [signature, key]) {
      expect(hidden).not.toContain(secret);
      expect(shown).toContain(secret);
    }
    expect(hidden).toContain('/hook?page=2&api_key=[redacted]');
    expect(hidden).toContain('got [redacted] with [redacted]');
  });

  it('hides the header that the source of a forward checks from those who may not replay', async () => {
    const body = { name: 'shop', provider: 'GENERIC_HMAC', secret: 'a long secret', signatureHeader: 'X-Acme-Digest' };
    const made = await call<{ id: string }>('POST', `/api/v1/projects/${project.id}/sources`, {
      apiKey: project.key,
      body,
    });
    expect(made.status).toBe(201);
    const digest = '9e4a322a'.repeat(8);
    const [id] = await logAll({
      requestHeaders: [
        ['x-acme-digest', digest],
        ['X-EDS-Source-Id', made.json.id],
      ],
      responseBody: { bytes: Buffer.from(`got ${digest}`), truncated: false },
    });
    const read = async (apiKey: string) => (await call('GET', path(`/${id}`), { apiKey })).text;
    expect(await read(project.readOnlyKey)).not.toContain(digest);
    const change = { apiKey: project.key, body: { signatureHeader: 'X-Later' } };
    await call('PATCH', `/api/v1/projects/${project.id}/sources/${made.json.id}`, change);
    expect(await read(project.readOnlyKey)).not.toContain(digest);
    expect(await read(project.key)).toContain(digest);
  });

  it('hides a compressed response from those who may not replay: it may repeat what is hidden', async () => {
    const bytes = gzipSync('got a signature');
    const [id] = await logAll({
      responseHeaders: [['Content-Encoding', 'gzip']],
      responseBody: { bytes, truncated: false },
    });
    const bodyFor = async (apiKey: string) =>
      (await call<TunnelRequestDetail>('GET', path(`/${id}`), { apiKey })).json.responseBodyBase64;
    expect(await bodyFor(project.readOnlyKey)).toBeNull();
    expect(await bodyFor(project.key)).toBe(bytes.toString('base64'));
  });

  it('shows a body that is not UTF-8 in base64', async () => {
    const bytes = Buffer.from([0xff, 0, 0xfe]);
    const shown = await detailOf({ requestBody: { bytes, truncated: false }, requestSize: 3 });
    expect(shown).toMatchObject({ requestBody: null, requestBodyBase64: bytes.toString('base64') });
  });

  it.each<[string, Partial<TunnelRequestEntry>, string | null]>([
    ['a body was cut', { requestBody: { bytes: Buffer.from('{'), truncated: true } }, 'body_truncated'],
    ['a body is shorter than the request', { requestSize: 8 }, 'body_truncated'],
    ['a body was not kept', { requestBody: null }, 'body_not_kept'],
    ['there was no body', { requestBody: null, requestSize: 0 }, null],
    ['all was kept', {}, null],
  ])('says whether a request can be replayed when %s, and refuses to replay another', async (_, changes, obstacle) => {
    const shown = await detailOf(changes);
    expect(shown.replayObstacle).toBe(obstacle);
    const replayed = await call<Problem>('POST', path(`/${shown.id}/replay`), { apiKey: project.key });
    const expected = obstacle === null ? [502, 'tunnel_offline'] : [409, 'request_not_kept'];
    expect([replayed.status, replayed.json.code]).toEqual(expected);
  });

  it('is not readable through another tunnel or project, nor after its tunnel is deleted', async () => {
    const [id] = await logAll({});
    const sibling = await makeTunnel(project);
    const stranger = await makeTestProject();
    const at = (projectId: string, tunnelId: string, apiKey: string) =>
      call('GET', `/api/v1/projects/${projectId}/tunnels/${tunnelId}/requests/${id}`, { apiKey });
    expect((await at(project.id, tunnel.id, project.key)).status).toBe(200);
    expect((await at(project.id, sibling.id, project.key)).status).toBe(404);
    expect((await at(stranger.id, tunnel.id, stranger.key)).status).toBe(404);
    expect((await get(`/${newId()}`)).status).toBe(404);
    await call('DELETE', `/api/v1/projects/${project.id}/tunnels/${tunnel.id}`, { apiKey: project.key });
    for (const [verb, tail] of [
      ['GET', ''],
      ['GET', `/${id}`],
      ['POST', `/${id}/replay`],
    ] as const) {
      expect((await call(verb, path(tail), { apiKey: project.key })).status).toBe(404);
    }
  });
});

it('a tunnel has its URL on TUNNEL_BASE_URL when it is set', async () => {
  const before = config();
  setOnce('config', { ...before, TUNNEL_BASE_URL: 'https://tunnels.example' });
  expect((await makeTunnel(await makeTestProject())).url).toMatch(/^https:\/\/tunnels\.example\/t\/[A-Za-z0-9_-]{43}/);
  setOnce('config', before);
});
