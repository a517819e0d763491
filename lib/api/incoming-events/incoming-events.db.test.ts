import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Attempt, AttemptDetail, Delivery } from '@/lib/delivery/schema';
import type { IncomingEvent, IncomingEventDetail, Source } from '@/lib/incoming/schema';
import { newId } from '@/lib/platform/ids';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { asPerson, registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { type MadeSource, onlyRequest, SECRET, sourceTools } from '@/tests/fixtures/sources';
import { type CallOptions, call, type Problem } from '@/tests/http/api-request';
import { type ReceivedRequest, startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();

describe('incoming events', () => {
  let project: TestProject;
  let source: Source;
  const ids: Record<string, string> = {};

  const get = <T = IncomingEventDetail & Problem>(tail: string) =>
    call<T>('GET', `/api/v1/projects/${project.id}/incoming-events${tail}`, { apiKey: project.key });
  const list = async (query: string) => {
    const listed = await get<{ data: IncomingEvent[]; nextCursor: string | null }>(query);
    expect(listed.status, listed.text).toBe(200);
    return listed.json;
  };
  const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => id);

  beforeAll(async () => {
    project = await makeTestProject();
    const path = `/api/v1/projects/${project.id}/sources`;
    source = (await call<Source>('POST', path, { apiKey: project.key, body: { name: 'shop' } })).json;
    const other = (await call<Source>('POST', path, { apiKey: project.key, body: { name: 'other' } })).json;
    const rows = [
      ['text', source.id, null, Buffer.from('{"total": 1e2}')],
      ['verified', source.id, true, Buffer.from('é')],
      ['unverified', source.id, false, Buffer.from('x')],
      ['binary', other.id, null, Buffer.from([0xff, 0x00, 0x01])],
    ] as const;
    for (const [name, sourceId, verified, body] of rows) {
      ids[name] = newId();
      await run(
        `INSERT INTO incoming_events (id, project_id, source_id, verified, method, content_type, headers, body, size)
         VALUES ($1, $2, $3, $4, 'POST', 'text/html', '[["x-topic","orders"]]', $5, $6)`,
        ids[name],
        project.id,
        sourceId,
        verified,
        body,
        body.length,
      );
    }
  });

  it('are listed newest first, without headers and bodies, page by page', async () => {
    const first = await list('?limit=3');
    expect(first.data.map(({ id }) => id)).toEqual([ids.binary, ids.unverified, ids.verified]);
    expect(Object.keys(first.data[0] ?? {})).toEqual([
      'id',
      'sourceId',
      'verified',
      'method',
      'query',
      'contentType',
      'eventType',
      'size',
      'clientAddress',
      'createdAt',
    ]);
    expect(await idsOf(`?limit=3&cursor=${first.nextCursor}`)).toEqual([ids.text]);
  });

  it('are filtered by source, by their signature and by time', async () => {
    expect(await idsOf(`?sourceId=${source.id}`)).toEqual([ids.unverified, ids.verified, ids.text]);
    expect(await idsOf('?verified=true')).toEqual([ids.verified]);
    expect(await idsOf('?verified=false')).toEqual([ids.unverified]);
    expect(await idsOf('?verified=none')).toEqual([ids.binary, ids.text]);
    const [past, future] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)].map((at) =>
      at.toISOString(),
    );
    expect(await idsOf(`?from=${past}&to=${future}`)).toHaveLength(4);
    expect(await idsOf(`?to=${past}`)).toEqual([]);
    expect(await idsOf(`?from=${future}`)).toEqual([]);
    expect(await idsOf(`?sourceId=${newId()}`)).toEqual([]);
  });

  it('are filtered by their type, also within a source, and the types of the project are listed', async () => {
    for (const [name, type] of [
      ['text', 'order.paid'],
      ['binary', 'order.paid'],
      ['verified', 'Push Hook'],
    ] as const) {
      await run('UPDATE incoming_events SET event_type = $2 WHERE id = $1', ids[name], type);
    }
    expect(await idsOf('?eventType=order.paid')).toEqual([ids.binary, ids.text]);
    expect(await idsOf(`?eventType=order.paid&sourceId=${source.id}`)).toEqual([ids.text]);
    expect(await idsOf('?eventType=Push%20Hook')).toEqual([ids.verified]);
    expect(await idsOf('?eventType=order')).toEqual([]);
    expect(await idsOf('?eventType=order.*')).toEqual([ids.binary, ids.text]);
    expect(await idsOf('?eventType=order.paid.*')).toEqual([]);
    expect((await get('?eventType=a%00')).status).toBe(400);
    const types = (of: TestProject) =>
      call<{ data: string[] }>('GET', `/api/v1/projects/${of.id}/incoming-event-types`, { apiKey: of.key });
    expect((await types(project)).json.data.toSorted()).toEqual(['Push Hook', 'order.paid']);
    expect((await types(await makeTestProject())).json.data).toEqual([]);
    const file = await get('?eventType=Push%20Hook&format=csv');
    expect(file.text).toContain('"text/html","Push Hook",');
  });

  it('are found by the address that sent them, with a filter or a search', async () => {
    await run(`UPDATE incoming_events SET client_address = '198.51.100.7' WHERE id = $1`, ids.text);
    expect(await idsOf('?clientAddress=198.51.100.7')).toEqual([ids.text]);
    expect(await idsOf('?clientAddress=198.51.100.8')).toEqual([]);
    expect(await idsOf('?q=198.51.100.7')).toEqual([ids.text]);
    expect(await idsOf('?q=198.51.100')).toEqual([]);
  });

  it('are found by their id, the provider’s id, or text or bytes in their body', async () => {
    await run(`UPDATE incoming_events SET provider_event_id = 'evt_1' WHERE id = $1`, ids.verified);
    await run(`UPDATE incoming_events SET provider_event_id = 'evt_1' WHERE id = $1`, ids.unverified);
    expect(await idsOf(`?q=${ids.text}`)).toEqual([ids.text]);
    // Nobody has vouched for the id of an unverified one.
    expect(await idsOf('?q=evt_1')).toEqual([ids.verified]);
    expect(await idsOf('?q=total%22:%201e2')).toEqual([ids.text]);
    expect(await idsOf('?q=total%22:1e2')).toEqual([ids.text]);
    expect((await get('?q=total%22:1e2')).json).toMatchObject({ data: [{ match: { found: 'total": 1e2' } }] });
    expect(await idsOf('?q=total%201e3')).toEqual([]);
    expect(await idsOf('?q=%C3%A9')).toEqual([ids.verified]);
    expect(await idsOf('?q=total&verified=true')).toEqual([]);
    expect(await idsOf(`?q=total&id=${ids.text}`)).toEqual([ids.text]);
    expect(await idsOf(`?q=other&id=${ids.text}`)).toEqual([]);
    const foreign = await makeTestProject();
    const path = `/api/v1/projects/${foreign.id}/incoming-events?q=`;
    for (const q of [ids.text, 'evt_1', 'total']) {
      expect((await call('GET', `${path}${q}`, { apiKey: foreign.key })).json).toMatchObject({ data: [] });
    }
  });

  it('show their headers and body: as text, or in base64 when it is not UTF-8', async () => {
    const text = (await get(`/${ids.text}`)).json;
    expect(text).toMatchObject({ headers: [['x-topic', 'orders']], body: '{"total": 1e2}', bodyBase64: null });
    expect((await get(`/${ids.binary}`)).json).toMatchObject({ body: null, bodyBase64: '/wAB' });
    expect((await get(`/${newId()}`)).status).toBe(404);
  });

  it('give their body as a download that no browser renders', async () => {
    const download = await get(`/${ids.text}/body`);
    expect([download.status, download.text]).toEqual([200, '{"total": 1e2}']);
    expect(download.headers['content-type']).toBe('application/octet-stream');
    expect(download.headers['content-disposition']).toMatch(/^attachment/);
    expect(download.headers['x-content-type-options']).toBe('nosniff');
    expect((await get(`/${newId()}/body`)).status).toBe(404);
  });
});

