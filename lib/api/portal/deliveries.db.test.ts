import { describe, expect, it } from 'vitest';
import type { Attempt, AttemptDetail, TestResult } from '@/lib/delivery/schema';
import type { EventTypeSummary } from '@/lib/events/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import type { PortalDelivery } from '@/lib/portal/schema';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { usePortal } from '@/tests/fixtures/portal';
import { call, expectProblem } from '@/tests/http/api-request';
import { type Receiver, startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();
const { projects, base, asOwner, makeEndpoint, mine, makeCustomer, portal, list } = usePortal();

const send = (body: object) =>
  call('POST', '/api/v1/events', { apiKey: projects.mine.key, body: { type: 'order.paid', data: {}, ...body } });

describe('what was sent', () => {
  const HEADERS = { 'X-Company': 'a value of the company', Authorization: 'Bearer of-the-company-1234' };
  let receiver: Receiver;
  let status: number;

  /** Answers with what it got, in headers and in the body. */
  async function startEcho() {
    receiver = await startReceiver((response, _index, { headers }) => {
      const echo = { 'X-Echo': String(headers['x-company']), 'X-Signed': String(headers['webhook-signature']) };
      response.writeHead(status, echo).end(JSON.stringify({ headers }));
    });
    const path = `${base()}/endpoints`;
    const body = {
      url: receiver.url,
      customer: mine.customer.uid,
      headers: HEADERS,
      eventTypes: ['*'],
      retrySeconds: [3600],
    };
    return (await call<{ id: string }>('POST', path, { ...asOwner(), body })).json.id;
  }

  async function deliver(): Promise<PortalDelivery> {
    await startWorker();
    await send({ customer: mine.customer.uid });
    await waitFor('the first attempt', async () => {
      const [delivery] = await list<PortalDelivery>('/deliveries');
      return delivery !== undefined && delivery.attemptCount > 0;
    });
    return (await list<PortalDelivery>('/deliveries'))[0] as PortalDelivery;
  }

  it('is listed, shown attempt by attempt, and sent again', async () => {
    status = 500;
    const endpointId = await startEcho();
    const delivery = await deliver();
    expect(delivery).toMatchObject({ endpointId, eventType: 'order.paid', status: 'PENDING', lastResponseStatus: 500 });
    for (const name of ['incomingEventId', 'destinationId', 'sourceId']) expect(delivery).not.toHaveProperty(name);
    const path = `/deliveries/${delivery.id}`;
    expect((await portal<PortalDelivery>('GET', path, undefined, mine.reader)).json.id).toBe(delivery.id);
    const [attempt] = await list<Attempt>(`${path}/attempts`, mine.reader);
    const shown = await portal<AttemptDetail>('GET', `${path}/attempts/${attempt?.id}`);
    expect(shown.json.request?.body).toContain('order.paid');
    expect(await list('/deliveries?status=RETRYING')).toHaveLength(1);
    expect(await list(`/deliveries?endpointId=${newId()}`)).toEqual([]);
    expect((await portal('GET', '/deliveries?customer=a')).status).toBe(400);
    status = 200;
    expectProblem(await portal('POST', `${path}/retry`, undefined, mine.reader), 403, 'forbidden');
    expect((await portal('POST', `${path}/retry`)).status).toBe(202);
    await waitFor('the retry', async () => (await portal<PortalDelivery>('GET', path)).json.status === 'SUCCEEDED');
    expect((await portal('POST', `${path}/retry`)).status).toBe(202);
  });

  it('never shows a value of a header of the company, nor where the receiver repeats it', async () => {
    status = 200;
    const endpointId = await startEcho();
    const { id } = await deliver();
    const test = await portal<TestResult>('POST', `/endpoints/${endpointId}/test`);
    expect(receiver.received.every(({ headers }) => headers['x-company'] === HEADERS['X-Company'])).toBe(true);
    const [attempt] = await list<Attempt>(`/deliveries/${id}/attempts`);
    const texts = [
      test.text,
      (await portal('GET', `/deliveries/${id}/attempts`)).text,
      (await portal('GET', `/deliveries/${id}/attempts/${attempt?.id}`)).text,
      (await portal('GET', `/deliveries/${id}/attempts/${attempt?.id}`, undefined, mine.reader)).text,
    ];
    for (const text of texts) {
      expect(text).not.toMatch(/a value of the company|of-the-company-1234/);
      expect(text).toMatch(/\[redacted\]|\[credential\]/);
      expect(text).not.toContain(projects.mine.id);
    }
  });

  it('shows signatures to who may manage, and not to who may read, also where the receiver repeats them', async () => {
    status = 200;
    await startEcho();
    const { id } = await deliver();
    const signature = String(receiver.received[0]?.headers['webhook-signature']).replace('v1,', '');
    const [attempt] = await list<Attempt>(`/deliveries/${id}/attempts`);
    for (const path of [`/deliveries/${id}/attempts`, `/deliveries/${id}/attempts/${attempt?.id}`]) {
      expect((await portal('GET', path)).text).toContain(signature);
      expect((await portal('GET', path, undefined, mine.reader)).text).not.toContain(signature);
    }
  });

  it('to another customer, to the project itself, or of another project is not found', async () => {
    const { rows } = await database().query<{ id: string }>(
      `WITH event AS (INSERT INTO events (id, project_id, type, payload, customer_id) VALUES ($1, $2, 'a', '{}', $3) RETURNING id)
       INSERT INTO deliveries (id, project_id, event_id, endpoint_id, customer_id, status)
       SELECT u, $2, event.id, $4, NULL, 'FAILED' FROM event, unnest($5::uuid[]) u RETURNING id`,
      [newId(), projects.mine.id, mine.customer.id, (await makeEndpoint()).id, [newId()]],
    );
    for (const { id } of rows) {
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/attempts'],
        ['GET', `/attempts/${newId()}`],
        ['POST', '/retry'],
      ] as const) {
        expectProblem(await portal(method, `/deliveries/${id}${path}`), 404, 'not_found');
      }
    }
    expect(await list('/deliveries')).toEqual([]);
  });

  it('has the event types of the catalogue and of this customer alone', async () => {
    const other = await makeCustomer();
    await send({ type: 'of.other', customer: other.uid });
    await send({ type: 'of.project' });
    for (const type of ['b', 'a', 'b']) await send({ type, customer: mine.customer.uid });
    await call('POST', `/api/v1/projects/${projects.mine.id}/event-types`, {
      apiKey: projects.mine.key,
      body: { name: 'of.catalogue', description: 'Whatever was sent.', example: { id: 1 } },
    });
    const { json } = await portal<Listing<EventTypeSummary>>('GET', '/event-types', undefined, mine.reader);
    const seen = { description: null, group: null, status: 'SEEN', schema: null, example: null };
    expect(json.data).toEqual([
      { name: 'a', ...seen },
      { name: 'b', ...seen },
      {
        name: 'of.catalogue',
        description: 'Whatever was sent.',
        group: null,
        status: 'ACTIVE',
        schema: null,
        example: { id: 1 },
      },
    ]);
  });
});
