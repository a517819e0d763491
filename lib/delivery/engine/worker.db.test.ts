import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeEndpointSecret, sealEndpointSecret } from '@/lib/delivery/credentials';
import { retryDelivery } from '@/lib/delivery/deliveries/deliveries';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { itOnOneServer } from '@/tests/database/one-server';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { insertEndpoint, insertEvents, readAttempts, readDeliveries } from '@/tests/fixtures/deliveries';
import { respondWith, startReceiver, waitFor } from '@/tests/http/receiver';
import { DueWorkPoller } from './claims/due-work-poller';

useDatabase({ DELIVERY_RETRY_SECONDS: '0,0' });

beforeEach(() => database().query('TRUNCATE deliveries, outbox'));
afterEach(() => void vi.restoreAllMocks());

describe('a delivery', () => {
  it('arrives signed by Standard Webhooks, with the bytes that were sent', async () => {
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: `${receiver.url}?a=1` });
    await startWorker();
    const data = '{"total": 12.50, "name":"Åse \\u0041"}';
    const [eventId] = await insertEvents(endpoint.projectId, 1, { data });
    await waitFor('the delivery', isSettled(endpoint.id, 1));
    const [request] = receiver.received;
    expect(request?.path).toBe('/hook?a=1');
    expect(request?.headers).toMatchObject({ 'webhook-id': eventId, 'content-type': 'application/json' });
    expect(request?.headers['user-agent']).toMatch(/^EventDeliveryService\/\d/);
    expect(request?.body).toMatch(/^\{"type":"order\.created","timestamp":"\d{4}-\d\d-\d\dT.*Z","data":/);
    expect(request?.body.endsWith(`"data":${data}}`)).toBe(true);
    const headers = request?.headers as Record<string, string>;
    expect(new Webhook(endpoint.secret).verify(request?.body ?? '', headers)).toMatchObject({ data: { total: 12.5 } });
    expect(await readDeliveries(endpoint.id)).toMatchObject([
      { status: 'SUCCEEDED', attempt_count: 1, stored_attempts: 1, last_response_status: 200, next_attempt_at: null },
    ]);
    expect(await readAttempts(endpoint.id)).toMatchObject([
      { succeeded: true, response_body: 'ok', attempt_number: 1 },
    ]);
  });

  // A cluster has two cells, and each polls.
  itOnOneServer('is retried in time although polls do not end, because much more is due', async () => {
    const receiver = await startReceiver((response, index) =>
      respondWith(index === 0 ? 500 : 200)(response, index, {} as never),
    );
    const endpoint = await insertEndpoint({ url: receiver.url, retrySeconds: [1] });
    await startWorker();
    await insertEvents(endpoint.projectId, 1);
    await waitFor('the first attempt', () => receiver.received.length === 1);
    const nothing = {
      targets: [],
      isAll: false,
      nextDueMs: null,
      turns: [],
      againInMs: 0,
      quarantinedTakes: null,
    };
    const poll = vi.spyOn(DueWorkPoller.prototype, 'poll').mockReturnValue(new Promise(() => undefined));
    poll.mockResolvedValueOnce(nothing);
    await database().query(`SELECT pg_notify('eds_delivery', '')`);
    await waitFor('the poll that does not end', () => poll.mock.calls.length === 2);
    await waitFor('the retry', isSettled(endpoint.id, 1));
    expect(receiver.received).toHaveLength(2);
  });

  it('is retried until it succeeds, with the same body and a new signature each time', async () => {
    const receiver = await startReceiver((response, index) =>
      respondWith(index === 0 ? 500 : 200, 'text')(response, index, {} as never),
    );
    const endpoint = await insertEndpoint({ url: receiver.url, retrySeconds: [1] });
    await startWorker();
    await insertEvents(endpoint.projectId, 1);
    await waitFor('the retry', isSettled(endpoint.id, 1));
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(Number(second?.headers['webhook-timestamp'])).toBeGreaterThan(Number(first?.headers['webhook-timestamp']));
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(await readAttempts(endpoint.id)).toMatchObject([
      {
        attempt_number: 1,
        succeeded: false,
        response_status: 500,
        response_body: 'text',
        error: 'Answered with status 500',
      },
      { attempt_number: 2, succeeded: true, response_status: 200, error: null },
    ]);
  });

  it('fails for good at the end of its schedule', async () => {
    const receiver = await startReceiver(respondWith(503));
    const endpoint = await insertEndpoint({ url: receiver.url });
    await startWorker();
    await insertEvents(endpoint.projectId, 1);
    await waitFor('the last attempt', isSettled(endpoint.id, 1));
    expect(await readDeliveries(endpoint.id)).toMatchObject([
      { status: 'FAILED', attempt_count: 3, stored_attempts: 3, last_response_status: 503, next_attempt_at: null },
    ]);
    expect((await readDeliveries(endpoint.id))[0]?.completed_at).not.toBeNull();
  });

  it('can be retried by hand with a new schedule, even after a success', async () => {
    const receiver = await startReceiver((response, index) =>
      respondWith(index < 4 ? 500 : 200)(response, index, {} as never),
    );
    const endpoint = await insertEndpoint({ url: receiver.url });
    await startWorker();
    await insertEvents(endpoint.projectId, 1);
    await waitFor('the failure', isSettled(endpoint.id, 1));
    const [failed] = await readDeliveries(endpoint.id);
    await retryDelivery(endpoint.projectId, failed?.id ?? '');
    await waitFor('the success', async () => (await readDeliveries(endpoint.id))[0]?.status === 'SUCCEEDED');
    expect(await readDeliveries(endpoint.id)).toMatchObject([{ attempt_count: 5, schedule_step: 2 }]);
    await retryDelivery(endpoint.projectId, failed?.id ?? '');
    await waitFor('another request', () => receiver.received.length === 6);
    await waitFor('its record', async () => (await readAttempts(endpoint.id)).length === 6);
  });

  it('is retried when it is due, not at a later poll', async () => {
    const receiver = await startReceiver((response, index, request) =>
      respondWith(index < 4 ? 500 : 200)(response, index, request),
    );
    const endpoint = await insertEndpoint({ url: receiver.url, retrySeconds: [1, 1, 1, 1] });
    await startWorker();
    await insertEvents(endpoint.projectId, 1);
    await waitFor('the success', isSettled(endpoint.id, 1));
    const waits = receiver.received.slice(1).map(({ at }, index) => at - (receiver.received[index]?.at ?? 0));
    expect(waits).toHaveLength(4);
    for (const ms of waits) expect(ms).toBeGreaterThanOrEqual(1_000);
    // A busy machine may delay some of them, a poll would delay all.
    expect(Math.min(...waits)).toBeLessThan(1_500);
  });

  it('is signed with both secrets only while the previous one is valid', async () => {
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: receiver.url });
    const previous = makeEndpointSecret();
    const setPrevious = (until: string) =>
      database().query(
        `UPDATE endpoints SET previous_secret_encrypted = $2, previous_secret_expires_at = now() + $3::interval WHERE id = $1`,
        [endpoint.id, sealEndpointSecret(previous), until],
      );
    await startWorker();
    await setPrevious('1 hour');
    await insertEvents(endpoint.projectId, 1);
    await waitFor('the first', isSettled(endpoint.id, 1));
    await setPrevious('-1 second');
    await insertEvents(endpoint.projectId, 1);
    await waitFor('the second', isSettled(endpoint.id, 2));
    const verify = (secret: string, index: number) => () => {
      const { body, headers } = receiver.received[index] ?? { body: '', headers: {} };
      new Webhook(secret).verify(body, headers as Record<string, string>);
    };
    for (const secret of [endpoint.secret, previous]) expect(verify(secret, 0)).not.toThrow();
    expect(verify(endpoint.secret, 1)).not.toThrow();
    expect(verify(previous, 1)).toThrow();
  });

  it('keeps 2 KiB of the response to a success and 10 KiB to a failure, whatever bytes they are', async () => {
    const receiver = await startReceiver((response, index) => {
      response
        .writeHead(index === 0 ? 500 : 200)
        .end(Buffer.concat([Buffer.from('a\0\xff', 'latin1'), Buffer.alloc(50_000, 'é')]));
    });
    const endpoint = await insertEndpoint({ url: receiver.url });
    await startWorker();
    await insertEvents(endpoint.projectId, 1);
    await waitFor('the delivery', isSettled(endpoint.id, 1));
    const [failure, success] = (await readAttempts(endpoint.id)).map(({ response_body }) => response_body ?? '');
    expect(failure?.slice(0, 5)).toBe('a\uFFFD\uFFFDéé');
    expect(failure?.length).toBe(3 + Math.floor((10_240 - 3) / 2));
    expect(success?.length).toBe(3 + Math.floor((2_048 - 3) / 2));
  });

  it('fails with the reason when the connection is refused', async () => {
    const receiver = await startReceiver();
    await receiver.close();
    const endpoint = await insertEndpoint({ url: receiver.url });
    await startWorker();
    await insertEvents(endpoint.projectId, 1);
    await waitFor('the last attempt', isSettled(endpoint.id, 1));
    expect(await readDeliveries(endpoint.id)).toMatchObject([
      { status: 'FAILED', last_response_status: null, last_error: 'Connection refused' },
    ]);
  });
});

describe('while storage is nearly full', () => {
  const setRoom = (isExhausted: boolean) => setOnce('storage-room', { isNearlyFull: true, isExhausted });
  afterEach(() => setOnce('storage-room', undefined));

  it('a delivery is sent and its response is not kept; without any room it waits', async () => {
    setRoom(true);
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: receiver.url });
    await startWorker();
    await insertEvents(endpoint.projectId, 1);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(receiver.received).toHaveLength(0);
    setRoom(false);
    await waitFor('the delivery', isSettled(endpoint.id, 1));
    expect(await readAttempts(endpoint.id)).toMatchObject([
      { succeeded: true, response_status: 200, response_body: null },
    ]);
  });
});
