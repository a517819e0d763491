import { beforeEach, describe, expect, it } from 'vitest';
import type { Delivery, Endpoint, RoutingItem } from '@/lib/delivery/schema';
import type { Listing } from '@/lib/platform/pagination';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { insertCustomer, insertEvents } from '@/tests/fixtures/deliveries';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { asPerson, registerMember } from '@/tests/fixtures/people';
import { makeTestProject } from '@/tests/fixtures/projects';
import { call, expectProblem, type Problem } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();

/** Each test has a project of its own: others' endpoints would be listed. */
beforeEach(async () => {
  Object.assign(projects.mine, await makeTestProject());
});

const routing = (eventId: string, query = '', credential: object = asOwner()) =>
  call<Listing<RoutingItem> & Problem>('GET', `${base()}/events/${eventId}/routing${query}`, credential);
const routes = async (eventId: string, query = '') => (await routing(eventId, query)).json.data;
const routeTo = async (eventId: string, { id }: { id: string }, query = '') =>
  (await routes(eventId, query)).find(({ endpointId }) => endpointId === id);
const send = (eventId: string, endpointId: string, credential: object = asOwner()) =>
  call<Pick<Delivery, 'id'> & Problem>('POST', `${base()}/events/${eventId}/deliveries`, {
    ...credential,
    body: { endpointId },
  });
const change = (path: string, body: object) => call('PATCH', `${base()}/${path}`, { ...asOwner(), body });

/** Stores an event that a worker has fanned out, or was not sent to anybody. */
async function fannedOut(options: Parameters<typeof insertEvents>[2] = {}): Promise<string> {
  const [id = ''] = await insertEvents(projects.mine.id, 1, { type: 'order.paid', ...options });
  await run('DELETE FROM outbox WHERE event_id = $1', id);
  return id;
}
async function queued(options: Parameters<typeof insertEvents>[2] = {}): Promise<string> {
  const [id = ''] = await insertEvents(projects.mine.id, 1, { type: 'order.paid', ...options });
  return id;
}

