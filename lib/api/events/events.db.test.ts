import { describe, expect, it } from 'vitest';
import type { EventSummary } from '@/lib/events/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { countEvents } from '@/tests/fixtures/deliveries';
import { makeKey, makeTestProject, useProjects } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { type CallOptions, call } from '@/tests/http/api-request';

useDatabase();
const projects = useProjects();
const adapters = useAdapters();
const body = { type: 'order.paid', data: { orderId: 'o-1' } };

describe.each(adapters)('sending an event %s', (_name, call) => {
  const send = (options: CallOptions, path = '/api/v1/events') =>
    call<EventSummary>('POST', path, { body, ...options });
  const refused = (options: CallOptions, path?: string) => call('POST', path ?? '/api/v1/events', { body, ...options });

  it('answers 202 once the event and its outbox row are stored', async () => {
    const { status, json } = await send({ apiKey: projects.mine.key });
    expect(status).toBe(202);
    const { rows } = await database().query(
      `SELECT e.type, e.payload, e.project_id, e.created_at, o.kind, o.status FROM events e JOIN outbox o ON o.event_id = e.id WHERE e.id = $1`,
      [json.id],
    );
    expect(rows).toEqual([
      {
        type: 'order.paid',
        payload: '{"orderId":"o-1"}',
        project_id: projects.mine.id,
        created_at: new Date(json.createdAt),
        kind: 'EVENT',
        status: 'PENDING',
      },
    ]);
  });

  it('is accepted on the path of the project too, and gets 404 on that of another project', async () => {
    const { mine, foreign } = projects;
    expect((await send({ apiKey: mine.key }, `/api/v1/projects/${mine.id}/events`)).status).toBe(202);
    expect((await send({ apiKey: mine.key }, `/api/v1/projects/${mine.id.toUpperCase()}/events`)).status).toBe(202);
    const before = await countEvents(foreign.id);
    for (const path of [`/api/v1/projects/${foreign.id}/events`, '/api/v1/projects/nonsense/events']) {
      expect((await refused({ apiKey: mine.key }, path)).json.code).toBe('not_found');
    }
    expect(await countEvents(foreign.id)).toBe(before);
  });

  it('keeps data byte for byte, including large numbers and unusual notation', async () => {
    const data = '{ "id": 12345678901234567890, "n": 1.10, "s": "\\u0000\\ud800" }';
    const { json } = await send({ apiKey: projects.mine.key, body: `{"data":${data},"type":"a"}` });
    const { text } = await call('GET', `/api/v1/projects/${projects.mine.id}/events/${json.id}`, {
      apiKey: projects.mine.readOnlyKey,
    });
    expect(text).toContain(`"data":${data}}`);
  });

  it('refuses missing credentials, an unknown key, an access token, and two credentials, each with its own code', async () => {
    const bearer = projects.mine.owner.accessToken;
    const outcomes = await Promise.all([
      refused({}),
      refused({ apiKey: 'eds_unknown' }),
      refused({ apiKey: `${projects.mine.key.slice(0, -1)}!` }),
      refused({ bearer }),
      refused({ bearer: 'nonsense' }),
      refused({ bearer, apiKey: projects.mine.key }),
    ]);
    expect(outcomes.map(({ status, json }) => [status, json.code])).toEqual([
      [401, 'unauthenticated'],
      [401, 'invalid_api_key'],
      [401, 'invalid_api_key'],
      [403, 'key_required'],
      [401, 'unauthenticated'],
      [400, 'ambiguous_credentials'],
    ]);
  });

  it('refuses a revoked and an expired key at once with 401', async () => {
    const { mine } = projects;
    const [revoked, expired] = [
      await makeKey(mine.id, mine.owner, { name: 'r' }),
      await makeKey(mine.id, mine.owner, { name: 'e' }),
    ];
    expect((await send({ apiKey: revoked.key })).status).toBe(202);
    await call('DELETE', `/api/v1/projects/${mine.id}/api-keys/${revoked.id}`, { bearer: mine.owner.accessToken });
    await database().query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [expired.id]);
    expect((await refused({ apiKey: revoked.key })).json).toMatchObject({ status: 401, code: 'api_key_revoked' });
    expect((await refused({ apiKey: expired.key })).json).toMatchObject({ status: 401, code: 'api_key_expired' });
  });

  it('names every error of the body', async () => {
    const faulty = { type: 'bad type!', data: [1], extra: true };
    const { status, json } = await refused({ apiKey: projects.mine.key, body: faulty });
    expect(status).toBe(400);
    expect(json.code).toBe('validation_failed');
    expect(json.errors?.map(({ path }) => path).sort()).toEqual(['data', 'extra', 'type']);
  });

  it('refuses a body that is not JSON, not UTF-8, not an object, or of another media type', async () => {
    const apiKey = projects.mine.key;
    const codes = [];
    for (const odd of ['', '{', '[1]', '"x"', 'null', '{"type":"a"}', '{"type":"a","data":null}']) {
      codes.push((await refused({ apiKey, body: odd })).json.code);
    }
    expect(codes).toEqual(['invalid_json', 'invalid_json', ...Array(5).fill('validation_failed')]);
    const asText = await refused({ apiKey, headers: { 'content-type': 'text/plain' } });
    expect([asText.status, asText.json.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('accepts data of 256 KiB, and refuses a byte more and any body over 1 MiB with 413', async () => {
    const apiKey = projects.mine.key;
    const sized = (bytes: number) => `{"type":"big","data":{"x":"${'y'.repeat(bytes - 8)}"}}`;
    expect((await send({ apiKey, body: sized(256 * 1024) })).status).toBe(202);
    for (const bytes of [256 * 1024 + 1, 1024 * 1024]) {
      const { status, json } = await refused({ apiKey, body: sized(bytes) });
      expect([status, json.code], String(bytes)).toEqual([413, 'payload_too_large']);
    }
  });

  it('checks credentials before the body', async () => {
    const unknown = await makeKey(projects.mine.id, projects.mine.owner, { name: 'gone' });
    await database().query('DELETE FROM api_keys WHERE id = $1', [unknown.id]);
    expect((await refused({ apiKey: unknown.key, body: '{' })).json.code).toBe('invalid_api_key');
    expect((await refused({ apiKey: projects.mine.readOnlyKey, body: '{' })).json.code).toBe('read_only_key');
    expect((await refused({ apiKey: projects.mine.key, body: '{' })).json.code).toBe('invalid_json');
    const large = `{"type":"a","data":{"x":"${'y'.repeat(300_000)}"}}`;
    expect((await refused({ apiKey: unknown.key, body: large })).json.code).toBe('invalid_api_key');
    expect((await refused({ apiKey: projects.mine.readOnlyKey, body: large })).json.code).toBe('read_only_key');
    expect((await refused({ apiKey: projects.mine.key, body: large })).json.code).toBe('payload_too_large');
  });

  it('survives hostile JSON: deep nesting, __proto__, a million empty keys', async () => {
    const apiKey = projects.mine.key;
    const deep = `{"type":"deep","data":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
    expect((await send({ apiKey, body: deep })).status).toBe(202);
    const proto = '{"type":"p","data":{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}}';
    expect((await send({ apiKey, body: proto })).status).toBe(202);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    const outer = '{"type":"p","data":{},"__proto__":{"x":1}}';
    expect((await refused({ apiKey, body: outer })).status).toBe(400);
  });
});

describe('reading events', () => {
  type Page = { data: (EventSummary & { deliveries: object })[]; nextCursor: string | null };
  const list = (query = '', options: CallOptions = { apiKey: projects.mine.key }) =>
    call<Page>('GET', `/api/v1/projects/${projects.mine.id}/events${query}`, options);

  it('lists events newest first, without data, in pages that later events do not shift', async () => {
    const ids = [];
    for (let n = 0; n < 5; n++) {
      const sent = { apiKey: projects.mine.key, body: { type: 'paged', data: { n } } };
      ids.unshift((await call<EventSummary>('POST', '/api/v1/events', sent)).json.id);
    }
    const first = (await list('?type=paged&limit=2')).json;
    await call('POST', '/api/v1/events', { apiKey: projects.mine.key, body: { type: 'paged', data: {} } });
    const second = (await list(`?type=paged&limit=2&cursor=${first.nextCursor}`)).json;
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids.slice(0, 4));
    expect(Object.keys(first.data[0] ?? {}).sort()).toEqual(['createdAt', 'deliveries', 'fanOutStatus', 'id', 'type']);
  });

  it('filters by type and by time', async () => {
    const sent = { apiKey: projects.mine.key, body: { type: 'timed', data: {} } };
    const { createdAt } = (await call<EventSummary>('POST', '/api/v1/events', sent)).json;
    const later = new Date(Date.parse(createdAt) + 1).toISOString();
    const types = (page: Page) => new Set(page.data.map(({ type }) => type));
    expect(types((await list('?type=timed')).json)).toEqual(new Set(['timed']));
    expect((await list(`?type=timed&from=${createdAt}`)).json.data).toHaveLength(1);
    expect((await list(`?type=timed&from=${later}`)).json.data).toHaveLength(0);
    expect((await list(`?type=timed&from=${createdAt}&to=${createdAt}`)).json.data).toHaveLength(1);
  });

  it('filters by a prefix of the type, in which dots and underscores stand for themselves', async () => {
    for (const type of ['cart.item_added', 'cart.itemXadded', 'cart.x.deep', 'cartXother', 'cart']) {
      await call('POST', '/api/v1/events', { apiKey: projects.mine.key, body: { type, data: {} } });
    }
    const types = async (pattern: string) =>
      (await list(`?limit=100&type=${pattern}`)).json.data.map(({ type }) => type).sort();
    expect(await types('cart.*')).toEqual(['cart.itemXadded', 'cart.item_added', 'cart.x.deep']);
    expect(await types('cart.item_added.*')).toEqual([]);
    expect(await types('*')).toEqual(expect.arrayContaining(['cart', 'cartXother', 'cart.x.deep']));
    expect((await list('?type=*.cart')).status).toBe(400);
    await database().query('DELETE FROM events WHERE project_id = $1 AND starts_with(type, $2)', [
      projects.mine.id,
      'cart',
    ]);
  });

  it('lists the types of a project once each, in order, and none of another project', async () => {
    const fresh = await makeTestProject();
    const path = `/api/v1/projects/${fresh.id}/event-types`;
    for (const type of ['b.two', 'a.one', 'b.two', 'b.three']) {
      await call('POST', '/api/v1/events', { apiKey: fresh.key, body: { type, data: {} } });
    }
    expect((await call('GET', path, { apiKey: fresh.key })).json).toEqual({ data: ['a.one', 'b.three', 'b.two'] });
    expect((await call('GET', path, { apiKey: projects.mine.key })).status).toBe(404);
  });

  it('refuses an invalid limit, cursor, time or parameter and names it', async () => {
    for (const [query, path] of [
      ['?limit=0', 'limit'],
      ['?cursor=x', 'cursor'],
      ['?from=yesterday', 'from'],
      ['?from=0000-01-01T00:00:00Z', 'from'],
      ['?to=9999-12-31T23:59:59-23:59', 'to'],
      [`?from=2026-01-01T00:00:00.${'1'.repeat(300)}Z&limit=0x10`, 'limit'],
      ['?wrong=1', 'wrong'],
    ]) {
      const { json } = await call('GET', `/api/v1/projects/${projects.mine.id}/events${query}`, {
        apiKey: projects.mine.key,
      });
      expect(json, query).toMatchObject({ status: 400, code: 'validation_failed', errors: [{ path }] });
    }
  });
});
