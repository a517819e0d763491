import { describe, expect, it } from 'vitest';
import type { EventDetail } from '@/lib/delivery/schema';
import type { EventListItem, EventSummary, SearchMatch, SentEvent } from '@/lib/events/schema';
import type { Listing } from '@/lib/platform/pagination';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { countEvents, insertEndpoint } from '@/tests/fixtures/deliveries';
import { makeKey, makeTestProject, useProjects } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { type CallOptions, call, expectInvalid, expectProblem, TEST_ADDRESS } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();

const projects = useProjects();

const body = { type: 'order.paid', data: { orderId: 'o-1' } };

describe.each(useAdapters())('sending an event %s', (_name, call) => {
  const send = (options: CallOptions, path = '/api/v1/events') =>
    call<EventSummary>('POST', path, { body, ...options });
  const refused = (options: CallOptions, path?: string) => call('POST', path ?? '/api/v1/events', { body, ...options });

  it('answers 202 once the event and its outbox row are stored', async () => {
    const { status, json } = await send({ apiKey: projects.mine.key });
    expect(status).toBe(202);
    const rows = await select(
      `SELECT e.type, e.payload, e.project_id, e.created_at, o.kind, o.status FROM events e JOIN outbox o ON o.event_id = e.id WHERE e.id = $1`,
      json.id,
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

  it('is stored in the project of its own key when events of two projects arrive at once', async () => {
    const { mine, foreign } = projects;
    const counts = async () => [await countEvents(mine.id), await countEvents(foreign.id)];
    const [ofMine = 0, ofForeign = 0] = await counts();
    const sent = Array.from({ length: 60 }, (_, index) => {
      const path = `/api/v1/projects/${index % 3 === 0 ? foreign.id : mine.id}/events`;
      return index % 3 === 1 ? send({ apiKey: foreign.key }) : refused({ apiKey: mine.key }, path);
    });
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map((_, index) => (index % 3 === 0 ? 404 : 202)));
    expect(await counts()).toEqual([ofMine + 20, ofForeign + 20]);
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
    expectProblem(await refused({ apiKey, headers: { 'content-type': 'text/plain' } }), 415, 'unsupported_media_type');
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
    await run('DELETE FROM api_keys WHERE id = $1', unknown.id);
    expect((await refused({ apiKey: unknown.key, body: '{' })).json.code).toBe('invalid_api_key');
    expect((await refused({ apiKey: projects.mine.readOnlyKey, body: '{' })).json.code).toBe('read_only_key');
    expect((await refused({ apiKey: projects.mine.key, body: '{' })).json.code).toBe('invalid_json');
    const large = `{"type":"a","data":{"x":"${'y'.repeat(300_000)}"}}`;
    expect((await refused({ apiKey: unknown.key, body: large })).json.code).toBe('invalid_api_key');
    expect((await refused({ apiKey: projects.mine.readOnlyKey, body: large })).json.code).toBe('read_only_key');
    expect((await refused({ apiKey: projects.mine.key, body: large })).json.code).toBe('payload_too_large');
  });
});

describe('reading events', () => {
  type Page = { data: (EventSummary & { deliveries: object; match?: SearchMatch })[]; nextCursor: string | null };
  const list = (query = '', options: CallOptions = { apiKey: projects.mine.key }) =>
    call<Page>('GET', `/api/v1/projects/${projects.mine.id}/events${query}`, options);

  it('lists events without their data', async () => {
    const [first] = (await list('?limit=1')).json.data;
    expect(Object.keys(first ?? {}).sort()).toEqual([
      'apiKeyId',
      'clientAddress',
      'createdAt',
      'customerId',
      'customerUid',
      'deliveries',
      'fanOutStatus',
      'id',
      'idempotencyKey',
      'type',
    ]);
  });

  it('finds what an address sent: by a filter, and by a search that finds it in data, too', async () => {
    const { id, key } = await makeTestProject();
    const send = async (data: object, headers: Record<string, string> = {}) =>
      (await call<EventSummary>('POST', '/api/v1/events', { apiKey: key, body: { ...body, data }, headers })).json.id;
    const fromServer = await send({});
    const inData = await send({ address: TEST_ADDRESS }, { origin: 'http://localhost:3000' });
    const fromIpv6 = await send({}, { origin: 'http://localhost:3000' });
    await run(`UPDATE events SET client_address = '2001:db8::7' WHERE id = $1`, fromIpv6);
    const find = async (query: string) => {
      const { json } = await call<Page>('GET', `/api/v1/projects/${id}/events?${query}`, { apiKey: key });
      return json.data.map((event) => event.id);
    };
    expect(await find(`clientAddress=${TEST_ADDRESS}`)).toEqual([fromServer]);
    expect(await find('clientAddress=2001:DB8:0::7')).toEqual([fromIpv6]);
    expect(await find('clientAddress=203.0.113.8')).toEqual([]);
    expect(await find(`q=${TEST_ADDRESS}`)).toEqual([inData, fromServer]);
    expect(await find('q=2001:DB8:0::7')).toEqual([fromIpv6]);
    expect(await find('q=203.0.113')).toEqual([inData]);
    expectInvalid(await list('?clientAddress=203.0.113'), 'clientAddress');
  });

  it('tells by which key, from which address and with which Idempotency-Key an event was sent', async () => {
    const { id, key, keyId } = await makeTestProject();
    const headers = { 'idempotency-key': 'order-42-paid' };
    const { json: sent } = await call<EventSummary>('POST', '/api/v1/events', { apiKey: key, body, headers });
    const sender = { apiKeyId: keyId, clientAddress: TEST_ADDRESS, idempotencyKey: 'order-42-paid' };
    const path = `/api/v1/projects/${id}/events`;
    expect((await call('GET', `${path}/${sent.id}`, { apiKey: key })).json).toMatchObject(sender);
    expect((await call<Page>('GET', `${path}?apiKeyId=${keyId}`, { apiKey: key })).json.data).toMatchObject([sender]);
    expect((await call<Page>('GET', `${path}?apiKeyId=${sent.id}`, { apiKey: key })).json.data).toEqual([]);
    const sentFrom = async (headers: Record<string, string>) => {
      const { json } = await call<EventSummary>('POST', '/api/v1/events', { apiKey: key, body, headers });
      return (await call<SentEvent>('GET', `${path}/${json.id}`, { apiKey: key })).json.clientAddress;
    };
    const byNodeFetch = { 'sec-fetch-mode': 'cors', 'user-agent': 'node' };
    expect(await sentFrom(byNodeFetch)).toBe(TEST_ADDRESS);
    // A browser's address is that of a person.
    expect(await sentFrom({ 'sec-fetch-site': 'cross-site' })).toBeNull();
    expect(await sentFrom({ origin: 'http://localhost:3000' })).toBeNull();
  });

  it('finds an event by its id, its Idempotency-Key, its type, or text in its data, in its own project only', async () => {
    const [mine, foreign] = [await makeTestProject(), await makeTestProject()];
    const sendTo = async (key: string, type: string, data: object, idempotencyKey: string) =>
      (
        await call<EventSummary>('POST', '/api/v1/events', {
          apiKey: key,
          body: { type, data },
          headers: { 'idempotency-key': idempotencyKey },
        })
      ).json.id;
    const first = await sendTo(mine.key, 'order.paid', { orderId: 'ord_42', note: '50 % "off"' }, 'ord_7');
    const second = await sendTo(mine.key, 'order.sent', { orderId: 'ord_7', copyOf: first }, 'k-2');
    const large = await sendTo(mine.key, 'order.sent', { orderId: 'ord_42', text: 'x'.repeat(8_192) }, 'k-3');
    const other = await sendTo(foreign.key, 'order.paid', { orderId: 'ord_42' }, 'k-4');
    const find = async (q: string, more = '') => {
      const path = `/api/v1/projects/${mine.id}/events?q=${encodeURIComponent(q)}${more}`;
      return (await call<Page>('GET', path, { apiKey: mine.readOnlyKey })).json.data.map(({ id }) => id);
    };
    expect(await find(first)).toEqual([first]);
    // The key of an event, not the text in another one.
    expect(await find('ord_7')).toEqual([first]);
    expect(await find('order.sent')).toEqual([large, second]);
    expect(await find('"ord_42"')).toEqual([first]);
    expect(await find('50 % \\"off')).toEqual([first]);
    // White space between the tokens of JSON does not matter, in either, and all words must occur.
    expect(await find('"orderId": "ord_42"')).toEqual([first]);
    expect(await find('"ord_42" , "note" : "50 % \\"off')).toEqual([first]);
    expect(await find('"ord_42","note":"50% ')).toEqual([]);
    expect(await find('off ord_42')).toEqual([first]);
    expect(await find('off ord_43')).toEqual([]);
    expect(await find('ord_42', '&type=order.sent')).toEqual([]);
    expect(await find(other)).toEqual([]);
    expect(await find('k-4')).toEqual([]);
    expect(await find(`ord_42${'x'.repeat(60)}`)).toEqual([]);
    const file = await call('GET', `/api/v1/projects/${mine.id}/events?q=a&format=csv`, { apiKey: mine.key });
    expect(file.json).toMatchObject({ status: 400, errors: [{ path: 'q' }] });
  });

  it('finds JSON that was sent with white space, and shows the piece that it found', async () => {
    const { id, key } = await makeTestProject();
    const text =
      '{"type":"order.paid","data":{"id":"ä", "orderId" :\n  "42", "amount": 4200, "items": [1, 2, 3], "note": "none of these"}}';
    const { status } = await call('POST', '/api/v1/events', { apiKey: key, body: text });
    expect(status).toBe(202);
    const find = async (q: string) => {
      const path = `/api/v1/projects/${id}/events?q=${encodeURIComponent(q)}`;
      return (await call<Page>('GET', path, { apiKey: key })).json.data.map(({ match }) => match);
    };
    const match = {
      before: '{"id":"ä", ',
      found: '"orderId" : "42"',
      after: ', "amount": 4200, "items": [1, 2, 3], "note": "n…',
    };
    expect(await find('"orderId":"42"')).toEqual([match]);
    expect(await find('"orderId": "42"')).toEqual([match]);
    expect(await find('[1,2,3]')).toMatchObject([{ found: '[1, 2, 3]', before: expect.stringMatching(/^….{24}$/) }]);
    // The word that is in fewer places tells more.
    expect(await find('42 none')).toMatchObject([{ found: 'none' }]);
    expect(await find('"orderId":42')).toEqual([]);
    expect(await find('order.paid')).toEqual([undefined]);
  });

  it('refuses an invalid time or parameter and names it', async () => {
    for (const [query, path] of [
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

describe.each(useAdapters())('an Idempotency-Key %s', (name, call) => {
  const send = (key: string, options: CallOptions = {}, path = '/api/v1/events') =>
    call<EventSummary>('POST', path, {
      apiKey: projects.mine.key,
      body,
      headers: { 'idempotency-key': `${name.replaceAll(' ', '-')}-${key}` },
      ...options,
    });

  it('returns the first response for the same body, marked as replayed, and stores one event', async () => {
    const before = await countEvents(projects.mine.id);
    const first = await send('same');
    const again = await send('same');
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.json).toEqual(first.json);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await countEvents(projects.mine.id)).toBe(before + 1);
  });

  it('refuses another body with 409', async () => {
    await send('other');
    const changed = { body: { ...body, data: { orderId: 'o-2' } } };
    expectProblem(await send('other', changed), 409, 'idempotency_conflict');
    const path = `/api/v1/projects/${projects.mine.id}/events`;
    expectProblem(await send('other', changed, path), 409, 'idempotency_conflict');
  });

  it('returns the first response for equal data in another notation, and delivers the first bytes', async () => {
    const first = await send('spelled', { body: '{"type":"order.paid","data":{"a":1.10,"b":[true],"s":"\\u00e9"}}' });
    const again = await send('spelled', { body: '{"data": {"s":"é", "b":[true], "a":1.1},"type":"order.paid"}' });
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.json).toEqual(first.json);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const { text } = await call('GET', `/api/v1/projects/${projects.mine.id}/events/${first.json.id}`, {
      apiKey: projects.mine.key,
    });
    expect(text).toContain('{"a":1.10,"b":[true],"s":"\\u00e9"}');
  });

  it('compares more than 16 KiB of data as they are written, since comparing their values takes long', async () => {
    const data = (name: string, more: string) =>
      `{"type":"order.paid","data":{"a":1,"b":"${name.repeat(17_000)}"${more}}}`;
    await send('large', { body: data('x', '') });
    expect((await send('large', { body: data('x', '') })).status).toBe(202);
    expect((await send('large', { body: data('x', ' ') })).status).toBe(409);
  });

  it('refuses data that differs beyond the precision of a double, and the same data of another type', async () => {
    await send('exact', { body: '{"type":"order.paid","data":{"id":9007199254740993}}' });
    expect((await send('exact', { body: '{"type":"order.paid","data":{"id":9007199254740992}}' })).status).toBe(409);
    expect((await send('exact', { body: '{"type":"order.sent","data":{"id":9007199254740993}}' })).status).toBe(409);
  });

  it('stores one event when thirty requests come at once, and gives all of them the same response', async () => {
    const before = await countEvents(projects.mine.id);
    const responses = await Promise.all(Array.from({ length: 30 }, () => send('race')));
    expect(new Set(responses.map(({ json }) => json.id)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await countEvents(projects.mine.id)).toBe(before + 1);
  });

  it('belongs to its project: the same key in another project is another event', async () => {
    const here = await send('shared');
    const there = await send('shared', { apiKey: projects.foreign.key });
    expect(there.status).toBe(202);
    expect(there.json.id).not.toBe(here.json.id);
  });

  it('must be 1 to 255 printable characters', async () => {
    const headers = { 'idempotency-key': 'x'.repeat(256) };
    const { json } = await call('POST', '/api/v1/events', { apiKey: projects.mine.key, body, headers });
    expect(json).toMatchObject({ status: 400, errors: [{ path: 'idempotency-key' }] });
  });
});

async function send(): Promise<string> {
  const { key } = projects.mine;
  const sent = await call<EventSummary>('POST', '/api/v1/events', { apiKey: key, body: { type: 'a', data: {} } });
  return sent.json.id;
}

async function listed(eventId: string): Promise<EventListItem | undefined> {
  const path = `/api/v1/projects/${projects.mine.id}/events?id=${eventId}`;
  return (await call<Listing<EventListItem>>('GET', path, { apiKey: projects.mine.readOnlyKey })).json.data[0];
}

async function get(eventId: string): Promise<EventDetail> {
  const path = `/api/v1/projects/${projects.mine.id}/events/${eventId}`;
  return (await call<EventDetail>('GET', path, { apiKey: projects.mine.readOnlyKey })).json;
}

it('is PENDING until a worker has stored every delivery of the event', async () => {
  const receivers = [await startReceiver(), await startReceiver(), await startReceiver()];
  for (const { url } of receivers) await insertEndpoint({ url, projectId: projects.mine.id });
  const eventId = await send();
  expect(await get(eventId)).toMatchObject({ fanOutStatus: 'PENDING', deliveries: [] });
  expect(await listed(eventId)).toMatchObject({ fanOutStatus: 'PENDING', deliveries: { queued: 0 } });
  await startWorker();
  await waitFor('the end of the fan-out', async () => {
    const { fanOutStatus, deliveries } = await get(eventId);
    if (fanOutStatus === 'COMPLETED') expect(deliveries).toHaveLength(3);
    return fanOutStatus === 'COMPLETED';
  });
  expect((await listed(eventId))?.fanOutStatus).toBe('COMPLETED');
});

it('is DEAD once the service has given up', async () => {
  const eventId = await send();
  await run(`UPDATE outbox SET status = 'DEAD', dead_at = now() WHERE event_id = $1`, eventId);
  expect((await get(eventId)).fanOutStatus).toBe('DEAD');
  expect((await listed(eventId))?.fanOutStatus).toBe('DEAD');
});
