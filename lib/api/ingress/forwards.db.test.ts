import { createServer } from 'node:http';
import { sign } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Attempt, AttemptDetail, Delivery } from '@/lib/delivery/schema';
import type { Destination, DestinationSecret, IncomingEventDetail } from '@/lib/incoming/schema';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { type MadeSource, onlyRequest, SECRET, sourceTools } from '@/tests/fixtures/sources';
import { call } from '@/tests/http/api-request';
import { listen } from '@/tests/http/listen';
import { respondWith, startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();

let project: TestProject;

beforeEach(async () => {
  project = await makeTestProject();
});

const { manage, makeSource, makeDestination, post, deliveriesOf } = sourceTools(() => project);

describe('a forward', () => {
  it('can be verified by the receiver with the library of GitHub, as if GitHub had sent it', async () => {
    const receiver = await startReceiver();
    const source = await makeSource('GITHUB');
    const destination = await makeDestination(source, receiver);
    const raw = '{"ref":"refs/heads/main","total":1e2,"text":"é"}';
    const sent = await post(source, raw, {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/044aadd',
      'x-github-event': 'push',
      'x-github-delivery': 'd-1',
      'x-hub-signature-256': await sign(SECRET, raw),
      'x-forwarded-for': '203.0.113.9',
      authorization: 'Bearer of-a-proxy',
    });
    await startWorker();
    const { headers, body } = await onlyRequest(receiver);
    expect(headers).toMatchObject({
      'user-agent': 'GitHub-Hookshot/044aadd',
      'x-github-event': 'push',
      'x-hub-signature-256': await sign(SECRET, raw),
      'x-eds-source-id': source.id,
      'x-eds-incoming-event-id': sent.json.id,
      host: new URL(receiver.url).host,
    });
    expect(body).toBe(raw);
    for (const name of ['x-forwarded-for', 'authorization', 'webhook-id', 'webhook-signature']) {
      expect(headers).not.toHaveProperty(name);
    }
    await waitFor('its record', async () => (await deliveriesOf(sent.json.id))[0]?.status === 'SUCCEEDED');
    expect(await deliveriesOf(sent.json.id)).toMatchObject([
      { incomingEventId: sent.json.id, destinationId: destination.id, eventId: null, endpointId: null },
    ]);
    const [listed] = await deliveriesOf(sent.json.id);
    expect(listed).toMatchObject({ targetUrl: destination.url, sourceId: source.id });
    expect(await manage('GET', `/deliveries/${listed?.id}`)).toEqual(listed);
  });

  it('of Stripe is retried to the destination that fails, and reaches the other once', async () => {
    const failing = await startReceiver((response, index) => response.writeHead(index === 0 ? 500 : 200).end());
    const working = await startReceiver();
    const source = await makeSource('STRIPE');
    for (const receiver of [failing, working]) await makeDestination(source, receiver);
    const raw = '{"id":"evt_1","type":"charge.succeeded"}';
    const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload: raw, secret: SECRET });
    const sent = await post(source, raw, { 'stripe-signature': signature });
    await startWorker();
    await waitFor('the retry', async () => {
      const deliveries = await deliveriesOf(sent.json.id);
      return deliveries.length === 2 && deliveries.every(({ status }) => status === 'SUCCEEDED');
    });
    expect([failing.received.length, working.received.length]).toEqual([2, 1]);
    for (const { headers, body } of [...failing.received, ...working.received]) {
      const event = new Stripe('sk_test_x').webhooks.constructEvent(body, headers['stripe-signature'] ?? '', SECRET);
      expect(event.id).toBe('evt_1');
    }
  });

  it('is signed with the secret of its destination, by the Standard Webhooks rules', async () => {
    const receiver = await startReceiver();
    const source = await makeSource('NONE');
    const { id } = await makeDestination(source, receiver, { signing: true });
    const path = `/sources/${source.id}/destinations/${id}/secret`;
    const { secret } = await manage<DestinationSecret>('GET', path);
    const sent = await post(source, '{"a":1}', { 'webhook-id': 'of-the-sender', 'webhook-signature': 'v1,forged' });
    await startWorker();
    const { headers, body } = await onlyRequest(receiver);
    expect(headers['webhook-id']).toBe(sent.json.id);
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({ a: 1 });
  });

  it.each([
    [{ type: 'BEARER', token: 't0ken' }, 'authorization', 'Bearer t0ken'],
    [{ type: 'BASIC', username: 'shop', password: 'pä' }, 'authorization', `Basic ${btoa('shop:p\u00c3\u00a4')}`],
    [{ type: 'HEADER', name: 'X-Key', value: 'k3y' }, 'x-key', 'k3y'],
  ])('carries the credential %j', async (auth, name, value) => {
    const receiver = await startReceiver();
    const source = await makeSource('NONE');
    await makeDestination(source, receiver, { auth });
    await post(source, 'x', { 'x-key': 'of the sender' });
    await startWorker();
    expect((await onlyRequest(receiver)).headers[name]).toBe(value);
  });

  it('has the content type and the bytes of the request, also without a type', async () => {
    const receiver = await startReceiver();
    const source = await makeSource('NONE');
    await makeDestination(source, receiver);
    const sent = await post(source, '\u0000\u00ff not json', { 'content-type': 'text/weird; a="b"' });
    await startWorker();
    const { headers, body } = await onlyRequest(receiver);
    expect([headers['content-type'], body]).toEqual(['text/weird; a="b"', '\u0000\u00ff not json']);
    expect(sent.status).toBe(202);
  });

  it('ends for good at a destination that is disabled by 410 Gone, and the log says so', async () => {
    const receiver = await startReceiver(respondWith(410));
    const source = await makeSource('NONE');
    const { id } = await makeDestination(source, receiver);
    await post(source, 'x');
    await startWorker();
    const read = () => manage<Destination>('GET', `/sources/${source.id}/destinations/${id}`);
    await waitFor('the end', async () => !(await read()).enabled);
    expect(await read()).toMatchObject({ enabled: false, disabledReason: 'gone' });
    const rows = await select(`SELECT action FROM audit_log WHERE target_id = $1 ORDER BY id`, id);
    expect(rows.map(({ action }) => action)).toEqual(['destination.created', 'destination.disabled']);
  });
});