const BODY = '{"order":1}';

const SIGNATURE = createHmac('sha256', SECRET).update(BODY).digest('hex');

const STRIPE = 'cd34'.repeat(16);

const TOKEN = 'a-token-of-gitlab';

/** As it is sent, and as a receiver reads it. */
const QUERY_KEY = 'a-k%C3%ABy+in%2Fthe-query%3D';
const READ_KEY = 'a-këy in/the-query=';

let project: TestProject;

let source: MadeSource;

let delivery: Delivery;

let forward: ReceivedRequest;

let readers: [string, CallOptions][];

let others: [string, CallOptions][];

const { manage, makeDestination, deliveriesOf } = sourceTools(() => project);

/** Receives a request with its URL in a header, as proxies add it, and forwards it to a receiver that repeats headers and query. */
async function forwardOne(): Promise<void> {
  project = await makeTestProject();
  const { organizationId } = project.owner;
  const viewer = await registerMember(organizationId, 'VIEWER');
  const developer = await registerMember(organizationId, 'DEVELOPER');
  readers = [
    ['a viewer', asPerson(viewer)],
    ['a read-only key', { apiKey: project.readOnlyKey }],
  ];
  others = [
    ['a developer', asPerson(developer)],
    ['a key that may write', { apiKey: project.key }],
  ];
  const receiver = await startReceiver((response, _, { headers, path }) => {
    const key = new URL(path, 'http://receiver').searchParams.get('api_key');
    response.writeHead(200, { 'x-echo': `got ${headers['x-check']}` }).end(JSON.stringify({ ...headers, key }));
  });
  source = await manage<MadeSource>('POST', '/sources', {
    name: 'shop',
    provider: 'GENERIC_HMAC',
    secret: SECRET,
    signatureHeader: 'X-Check',
  });
  await makeDestination(source, { url: `${receiver.url}?of=ours` });
  const uri = `${new URL(source.url).pathname}?page=2&api_key=${QUERY_KEY}`;
  const sent = await call<{ id: string }>('POST', uri, {
    body: BODY,
    headers: {
      'x-check': SIGNATURE,
      'stripe-signature': `t=1,v1=${STRIPE}`,
      'x-gitlab-token': TOKEN,
      'x-original-uri': uri,
      'x-copied': SIGNATURE,
    },
  });
  expect(sent.status, sent.text).toBe(202);
  await startWorker();
  forward = await onlyRequest(receiver);
  await waitFor('its record', async () => (await deliveriesOf(sent.json.id))[0]?.status === 'SUCCEEDED');
  delivery = (await deliveriesOf(sent.json.id))[0] as Delivery;
}