describe('where an event went', () => {
  it('names the pattern, the condition or the time that decided, and what would change it', async () => {
    const receiver = await startReceiver();
    const filter = { path: 'data.amount', op: 'gte', value: 1000 };
    const subscribed = await makeEndpoint(projects.mine, { url: receiver.url, eventTypes: ['order.*'] });
    const other = await makeEndpoint(projects.mine, { eventTypes: ['invoice.*'] });
    const filtered = await makeEndpoint(projects.mine, { eventTypes: ['*'], filter });
    const paused = await makeEndpoint(projects.mine, { eventTypes: ['*'], enabled: false });
    const deleted = await makeEndpoint(projects.mine, { eventTypes: ['order.paid'], url: receiver.url });
    await startWorker();
    const eventId = await queued({ data: '{"amount":42}' });
    await waitFor('the deliveries', isSettled(subscribed.id, 1));
    await waitFor('the deliveries', isSettled(deleted.id, 1));
    const later = await makeEndpoint(projects.mine, { eventTypes: ['*'] });
    await call('DELETE', `${base()}/endpoints/${deleted.id}`, asOwner());

    const shown = await routes(eventId);
    expect(shown.map(({ endpointId }) => endpointId)).toEqual(
      [later, deleted, paused, filtered, other, subscribed].map(({ id }) => id),
    );
    const sent = await select('SELECT endpoint_id, id FROM deliveries WHERE event_id = $1', eventId);
    const deliveryIds = new Map(sent.map((row) => [row.endpoint_id, row.id]));
    expect(shown.toReversed()).toEqual([
      {
        endpointId: subscribed.id,
        url: receiver.url,
        customerId: null,
        outcome: 'SENT',
        reason: 'Its subscription to order.* matches.',
        deliveryId: deliveryIds.get(subscribed.id),
      },
      expect.objectContaining({
        outcome: 'NOT_SUBSCRIBED',
        reason:
          'It is subscribed to invoice.*, not to order.paid. Subscribe it to order.paid for later events. Send this event to it.',
        deliveryId: null,
      }),
      expect.objectContaining({
        outcome: 'FILTERED',
        reason:
          'Its filter leaves the event out: data.amount is 42, and it wants data.amount is at least 1000. Send this event to it.',
      }),
      expect.objectContaining({
        outcome: 'DISABLED',
        reason: expect.stringMatching(/^It has been paused since .* UTC\. Enable it, then send this event to it\.$/),
      }),
      expect.objectContaining({
        outcome: 'DELETED',
        deliveryId: deliveryIds.get(deleted.id),
        reason: expect.stringMatching(/^It was deleted at .* UTC\. The event was sent to it before\.$/),
      }),
      expect.objectContaining({ outcome: 'CREATED_LATER' }),
    ]);
  });

  it('is about to be an endpoint that matches while the event is in the outbox', async () => {
    const matching = await makeEndpoint(projects.mine, { eventTypes: ['order.*'] });
    const other = await makeEndpoint(projects.mine, { eventTypes: ['invoice.*'] });
    const eventId = await queued();
    expect(await routeTo(eventId, matching)).toMatchObject({
      outcome: 'SENT',
      deliveryId: null,
      reason: 'It is about to be sent. Its subscription to order.* matches.',
    });
    expect(await routeTo(eventId, other)).toMatchObject({ outcome: 'NOT_SUBSCRIBED' });
  });

  it('is unknown after a change of subscriptions, filter or customers’ events, but for a time in which it was disabled', async () => {
    const changes: [string, (endpoint: Endpoint, subscriptionId: string) => Promise<unknown>][] = [
      [
        'a new subscription',
        ({ id }) => call('POST', `${base()}/subscriptions`, { ...asOwner(), body: { endpointId: id, eventType: 'b' } }),
      ],
      ['a disabled subscription', (_, id) => change(`subscriptions/${id}`, { enabled: false })],
      ['another pattern', (_, id) => change(`subscriptions/${id}`, { eventType: 'c' })],
      ['a deleted subscription', (_, id) => call('DELETE', `${base()}/subscriptions/${id}`, asOwner())],
      ['another filter', ({ id }) => change(`endpoints/${id}`, { filter: { path: 'type', op: 'eq', value: 'x' } })],
      ['customers’ events', ({ id }) => change(`endpoints/${id}`, { receivesCustomerEvents: true })],
    ];
    for (const [what, make] of changes) {
      const endpoint = await makeEndpoint(projects.mine, { eventTypes: ['invoice.paid'] });
      const [subscription] = await select('SELECT id FROM subscriptions WHERE endpoint_id = $1', endpoint.id);
      const before = await fannedOut();
      await change(`endpoints/${endpoint.id}`, { enabled: false });
      const disabled = await fannedOut();
      await change(`endpoints/${endpoint.id}`, { enabled: true });
      // Neither changes what it gets.
      await change(`subscriptions/${subscription?.id}`, { enabled: true, eventType: 'invoice.paid' });
      await change(`endpoints/${endpoint.id}`, { filter: null, receivesCustomerEvents: false, description: 'x' });
      expect((await routeTo(before, endpoint))?.outcome, what).toBe('NOT_SUBSCRIBED');
      await make(endpoint, subscription?.id ?? '');
      expect((await routeTo(before, endpoint))?.outcome, what).toBe('UNKNOWN');
      expect((await routeTo(disabled, endpoint))?.outcome, what).toBe('DISABLED');
      expect((await routeTo(await fannedOut(), endpoint))?.outcome, what).not.toBe('UNKNOWN');
    }
  });

  it('shows the endpoints of the project and of the event’s customer, and with `all` those of others', async () => {
    const [acme, globex] = [await insertCustomer(projects.mine.id), await insertCustomer(projects.mine.id)];
    const eventTypes = ['*'];
    const ours = await makeEndpoint(projects.mine, { eventTypes });
    const theirs = await makeEndpoint(projects.mine, { eventTypes, customer: acme });
    const others = await makeEndpoint(projects.mine, { eventTypes, customer: globex });
    const ids = async (eventId: string, query = '') =>
      (await routes(eventId, query)).map(({ endpointId }) => endpointId);
    const ofAcme = await queued({ customerId: acme });
    expect(await ids(ofAcme)).toEqual([theirs.id, ours.id]);
    expect(await ids(ofAcme, '?all=true')).toEqual([others.id, theirs.id, ours.id]);
    expect(await ids(ofAcme, '?all=false')).toEqual([theirs.id, ours.id]);
    expect(await routeTo(ofAcme, others, '?all=true')).toMatchObject({ outcome: 'OTHER_CUSTOMER', customerId: globex });
    expect(await routeTo(ofAcme, theirs)).toMatchObject({ outcome: 'SENT', customerId: acme });
    expect((await routeTo(ofAcme, ours))?.reason).toContain('Set receivesCustomerEvents to change that.');
    const ofNobody = await queued();
    expect(await ids(ofNobody)).toEqual([ours.id]);
    expect(await ids(ofNobody, '?all=true')).toEqual([others.id, theirs.id, ours.id]);
  });

  it('is listed page by page', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift((await makeEndpoint()).id);
    const eventId = await queued();
    for (const query of ['limit=2', 'limit=2&all=true']) {
      const ids: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await routing(eventId, `?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        expect(page.json.data.length).toBeLessThanOrEqual(2);
        ids.push(...page.json.data.map(({ endpointId }) => endpointId));
        cursor = page.json.nextCursor;
      }
      expect(ids).toEqual(made);
    }
  });

  it('is told to viewers and read-only keys, without the values of headers, and to nobody of another organization', async () => {
    await makeEndpoint(projects.mine, { eventTypes: ['*'], headers: { 'X-Token': 'a-secret-value' } });
    const eventId = await queued();
    const viewer = await registerMember(projects.mine.owner.organizationId, 'VIEWER');
    for (const credential of [asPerson(viewer), { apiKey: projects.mine.readOnlyKey }]) {
      const shown = await routing(eventId, '', credential);
      expect(shown.status, shown.text).toBe(200);
      expect(shown.text).not.toContain('a-secret-value');
    }
    expectProblem(await routing(eventId, '', { apiKey: projects.foreign.key }), 404, 'not_found');
    const foreign = `${base(projects.foreign)}/events/${eventId}/routing`;
    expectProblem(await call('GET', foreign, asOwner(projects.foreign)), 404, 'not_found');
  });
});

describe('sending an event to one endpoint', () => {
  it('delivers it whatever subscriptions and filter say, once, and is audited', async () => {
    const receiver = await startReceiver();
    const filter = { path: 'data.amount', op: 'gte', value: 1000 };
    const endpoint = await makeEndpoint(projects.mine, { url: receiver.url, eventTypes: ['other'], filter });
    const eventId = await fannedOut();
    await startWorker();
    const made = await send(eventId, endpoint.id, { apiKey: projects.mine.key });
    expect(made.status, made.text).toBe(202);
    expect(made.json).toMatchObject({ eventId, endpointId: endpoint.id, status: 'PENDING', eventType: 'order.paid' });
    await waitFor('the delivery', isSettled(endpoint.id, 1));
    expect(receiver.received).toHaveLength(1);
    expect(await routeTo(eventId, endpoint)).toMatchObject({
      outcome: 'SENT',
      deliveryId: made.json.id,
      reason: 'It is not subscribed to order.paid: the event was sent to it by hand.',
    });
    const again = await send(eventId, endpoint.id);
    expectProblem(again, 409, 'conflict');
    expect(again.json.detail).toContain(`Retry its delivery ${made.json.id}.`);
    const audited = await select(`SELECT target_id, details FROM audit_log WHERE action = 'delivery.created'`);
    expect(audited).toEqual([
      { target_id: made.json.id, details: { projectId: projects.mine.id, eventId, endpointId: endpoint.id } },
    ]);
  });

  it('makes one delivery when ten requests arrive at once', async () => {
    const endpoint = await makeEndpoint();
    const eventId = await fannedOut();
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => send(eventId, endpoint.id)))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([202, ...Array(9).fill(409)]);
    expect(await select('SELECT id FROM deliveries WHERE event_id = $1', eventId)).toHaveLength(1);
  });

  it('leaves an event that is about to be sent to it to the workers, and is sent once beside them', async () => {
    const receiver = await startReceiver();
    const endpoint = await makeEndpoint(projects.mine, { url: receiver.url, eventTypes: ['*'] });
    const waiting = await queued();
    const refused = await send(waiting, endpoint.id);
    expectProblem(refused, 409, 'conflict');
    expect(refused.json.detail).toContain('about to be sent');
    await startWorker();
    const raced = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const eventId = await queued();
        return (await Promise.all([send(eventId, endpoint.id), send(eventId, endpoint.id)])).map(
          ({ status }) => status,
        );
      }),
    );
    await waitFor('all deliveries', isSettled(endpoint.id, 21));
    expect(raced.flat()).toEqual(Array(40).fill(409));
    expect(receiver.received).toHaveLength(21);
  });

  it('refuses an endpoint that is disabled, or of another customer, and takes one of the project or the same customer', async () => {
    const [acme, globex] = [await insertCustomer(projects.mine.id), await insertCustomer(projects.mine.id)];
    const disabled = await makeEndpoint(projects.mine, { enabled: false });
    const ours = await makeEndpoint();
    const ofAcme = await makeEndpoint(projects.mine, { customer: acme });
    const ofGlobex = await makeEndpoint(projects.mine, { customer: globex });
    const eventId = await fannedOut({ customerId: acme });
    for (const { id } of [disabled, ofGlobex]) expectProblem(await send(eventId, id), 409, 'conflict');
    expectProblem(await send(await fannedOut(), ofAcme.id), 409, 'conflict');
    for (const { id } of [ours, ofAcme]) expect((await send(eventId, id)).status).toBe(202);
    const [delivery] = await select('SELECT customer_id FROM deliveries WHERE endpoint_id = $1', ofAcme.id);
    expect(delivery).toEqual({ customer_id: acme });
  });

  it('finds no unknown, deleted or foreign endpoint, and no foreign event', async () => {
    const deleted = await makeEndpoint();
    await call('DELETE', `${base()}/endpoints/${deleted.id}`, asOwner());
    const foreign = await makeEndpoint(projects.foreign);
    const eventId = await fannedOut();
    for (const id of [deleted.id, foreign.id, eventId]) expectProblem(await send(eventId, id), 404, 'not_found');
    expectProblem(await send(eventId, foreign.id, { apiKey: projects.foreign.key }), 404, 'not_found');
    const path = `${base(projects.foreign)}/events/${eventId}/deliveries`;
    const body = { endpointId: foreign.id };
    expectProblem(await call('POST', path, { ...asOwner(projects.foreign), body }), 404, 'not_found');
  });

  it('needs a developer or a key that may write', async () => {
    const endpoint = await makeEndpoint();
    const eventId = await fannedOut();
    const [viewer, developer] = [
      await registerMember(projects.mine.owner.organizationId, 'VIEWER'),
      await registerMember(projects.mine.owner.organizationId, 'DEVELOPER'),
    ];
    expectProblem(await send(eventId, endpoint.id, asPerson(viewer)), 403, 'forbidden');
    expectProblem(await send(eventId, endpoint.id, { apiKey: projects.mine.readOnlyKey }), 403, 'read_only_key');
    expect((await send(eventId, endpoint.id, asPerson(developer))).status).toBe(202);
  });
});