describe('an incoming event whose stored headers are damaged', () => {
  it('is forwarded without them and stays readable, and others beside it are forwarded too', async () => {
    const receiver = await startReceiver();
    const source = await makeSource('NONE');
    await makeDestination(source, receiver);
    const damaged = await post(source, 'damaged');
    const sound = await post(source, 'sound', { 'x-shop': 'a' });
    const ids = [damaged.json.id, sound.json.id];
    for (const [index, headers] of ['not json', '{"a":1}', '["a"]', 'null'].entries()) {
      await run('UPDATE incoming_events SET headers = $2 WHERE id = $1', ids[0], headers);
      if (index === 0) await startWorker();
      else for (const id of ids) await manage('POST', `/incoming-events/${id}/replay`, {});
      await waitFor(`both beside ${headers}`, async () => {
        const both = [await deliveriesOf(ids[0] ?? ''), await deliveriesOf(ids[1] ?? '')].flat();
        return (
          both.length === 2 && both.every((each) => each.status === 'SUCCEEDED' && each.attemptCount === index + 1)
        );
      });
      const detail = await manage<IncomingEventDetail>('GET', `/incoming-events/${ids[0]}`);
      expect(detail).toMatchObject({ headers: [], body: 'damaged' });
    }
    expect(receiver.received).toHaveLength(8);
    const kept = receiver.received.filter(({ headers }) => headers['x-shop'] === 'a');
    expect(kept.map(({ body }) => body)).toEqual(Array(4).fill('sound'));
  });
});

describe('the credential of a destination', () => {
  it.each([
    [200, { type: 'BEARER', token: 'bearer-s3cret' }],
    [500, { type: 'BASIC', username: 'shop', password: 'basic-s3cret' }],
    [500, { type: 'HEADER', name: 'X-Key', value: 'header "s3cret' }],
  ])('is not kept with an attempt when the receiver answers %i and repeats it (%j)', async (status, auth) => {
    const receiver = await startReceiver((response, _, { headers }) => {
      const carried = headers.authorization ?? String(headers['x-key']);
      const decoded = Buffer.from(carried.split(' ')[1] ?? '', 'base64').toString();
      response
        .writeHead(status, { 'x-echo': `got ${carried}` })
        .end(`start ${JSON.stringify(headers)} ${carried} ${decoded} end`);
    });
    const source = await makeSource('NONE');
    await makeDestination(source, receiver, { auth, retrySeconds: [3600] });
    const sent = await post(source, 'x');
    await startWorker();
    const made = async () => (await deliveriesOf(sent.json.id)).find(({ attemptCount }) => attemptCount === 1);
    await waitFor('the attempt', async () => (await made()) !== undefined);
    const path = `/deliveries/${(await made())?.id}/attempts`;
    const attempts = await manage<{ data: Attempt[] }>('GET', path);
    expect(attempts.data[0]?.responseBody).toMatch(/^start .*x-eds-via.* end$/);
    const detail = await manage<AttemptDetail>('GET', `${path}/${attempts.data[0]?.id}`);
    expect(detail.request?.headers).toContainEqual([
      'name' in auth ? auth.name.toLowerCase() : 'authorization',
      '[redacted]',
    ]);
    expect(detail.responseHeaders).toContainEqual(['x-echo', 'got [credential]']);
    const all = JSON.stringify([attempts, detail, await select('SELECT * FROM delivery_attempts')]);
    expect([all.includes('s3cret'), all.includes(btoa('shop:basic-s3cret'))]).toEqual([false, false]);
  });
});