/** Reads everything that shows the incoming event, its source and its forward. */
async function readAll(caller: CallOptions) {
  const get = async <T>(tail: string) => {
    const found = await call<T>('GET', `/api/v1/projects/${project.id}${tail}`, caller);
    expect(found.status, found.text).toBe(200);
    return found;
  };
  const attempts = `/deliveries/${delivery.id}/attempts`;
  const [listed] = (await get<{ data: Attempt[] }>(attempts)).json.data;
  return {
    source: (await get<Source>(`/sources/${source.id}`)).json,
    sources: (await get<{ data: Source[] }>('/sources')).json.data,
    event: (await get<IncomingEventDetail>(`/incoming-events/${delivery.incomingEventId}`)).json,
    events: (await get<{ data: IncomingEvent[] }>('/incoming-events')).json.data,
    csv: (await get('/incoming-events?format=csv')).text,
    listed,
    attempt: (await get<AttemptDetail>(`${attempts}/${listed?.id}`)).json,
  };
}

describe('what lets a request pass for the provider’s', () => {
  it('is hidden from viewers and read-only keys, wherever it appears', async () => {
    await forwardOne();
    // What came in before must stay hidden.
    await manage('PATCH', `/sources/${source.id}`, { signatureHeader: 'X-Later' });
    for (const [name, caller] of readers) {
      const all = await readAll(caller);
      expect([all.source.url, all.sources[0]?.url], name).toEqual([null, null]);
      expect(all.event.query, name).toBe('page=2&api_key=[redacted]');
      expect(all.attempt.request?.url, name).toMatch(/\?of=ours&page=2&api_key=\[redacted\]$/);
      for (const headers of [all.event.headers, all.attempt.request?.headers]) {
        expect(Object.fromEntries(headers ?? []), name).toMatchObject({
          'x-check': '[redacted]',
          'stripe-signature': '[redacted]',
        });
      }
      const text = JSON.stringify(all);
      const token = source.url.split('/').at(-1) ?? '';
      for (const secret of [SIGNATURE, STRIPE, QUERY_KEY, READ_KEY, TOKEN, token])
        expect(text, name).not.toContain(secret);
    }
  });

  it('is shown to those who may replay it', async () => {
    await forwardOne();
    for (const [name, caller] of others) {
      const all = await readAll(caller);
      expect([all.source.url, all.sources[0]?.url], name).toEqual([source.url, source.url]);
      expect([all.event.query, all.events[0]?.query], name).toEqual(Array(2).fill(`page=2&api_key=${QUERY_KEY}`));
      expect(all.csv, name).toContain(`page=2&api_key=${QUERY_KEY}`);
      expect(all.attempt.request?.url, name).toContain(`?of=ours&page=2&api_key=${QUERY_KEY}`);
      for (const headers of [all.event.headers, all.attempt.request?.headers]) {
        expect(Object.fromEntries(headers ?? []), name).toMatchObject({ 'x-check': SIGNATURE });
      }
      expect(all.listed?.responseBody, name).toContain(STRIPE);
      expect(all.listed?.responseBody, name).toContain(READ_KEY);
    }
  });
});

it('a token in a header is neither stored, shown nor forwarded, and its name is kept', async () => {
  await forwardOne();
  for (const [name, caller] of [...others, ...readers]) {
    const { event } = await readAll(caller);
    expect(Object.fromEntries(event.headers), name).toMatchObject({ 'x-gitlab-token': '[redacted]' });
  }
  expect(JSON.stringify(await select('SELECT headers FROM incoming_events'))).not.toContain(TOKEN);
  expect(forward.headers).not.toHaveProperty('x-gitlab-token');
});

it('the URL of a source is neither shown nor forwarded where a header of the request repeats it', async () => {
  await forwardOne();
  const token = source.url.split('/').at(-1) ?? '';
  const { event } = await readAll(others[0]?.[1] ?? {});
  const uri = `/api/v1/ingress/[redacted]?page=2&api_key=${QUERY_KEY}`;
  expect(Object.fromEntries(event.headers)).toMatchObject({ 'x-original-uri': uri });
  expect(forward.headers['x-original-uri']).toBe(uri);
  expect(JSON.stringify(forward.headers)).not.toContain(token);
});

it('a forward has the query of the request after that of its destination', async () => {
  await forwardOne();
  expect(forward.path).toContain(`?of=ours&page=2&api_key=${QUERY_KEY}`);
  expect(forward.headers).toMatchObject({ 'x-check': SIGNATURE, 'stripe-signature': `t=1,v1=${STRIPE}` });
});
