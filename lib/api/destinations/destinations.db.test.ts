import { beforeEach, describe, expect, it } from 'vitest';
import type { Destination, DestinationSecret, Source } from '@/lib/incoming/schema';
import { config } from '@/lib/platform/config/config';
import { newId } from '@/lib/platform/ids';
import { count, run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { raceAtRow } from '@/tests/fixtures/limits';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { expectInvalid } from '@/tests/http/api-request';

useDatabase();

let project: TestProject;
let source: Source;
const url = 'https://receiver.example/hook?a=b';
const { send: sendTo, manage, makeSource } = sourceTools(() => project);

beforeEach(async () => {
  project = await makeTestProject();
  source = await makeSource();
});

const send = <T = Destination>(verb: string, tail = '', body?: object, sourceId = source.id) =>
  sendTo<T>(verb, `/sources/${sourceId}/destinations${tail}`, body);
const create = (body: object = { url }) => manage<Destination>('POST', `/sources/${source.id}/destinations`, body);
const stored = async (id: string): Promise<string> =>
  (await select('SELECT row_to_json(d)::text AS text FROM destinations d WHERE id = $1', id))[0].text;

describe('destinations', () => {
  it('are created, read, listed, changed and deleted below their source', async () => {
    const one = await create();
    const two = await create({ url, description: 'Orders', retrySeconds: [5], enabled: false });
    expect(one).toMatchObject({
      sourceId: source.id,
      url,
      enabled: true,
      retrySeconds: [],
      auth: null,
      hasSecret: false,
    });
    expect(two).toMatchObject({ description: 'Orders', retrySeconds: [5], enabled: false });
    expect((await send('GET', `/${one.id}`)).json).toEqual(one);
    expect((await send<{ data: Destination[] }>('GET')).json.data).toEqual([two, one]);
    expect((await send('PATCH', `/${one.id}`, { enabled: false })).json).toMatchObject({ enabled: false, url });
    expect((await send('DELETE', `/${one.id}`)).status).toBe(204);
    expect((await send('GET', `/${one.id}`)).status).toBe(404);
    expect((await send<{ data: Destination[] }>('GET')).json.data).toEqual([two]);
  });

  it('are found only below their own source', async () => {
    const { id } = await create();
    const other = await makeSource();
    for (const [verb, tail, body] of [
      ['GET', ''],
      ['PATCH', '', { enabled: false }],
      ['DELETE', ''],
      ['GET', '/secret'],
      ['POST', '/rotate-secret'],
      ['DELETE', '/secret'],
    ] as const) {
      expect((await send(verb, `/${id}${tail}`, body, other.id)).status, `${verb} ${tail}`).toBe(404);
    }
    expect((await send('GET', '', undefined, newId())).status).toBe(404);
    expect((await send('GET', `/${id}`)).status).toBe(200);
  });

  it('have a signing secret only if it was asked for, and it can be shown, made and removed', async () => {
    const { id } = await create();
    expect((await send('GET', `/${id}/secret`)).status).toBe(404);
    const first = (await send<DestinationSecret>('POST', `/${id}/rotate-secret`)).json;
    expect(first).toMatchObject({ secret: expect.stringMatching(/^whsec_/), previousSecretExpiresAt: null });
    expect((await send<DestinationSecret>('GET', `/${id}/secret`)).json).toEqual(first);
    expect((await send('GET', `/${id}`)).json).toMatchObject({ hasSecret: true });
    expect((await send('DELETE', `/${id}/secret`)).status).toBe(204);
    expect((await send('GET', `/${id}`)).json).toMatchObject({ hasSecret: false, previousSecretExpiresAt: null });
    expect((await create({ url, signing: true })).hasSecret).toBe(true);
  });

  it('lose their credential and secrets when they or their source are deleted', async () => {
    const one = await create({ url, signing: true, auth: { type: 'BEARER', token: 'a' } });
    const two = await create({ url, signing: true, auth: { type: 'BEARER', token: 'a' } });
    await send('DELETE', `/${one.id}`);
    await sendTo('DELETE', `/sources/${source.id}`);
    for (const { id } of [one, two]) {
      const row = JSON.parse(await stored(id));
      expect(row).toMatchObject({ enabled: false, auth_encrypted: null, secret_encrypted: null });
      expect(row.deleted_at).not.toBeNull();
    }
  });

  it('do not outlive a source that is deleted while they are created', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id: sourceId } = await makeSource();
      const auth = { type: 'BEARER', token: 'a' };
      await Promise.all([
        ...[1, 2, 3].map(() => send('POST', '', { url, auth }, sourceId)),
        sendTo('DELETE', `/sources/${sourceId}`),
      ]);
      expect(await count('SELECT FROM destinations WHERE source_id = $1 AND deleted_at IS NULL', sourceId)).toBe(0);
    }
  });
});