/** A proxy with another name that leads to this service. */
async function startProxy(change: (headers: Record<string, string>) => Record<string, string> = (headers) => headers) {
  const server = createServer(async (message, response) => {
    const body = Buffer.concat(await message.toArray()).toString();
    const headers = change(message.headers as Record<string, string>);
    const { status, text } = await call('POST', message.url ?? '/', { body, headers });
    response.writeHead(status).end(text);
  });
  return await listen(server);
}

const chain = async (from: MadeSource, to: MadeSource, proxy: string) =>
  manage('POST', `/sources/${from.id}/destinations`, { url: proxy + new URL(to.url).pathname, retrySeconds: [3600] });

const countOf = async ({ id }: MadeSource) =>
  (await manage<{ data: unknown[] }>('GET', `/incoming-events?sourceId=${id}`)).data.length;

const lastErrors = async () => {
  const listed = await manage<{ data: Delivery[] }>('GET', '/deliveries?limit=100');
  return listed.data.map(({ status, lastError }) => lastError ?? status);
};

const settled = (count: number) => async () =>
  (await lastErrors()).filter((error) => error !== 'PENDING').length === count;

describe('forwards that a proxy leads to another source', () => {
  it('reach it, and end at a source that has forwarded the event before', async () => {
    const proxy = await startProxy();
    const first = await makeSource('NONE');
    const second = await makeSource('NONE');
    await chain(first, second, proxy);
    await chain(second, first, proxy);
    await chain(second, second, proxy);
    await post(first, 'x');
    await startWorker();
    await waitFor('the end', settled(3));
    expect((await lastErrors()).sort()).toEqual(['Answered with status 409', 'Answered with status 409', 'SUCCEEDED']);
    expect([await countOf(first), await countOf(second)]).toEqual([1, 1]);
  });

  it('pass through three sources at most', async () => {
    const proxy = await startProxy();
    const sources = await Promise.all(Array.from({ length: 5 }, () => makeSource('NONE')));
    for (const [index, to] of sources.slice(1).entries()) await chain(sources[index] as MadeSource, to, proxy);
    await post(sources[0] as MadeSource, 'x');
    await startWorker();
    await waitFor('the end', settled(3));
    expect(await Promise.all(sources.map(countOf))).toEqual([1, 1, 1, 0, 0]);
    expect(await lastErrors()).toEqual(['Answered with status 409', 'SUCCEEDED', 'SUCCEEDED']);
  });

  it('cause a thousand further deliveries of one event at most, in all branches together', async () => {
    const receiver = await startReceiver();
    const first = await makeSource('NONE');
    const second = await makeSource('NONE');
    const third = await makeSource('NONE');
    await makeDestination(first, receiver);
    for (const source of [second, third]) {
      for (let made = 0; made < 9; made += 1) await makeDestination(source, receiver, { enabled: made < 8 });
    }
    await post(first, 'x');
    await startWorker();
    const { headers } = await onlyRequest(receiver);
    const again = { 'x-eds-via': String(headers['x-eds-via']) };
    // Eight enabled destinations and the event cost 9 of the 1,000, and 27 with a body of 150 KiB.
    for (let sent = 0; sent < 108; sent += 1) {
      expect((await post(sent % 2 === 0 ? second : third, 'x', again)).status).toBe(202);
    }
    expect((await post(second, 'x'.repeat(150 * 1024), again)).status).toBe(202);
    expect((await post(third, 'x', again)).json).toMatchObject({
      status: 409,
      code: 'conflict',
      detail: expect.stringContaining('1,000 further deliveries'),
    });
    expect((await post(third, 'x')).status).toBe(202);
    const forged = String(headers['x-eds-via']).replace(/..$/, (end) => (end === 'AA' ? 'BB' : 'AA'));
    expect((await post(third, 'x', { 'x-eds-via': forged })).status).toBe(202);
    // Its signature is false until the statement that stores it finds the new secret.
    const signed = await makeSource('GITHUB');
    expect((await post(signed, 'x', again)).status).toBe(401);
    await manage('POST', `/sources/${signed.id}/rotate-secret`, { secret: 'a newer secret' });
    const signature = await sign('a newer secret', 'x');
    expect((await post(signed, 'x', { ...again, 'x-hub-signature-256': signature })).status).toBe(409);
    expect((await post(signed, 'x', { 'x-hub-signature-256': signature })).status).toBe(202);
  });
});
