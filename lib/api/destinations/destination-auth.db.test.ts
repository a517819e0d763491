import { beforeEach, describe, expect, it } from 'vitest';
import type { Destination, Source } from '@/lib/incoming/schema';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();

describe('the credential of a destination', () => {
  let project: TestProject;
  let source: Source;
  const url = 'https://receiver.example/hook?a=b';

  beforeEach(async () => {
    project = await makeTestProject();
    source = await createSource();
  });

  const createSource = async () => {
    const path = `/api/v1/projects/${project.id}/sources`;
    return (await call<Source>('POST', path, { apiKey: project.key, body: { name: 'shop' } })).json;
  };
  const send = <T = Destination>(verb: string, tail = '', body?: object) =>
    call<T & Problem>(verb, `/api/v1/projects/${project.id}/sources/${source.id}/destinations${tail}`, {
      apiKey: project.key,
      ...(body === undefined ? {} : { body }),
    });
  const create = async (body: object = { url }) => {
    const made = await send('POST', '', body);
    expect(made.status, made.text).toBe(201);
    return made.json;
  };
  const stored = async (id: string): Promise<string> => {
    const { rows } = await database().query('SELECT row_to_json(d)::text AS text FROM destinations d WHERE id = $1', [
      id,
    ]);
    return rows[0].text;
  };

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
    const changed = await send('PATCH', `/${id}`, { auth: { type: 'HEADER', name, value: 's3cret' } });
    expect(changed.status).toBe(400);
    await create({ url, auth: { type: 'HEADER', name: `x-${name}`, value: 's3cret' } });
  });

  it('must be given again when the URL moves to another origin', async () => {
    const { id } = await create({ url, auth: { type: 'BEARER', token: 'a' } });
    const elsewhere = 'https://elsewhere.example/hook';
    const refused = await send('PATCH', `/${id}`, { url: elsewhere });
    expect([refused.status, refused.json.errors?.[0]?.path]).toEqual([400, 'auth']);
    expect((await send('PATCH', `/${id}`, { url: 'https://receiver.example/other' })).status).toBe(200);
    const moved = await send('PATCH', `/${id}`, { url: elsewhere, auth: null });
    expect(moved.json).toMatchObject({ url: elsewhere, auth: null });
    expect((await send('PATCH', `/${id}`, { url })).status).toBe(200);
  });

  it('must be given again when the URL moves to another tunnel, whose owner may be anybody', async () => {
    const tunnel = (name: string) => `${config().baseUrl}/t/${name.repeat(43)}`;
    const { id } = await create({ url: tunnel('a'), auth: { type: 'BEARER', token: 'a' } });
    expect((await send('PATCH', `/${id}`, { url: `${tunnel('a')}/hook` })).status).toBe(200);
    const refused = await send('PATCH', `/${id}`, { url: tunnel('b') });
    expect([refused.status, refused.json.errors?.[0]?.path]).toEqual([400, 'auth']);
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
    ...[
      'Host',
      'content-length',
      'Transfer-Encoding',
      'CONNECTION',
      'Keep-Alive',
      'Upgrade',
      'TE',
      'Trailer',
      'Expect',
    ],
    ...['Content-Type', 'Cookie', 'Proxy-Authorization', 'webhook-signature', 'X-EDS-Source-Id', 'X-Forwarded-For', ''],
    ...['X Key', 'X-Key:', 'X-Key\r\nHost', 'Ümlaut'],
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
    await database().query(`UPDATE destinations SET auth_encrypted = '\\x01020304' WHERE id = $1`, [id]);
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