describe('the credential of a destination', () => {
  it.each([
    [{ type: 'BEARER', token: 's3cret-token' }, { type: 'BEARER' }],
    [
      { type: 'BASIC', username: 'shop', password: 's3cret-pass' },
      { type: 'BASIC', username: 'shop' },
    ],
    [
      { type: 'HEADER', name: 'X-Api-Key', value: 's3cret-value' },
      { type: 'HEADER', name: 'X-Api-Key' },
    ],
  ])('%j is kept encrypted and never returned', async (auth, shown) => {
    const made = await send('POST', '', { url, auth });
    expect(made.json.auth).toEqual(shown);
    const listed = await send('GET');
    for (const text of [made.text, listed.text, await stored(made.json.id)]) {
      expect(text).not.toContain('s3cret');
      expect(text).not.toContain(Buffer.from('s3cret').toString('hex'));
    }
  });

  it.each(['traceparent', 'TraceParent', 'tracestate'])('is refused in %s, which a forward continues', async (name) => {
    const { status, json } = await send('POST', '', { url, auth: { type: 'HEADER', name, value: 's3cret' } });
    expect([status, json.errors?.[0]?.path]).toEqual([400, 'auth.name']);
    const { id } = await create();
    expect((await send('PATCH', `/${id}`, { auth: { type: 'HEADER', name, value: 's3cret' } })).status).toBe(400);
    await create({ url, auth: { type: 'HEADER', name: `x-${name}`, value: 's3cret' } });
  });

  it('must be given again when the URL moves to another origin', async () => {
    const { id } = await create({ url, auth: { type: 'BEARER', token: 'a' } });
    const elsewhere = 'https://elsewhere.example/hook';
    expectInvalid(await send('PATCH', `/${id}`, { url: elsewhere }), 'auth');
    expect((await send('PATCH', `/${id}`, { url: 'https://receiver.example/other' })).status).toBe(200);
    const moved = await send('PATCH', `/${id}`, { url: elsewhere, auth: null });
    expect(moved.json).toMatchObject({ url: elsewhere, auth: null });
    expect((await send('PATCH', `/${id}`, { url })).status).toBe(200);
  });

  it('is stored with the URL that was given with it, while somebody else moves the URL', async () => {
    const { id } = await create();
    const [stored, moved] = await raceAtRow('destinations', id, [
      () => send('PATCH', `/${id}`, { url, auth: { type: 'BEARER', token: 'a' } }),
      () => send('PATCH', `/${id}`, { url: 'https://elsewhere.example/hook' }),
    ]);
    expect(stored?.json).toMatchObject({ url, auth: { type: 'BEARER' } });
    const last = (await send('GET', `/${id}`)).json;
    expect(last).toMatchObject({ url, auth: { type: 'BEARER' } });
    expect([200, 400]).toContain(moved?.status);
  });

  it('must be given again when the URL moves to another tunnel, whose owner may be anybody', async () => {
    const tunnel = (name: string) => `${config().baseUrl}/t/${name.repeat(43)}`;
    const { id } = await create({ url: tunnel('a'), auth: { type: 'BEARER', token: 'a' } });
    expect((await send('PATCH', `/${id}`, { url: `${tunnel('a')}/hook` })).status).toBe(200);
    expectInvalid(await send('PATCH', `/${id}`, { url: tunnel('b') }), 'auth');
    expect((await send('PATCH', `/${id}`, { url: tunnel('b'), auth: null })).status).toBe(200);
  });

  it('is replaced when it is set, kept when it is omitted, and removed by null', async () => {
    const { id } = await create({ url, auth: { type: 'BEARER', token: 'a' } });
    expect((await send('PATCH', `/${id}`, { description: 'x' })).json.auth).toEqual({ type: 'BEARER' });
    const basic = { type: 'BASIC', username: 'u', password: 'p' };
    expect((await send('PATCH', `/${id}`, { auth: basic })).json.auth).toEqual({ type: 'BASIC', username: 'u' });
    expect((await send('PATCH', `/${id}`, { auth: null })).json.auth).toBeNull();
    expect(JSON.parse(await stored(id)).auth_encrypted).toBeNull();
  });

  it.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'CONNECTION',
    'Keep-Alive',
    'Upgrade',
    'TE',
    'Trailer',
    'Expect',
    'Content-Type',
    'Cookie',
    'Proxy-Authorization',
    'webhook-signature',
    'X-EDS-Source-Id',
    'X-Forwarded-For',
    '',
    'X Key',
    'X-Key:',
    'X-Key\r\nHost',
    'Ümlaut',
  ])('is refused in the header %j', async (name) => {
    const refused = await send('POST', '', { url, auth: { type: 'HEADER', name, value: 'x' } });
    expect(refused.status).toBe(400);
    expect(refused.json.errors?.[0]?.path).toBe('auth.name');
  });

  it.each(['a\r\nHost: evil', 'a\nb', 'a\0b', '', ' a', 'é', 'x'.repeat(4_097)])(
    'is refused with the header value and token %j',
    async (value) => {
      const header = await send('POST', '', { url, auth: { type: 'HEADER', name: 'X-Key', value } });
      expect(header.json.errors?.[0]?.path).toBe('auth.value');
      const bearer = await send('POST', '', { url, auth: { type: 'BEARER', token: value } });
      expect(bearer.json.errors?.[0]?.path).toBe('auth.token');
    },
  );

  it.each([
    { username: 'a:b', password: 'p' },
    { username: 'a', password: 'p\r\n' },
    { username: 'a\0', password: 'p' },
  ])('is refused with the username and password %j', async (fields) => {
    expect((await send('POST', '', { url, auth: { type: 'BASIC', ...fields } })).status).toBe(400);
  });

  it('is shown as unreadable when no key decrypts it, and can be replaced', async () => {
    const { id } = await create({ url, auth: { type: 'BEARER', token: 'a' } });
    const other = await create({ url, auth: { type: 'BEARER', token: 'b' } });
    await run(`UPDATE destinations SET auth_encrypted = '\\x01020304' WHERE id = $1`, id);
    const listed = await send<{ data: Destination[] }>('GET');
    expect(listed.json.data.map((each) => [each.id, each.auth])).toEqual([
      [other.id, { type: 'BEARER' }],
      [id, { type: 'UNREADABLE' }],
    ]);
    expect((await send('PATCH', `/${id}`, { enabled: false })).json.auth).toEqual({ type: 'UNREADABLE' });
    expect((await send('PATCH', `/${id}`, { auth: { type: 'BEARER', token: 'c' } })).json.auth).toEqual({
      type: 'BEARER',
    });
  });
});
