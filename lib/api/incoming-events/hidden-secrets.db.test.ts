import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Attempt, AttemptDetail, Delivery } from '@/lib/delivery/schema';
import type { IncomingEvent, IncomingEventDetail, Source } from '@/lib/incoming/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { type MadeSource, onlyRequest, SECRET, sourceTools } from '@/tests/fixtures/sources';
import { type CallOptions, call } from '@/tests/http/api-request';
import { type ReceivedRequest, startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();

const BODY = '{"order":1}';
const SIGNATURE = createHmac('sha256', SECRET).update(BODY).digest('hex');
const STRIPE = 'cd34'.repeat(16);
const TOKEN = 'a-token-of-gitlab';
const QUERY_KEY = 'a-key-in-the-query';

let project: TestProject;
let source: MadeSource;
let delivery: Delivery;
let forward: ReceivedRequest;
let readers: [string, CallOptions][];
let others: [string, CallOptions][];
const { manage, makeDestination, deliveriesOf } = sourceTools(() => project);

/** Receives a request, and forwards it to a receiver that repeats its headers. */
async function forwardOne(): Promise<void> {
  project = await makeTestProject();
  const { organizationId } = project.owner;
  const [viewer, developer] = [
    await registerMember(organizationId, 'VIEWER'),
    await registerMember(organizationId, 'DEVELOPER'),
  ];
  readers = [
    ['a viewer', { bearer: viewer.accessToken }],
    ['a read-only key', { apiKey: project.readOnlyKey }],
  ];
  others = [
    ['a developer', { bearer: developer.accessToken }],
    ['a key that may write', { apiKey: project.key }],
  ];
  const receiver = await startReceiver((response, _, { headers }) =>
    response.writeHead(200, { 'x-echo': `got ${headers['x-check']}` }).end(JSON.stringify(headers)),
  );
  source = await manage<MadeSource>('POST', '/sources', {
    ...{ name: 'shop', provider: 'GENERIC_HMAC', secret: SECRET, signatureHeader: 'X-Check' },
  });
  await makeDestination(source, { url: `${receiver.url}?of=ours` });
  const sent = await call<{ id: string }>('POST', `${new URL(source.url).pathname}?page=2&api_key=${QUERY_KEY}`, {
    body: BODY,
    headers: { 'x-check': SIGNATURE, 'stripe-signature': `t=1,v1=${STRIPE}`, 'x-gitlab-token': TOKEN },
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
    for (const [name, caller] of readers) {
      const all = await readAll(caller);
      expect([all.source.url, all.sources[0]?.url], name).toEqual([null, null]);
      expect(all.event.query, name).toBe('page=2&api_key=[redacted]');
      expect(all.attempt.request?.url, name).toMatch(/\?of=ours&page=2&api_key=\[redacted\]$/);
      for (const headers of [all.event.headers, all.attempt.request?.headers]) {
        expect(Object.fromEntries(headers ?? []), name).toMatchObject({
          ...{ 'x-check': '[redacted]', 'stripe-signature': '[redacted]' },
        });
      }
      const text = JSON.stringify(all);
      const token = source.url.split('/').at(-1) ?? '';
      for (const secret of [SIGNATURE, STRIPE, QUERY_KEY, TOKEN, token]) expect(text, name).not.toContain(secret);
    }
  });

  it('is shown to those who may replay it', async () => {
    await forwardOne();
    for (const [name, caller] of others) {
      const all = await readAll(caller);
      expect([all.source.url, all.sources[0]?.url], name).toEqual([source.url, source.url]);
      expect([all.event.query, all.events[0]?.query], name).toEqual(Array(2).fill(`page=2&api_key=${QUERY_KEY}`));
      expect(all.csv, name).toContain(`page=2&api_key=${QUERY_KEY}`);
      expect(all.attempt.request?.url, name).toMatch(new RegExp(`\\?of=ours&page=2&api_key=${QUERY_KEY}$`));
      for (const headers of [all.event.headers, all.attempt.request?.headers]) {
        expect(Object.fromEntries(headers ?? []), name).toMatchObject({ 'x-check': SIGNATURE });
      }
      expect(all.listed?.responseBody, name).toContain(STRIPE);
    }
  });
});

it('a token in a header is neither stored, shown nor forwarded, and its name is kept', async () => {
  await forwardOne();
  for (const [name, caller] of [...others, ...readers]) {
    const { event } = await readAll(caller);
    expect(Object.fromEntries(event.headers), name).toMatchObject({ 'x-gitlab-token': '[redacted]' });
  }
  const { rows } = await database().query('SELECT headers FROM incoming_events');
  expect(JSON.stringify(rows)).not.toContain(TOKEN);
  expect(forward.headers).not.toHaveProperty('x-gitlab-token');
});

it('a forward has the query of the request after that of its destination', async () => {
  await forwardOne();
  expect(forward.path).toMatch(new RegExp(`\\?of=ours&page=2&api_key=${QUERY_KEY}$`));
  expect(forward.headers).toMatchObject({ 'x-check': SIGNATURE, 'stripe-signature': `t=1,v1=${STRIPE}` });
});
