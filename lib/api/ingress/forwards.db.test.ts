import { sign } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Destination, DestinationSecret, IncomingEventDetail } from '@/lib/incoming/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { onlyRequest, SECRET, sourceTools } from '@/tests/fixtures/sources';
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
    const [failing, working] = [
      await startReceiver((response, index) => response.writeHead(index === 0 ? 500 : 200).end()),
      await startReceiver(),
    ];
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

  it('is not made of a request whose signature does not verify, nor to a disabled destination', async () => {
    const [receiver, disabled] = [await startReceiver(), await startReceiver()];
    const source = await makeSource('GITHUB');
    await makeDestination(source, receiver);
    await makeDestination(source, disabled, { enabled: false });
    expect((await post(source, 'forged', { 'x-hub-signature-256': await sign('wrong', 'forged') })).status).toBe(401);
    await startWorker();
    await post(source, 'real', { 'x-hub-signature-256': await sign(SECRET, 'real') });
    expect((await onlyRequest(receiver)).body).toBe('real');
    expect(disabled.received).toEqual([]);
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
    const { rows } = await database().query(`SELECT action FROM audit_log WHERE target_id = $1 ORDER BY id`, [id]);
    expect(rows.map(({ action }) => action)).toEqual(['destination.created', 'destination.disabled']);
  });
});

describe('an incoming event whose stored headers are damaged', () => {
  it('is forwarded without them and stays readable, and others beside it are forwarded too', async () => {
    const receiver = await startReceiver();
    const source = await makeSource('NONE');
    await makeDestination(source, receiver);
    const [damaged, sound] = [await post(source, 'damaged'), await post(source, 'sound', { 'x-shop': 'a' })];
    const ids = [damaged.json.id, sound.json.id];
    for (const [index, headers] of ['not json', '{"a":1}', '["a"]', 'null'].entries()) {
      await database().query('UPDATE incoming_events SET headers = $2 WHERE id = $1', [ids[0], headers]);
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
