import { beforeEach, describe, expect, it } from 'vitest';
import type { Customer } from '@/lib/customers/schema';
import type { BulkRetry, Delivery, Endpoint, EndpointListItem, Subscription } from '@/lib/delivery/schema';
import type { EventListItem, EventSummary } from '@/lib/events/schema';
import { finishErasures } from '@/lib/lifecycle/finish-erasures';
import { type Config, config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import type { ProjectLimits } from '@/lib/usage/schema';
import { itOnOneServer } from '@/tests/database/one-server';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { auditOf } from '@/tests/fixtures/audit';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { expectLimitReached, raceAtRow, setLimit } from '@/tests/fixtures/limits';
import { makeTestProject } from '@/tests/fixtures/projects';
import { call, expectInvalid, type Problem } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();

let defaults: Config;
beforeEach(() => {
  defaults ??= config();
  setOnce('config', defaults);
});

const customers = <T = Customer & Problem>(method: string, path = '', body?: object, credential: object = asOwner()) =>
  call<T>(method, `${base()}/customers${path}`, { ...credential, ...(body === undefined ? {} : { body }) });
const makeCustomer = async (uid: string, more: object = {}) => {
  const made = await customers('POST', '', { uid, ...more });
  expect(made.status, made.text).toBe(201);
  return made.json;
};
const uidsFound = async (query: string) =>
  (await customers<Listing<Customer>>('GET', `?${query}`)).json.data.map(({ uid }) => uid);
const send = (body: object, headers: Record<string, string> = {}) =>
  call<EventSummary & Problem>('POST', '/api/v1/events', {
    apiKey: projects.mine.key,
    headers,
    body: { type: 'order.paid', data: { total: 1 }, ...body },
  });
const read = async <T>(path: string) => (await call<Listing<T>>('GET', `${base()}${path}`, asOwner())).json.data;

const usage = async () => {
  const { limits } = (await call<ProjectLimits>('GET', `${base()}/limits`, asOwner())).json;
  return limits.find(({ name }) => name === 'customers')?.used ?? -1;
};

const freshUid = () => `c-${newId().slice(-12)}`;

describe('a customer', () => {
  it('is made once for a uid, and keeps what it was made with', async () => {
    const uid = 'acme:1@eu+x-y_z.';
    const made = await customers('POST', '', { uid, name: 'Acme', metadata: { plan: 'pro' } });
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      id: expect.any(String),
      uid,
      name: 'Acme',
      metadata: { plan: 'pro' },
      endpointCount: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const again = await customers('POST', '', { uid, name: 'Other' });
    expect([again.status, again.json]).toEqual([200, made.json]);
    for (const name of [made.json.id, made.json.id.toUpperCase(), encodeURIComponent(uid)]) {
      expect((await customers('GET', `/${name}`)).json).toEqual(made.json);
    }
    expect((await auditOf(made.json.id)).map(({ action }) => action)).toEqual(['customer.created']);
  });

  it('is made once by requests at the same time', async () => {
    const made = await raceAtRow(
      'projects',
      projects.mine.id,
      [1, 2, 3].map(() => () => customers('POST', '', { uid: 'raced' })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(made.map(({ json }) => json.id)).size).toBe(1);
  });

  it('is made or has its uid taken by another one, without an error between them', async () => {
    const { id } = await makeCustomer('taking');
    const made = await raceAtRow('projects', projects.mine.id, [
      () => customers('POST', '', { uid: 'taken' }),
      () => customers('PATCH', `/${id}`, { uid: 'taken' }),
      () => customers('POST', '', { uid: 'taken' }),
    ]);
    expect(made.map(({ status }) => status).filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
    expect(await uidsFound('uid=taken')).toEqual(['taken']);
  });

  it.each(['', 'a b', 'ä', '.', '..', newId(), 'a/b', 'x'.repeat(257)])('has no uid such as %j', async (uid) => {
    expectInvalid(await customers('POST', '', { uid }), 'uid');
  });

  it('is changed field by field, and keeps its uid apart from others', async () => {
    const { id } = await makeCustomer('one', { name: 'One' });
    await makeCustomer('two');
    expect((await customers('PATCH', '/one', { uid: 'two' })).json.code).toBe('conflict');
    expect((await customers('PATCH', '/one', { uid: 'uno', metadata: { a: 'b' } })).json).toMatchObject({
      id,
      uid: 'uno',
      name: 'One',
      metadata: { a: 'b' },
    });
    expect((await customers('PATCH', `/${id}`, { name: null })).json.name).toBeNull();
    expect((await customers('GET', '/one')).status).toBe(404);
    expectInvalid(await customers('PATCH', '/uno', { uid: '..' }), 'uid');
  });

  it.each(['%00', '%20', 'x'.repeat(300), newId()])('that is named %s does not exist', async (name) => {
    for (const method of ['GET', 'DELETE']) expect((await customers(method, `/${name}`)).status).toBe(404);
    expect((await customers('PATCH', `/${name}`, { name: 'a' })).status).toBe(404);
  });

  it('is read with a read-only key, and not changed', async () => {
    await makeCustomer('mine');
    const reader = { apiKey: projects.mine.readOnlyKey };
    expect((await customers('GET', '/mine', undefined, reader)).status).toBe(200);
    expect((await customers('POST', '', { uid: 'new' }, reader)).json.code).toBe('read_only_key');
    expect((await customers('DELETE', '/mine', undefined, reader)).json.code).toBe('read_only_key');
  });

  it('is found by the beginning of its uid, or of its name in any case', async () => {
    await makeCustomer('zeta-1', { name: 'Ünder 100 %' });
    await makeCustomer('zeta-2', { name: 'ZETA Ltd.' });
    await makeCustomer('other', { name: 'zeta_x' });
    expect(await uidsFound('q=zeta')).toEqual(['other', 'zeta-2', 'zeta-1']);
    expect(await uidsFound('q=zeta-')).toEqual(['zeta-2', 'zeta-1']);
    expect(await uidsFound(`q=${encodeURIComponent('ünder 100 %')}`)).toEqual(['zeta-1']);
    expect(await uidsFound('q=eta')).toEqual([]);
    expect(await uidsFound('uid=zeta-2')).toEqual(['zeta-2']);
    expect(await uidsFound('uid=zeta-2&q=other')).toEqual([]);
    expect(await uidsFound('uid=zeta')).toEqual([]);
    const first = (await customers<Listing<Customer>>('GET', '?q=zeta&limit=2')).json;
    expect(first.data.map(({ uid }) => uid)).toEqual(['other', 'zeta-2']);
    expect(await uidsFound(`q=zeta&limit=2&cursor=${first.nextCursor}`)).toEqual(['zeta-1']);
  });

  it('is on the next page once a page is longer than 256 KiB, and found like that, too', async () => {
    const project = await makeTestProject();
    await run(
      `INSERT INTO customers (id, project_id, uid, metadata)
       SELECT id, $1, 'wide-' || n, jsonb_build_object('note', repeat('x', 10000)) FROM unnest($2::uuid[]) WITH ORDINALITY AS t (id, n)`,
      project.id,
      Array.from({ length: 40 }, newId),
    );
    for (const search of ['', '&q=wide-']) {
      const pages: string[][] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path: string = `${base(project)}/customers?limit=100&cursor=${cursor}${search}`;
        const page: Listing<Customer> = (await call<Listing<Customer>>('GET', path, asOwner(project))).json;
        pages.push(page.data.map(({ uid }) => uid));
        cursor = page.nextCursor;
      }
      expect(pages.map(({ length }) => length)).toEqual([26, 14]);
      expect(pages.flat()).toEqual(Array.from({ length: 40 }, (_, at) => `wide-${40 - at}`));
    }
  });

  it('counts toward the limit of its project until it is deleted', async () => {
    const before = await usage();
    await makeCustomer('last');
    expect(await usage()).toBe(before + 1);
    setLimit('PROJECT_MAX_CUSTOMERS', before + 1);
    expectLimitReached(await customers('POST', '', { uid: 'more' }), 'PROJECT_MAX_CUSTOMERS');
    expect((await customers('POST', '', { uid: 'last' })).status).toBe(200);
    expect(await usage()).toBe(before + 1);
    expect((await customers('DELETE', '/last')).status).toBe(204);
    expect((await customers('POST', '', { uid: 'more' })).status).toBe(201);
  });

  itOnOneServer('is counted when the previous version makes it, while both run', async () => {
    const before = await usage();
    await database().query('UPDATE projects SET customer_count = customer_count + 1 WHERE id = $1', [projects.mine.id]);
    expect(await usage()).toBe(before + 1);
  });
});

describe('an endpoint of a customer', () => {
  it('says whose it is, is counted, and is listed by customer', async () => {
    const customer = await makeCustomer(freshUid());
    const own = await makeEndpoint();
    const theirs = await makeEndpoint(projects.mine, { customer: customer.uid, eventTypes: ['a', 'b'] });
    const more = await makeEndpoint(projects.mine, { customer: customer.id });
    expect(own).toMatchObject({ customerId: null, customerUid: null, receivesCustomerEvents: false });
    for (const endpoint of [theirs, more]) {
      expect(endpoint).toMatchObject({ customerId: customer.id, customerUid: customer.uid });
    }
    expect((await customers('GET', `/${customer.uid}`)).json.endpointCount).toBe(2);
    const byCustomer = (query: string) => read<EndpointListItem>(`/endpoints?customer=${customer.uid}${query}`);
    for (const query of ['', '&sort=host', '&state=ENABLED', '&q=receiver']) {
      const listed = await byCustomer(query);
      expect(new Set(listed.map(({ id }) => id))).toEqual(new Set([more.id, theirs.id]));
      expect(listed[0]).toMatchObject({ customerUid: customer.uid });
    }
    expect(await read<EndpointListItem>('/endpoints?customer=nobody')).toEqual([]);
    expect(await read<EndpointListItem>('/endpoints?customer=nobody&sort=host')).toEqual([]);
    const subscribed = await read<Subscription>(`/subscriptions?customer=${customer.id}`);
    expect(subscribed.map(({ endpointId }) => endpointId)).toEqual([theirs.id, theirs.id]);
    expect(await read<Subscription>('/subscriptions?customer=nobody')).toEqual([]);
  });

  it('needs a customer of the project, and never moves', async () => {
    const customer = await makeCustomer(freshUid());
    const post = (body: object) =>
      call<Problem>('POST', `${base()}/endpoints`, { ...asOwner(), body: { url: 'https://a.example', ...body } });
    expectInvalid(await post({ customer: 'nobody' }), 'customer');
    expectInvalid(await post({ customer: newId() }), 'customer');
    expectInvalid(await post({ customer: customer.uid, receivesCustomerEvents: true }), 'receivesCustomerEvents');
    const foreign = `/api/v1/projects/${projects.foreign.id}/endpoints`;
    const body = { url: 'https://a.example', customer: customer.id };
    expectInvalid(await call('POST', foreign, { ...asOwner(projects.foreign), body }), 'customer');
    const { id } = await makeEndpoint(projects.mine, { customer: customer.uid });
    const patch = (change: object) =>
      call<Problem>('PATCH', `${base()}/endpoints/${id}`, { ...asOwner(), body: change });
    expectInvalid(await patch({ customer: customer.uid }), 'customer');
    expectInvalid(await patch({ receivesCustomerEvents: true }), 'receivesCustomerEvents');
    expect((await patch({ receivesCustomerEvents: false })).status).toBe(200);
  });

  it('writes no subscription again when whether it receives the events of customers stays the same', async () => {
    const { id } = await makeEndpoint(projects.mine, { eventTypes: ['a', 'b'] });
    const subscriptions = () =>
      select('SELECT updated_at, receives_customer_events AS receives FROM subscriptions WHERE endpoint_id = $1', id);
    const patch = (receivesCustomerEvents: boolean) =>
      call('PATCH', `${base()}/endpoints/${id}`, { ...asOwner(), body: { receivesCustomerEvents } });
    const made = await subscriptions();
    expect((await patch(false)).status).toBe(200);
    expect(await subscriptions()).toEqual(made);
    await patch(true);
    const changed = await subscriptions();
    expect(changed.map(({ receives }) => receives)).toEqual([true, true]);
    await patch(true);
    expect(await subscriptions()).toEqual(changed);
  });

  it('counts toward the limits of its customer, not of the project', async () => {
    const customer = await makeCustomer(freshUid());
    const other = await makeCustomer(freshUid());
    const post = (body: object) =>
      call<Endpoint & Problem>('POST', `${base()}/endpoints`, {
        ...asOwner(),
        body: { url: 'https://a.example', ...body },
      });
    setLimit('PROJECT_MAX_ENDPOINTS', 1);
    setLimit('CUSTOMER_MAX_ENDPOINTS', 1);
    setLimit('PROJECT_MAX_SUBSCRIPTIONS', 1);
    expectLimitReached(await post({}), 'PROJECT_MAX_ENDPOINTS');
    const made = await post({ customer: customer.uid, eventTypes: ['a'] });
    expect(made.status).toBe(201);
    expectLimitReached(await post({ customer: customer.uid }), 'CUSTOMER_MAX_ENDPOINTS');
    const subscribe = await call('POST', `${base()}/subscriptions`, {
      ...asOwner(),
      body: { endpointId: made.json.id, eventType: 'b' },
    });
    expectLimitReached(subscribe, 'PROJECT_MAX_SUBSCRIPTIONS');
    expect((await post({ customer: other.uid, eventTypes: ['a'] })).status).toBe(201);
  });
});

describe('an event', () => {
  it('of a customer goes to its endpoints, and to those of the project that receive such events', async () => {
    await startWorker();
    const receiver = await startReceiver();
    const [first, second] = [await makeCustomer(freshUid()), await makeCustomer(freshUid())];
    const at = (path: string, more: object) =>
      makeEndpoint(projects.mine, { url: `${receiver.url}/${path}`, eventTypes: ['order.*', '*'], ...more });
    const mine = await at('first', { customer: first.uid });
    await at('second', { customer: second.id });
    const own = await at('own', {});
    const all = await at('all', { receivesCustomerEvents: true });
    const receivedBy = async (body: object, count: number) => {
      receiver.received.length = 0;
      const { json, status } = await send(body);
      expect(status).toBe(202);
      await waitFor('the deliveries', () => receiver.received.length >= count);
      return { id: json.id, paths: receiver.received.map(({ path }) => path.split('/').at(-1)).sort() };
    };
    const ofFirst = await receivedBy({ customer: first.uid }, 2);
    expect(ofFirst.paths).toEqual(['all', 'first']);
    expect((await receivedBy({ customer: second.id.toUpperCase() }, 2)).paths).toEqual(['all', 'second']);
    const ofProject = await receivedBy({}, 2);
    expect(ofProject.paths).toEqual(['all', 'own']);
    await waitFor('all results', isSettled(all.id, 3));
    const receive = (id: string, receivesCustomerEvents: boolean) =>
      call('PATCH', `${base()}/endpoints/${id}`, { ...asOwner(), body: { receivesCustomerEvents } });
    for (const [id, receives] of [
      [own.id, true],
      [all.id, false],
    ] as const) {
      expect((await receive(id, receives)).status).toBe(200);
    }
    const subscription = { endpointId: own.id, eventType: 'order.paid' };
    await call('POST', `${base()}/subscriptions`, { ...asOwner(), body: subscription });
    expect((await receivedBy({ customer: second.uid }, 2)).paths).toEqual(['own', 'second']);
    await waitFor('all results', isSettled(mine.id, 1));
    await waitFor('all results', isSettled(own.id, 2));

    const listed = await read<EventListItem>(`/events?customer=${first.uid}`);
    expect(listed).toEqual([expect.objectContaining({ id: ofFirst.id, customerId: first.id, customerUid: first.uid })]);
    expect(await read<EventListItem>(`/events?customer=${first.id}&type=order.*&status=SUCCEEDED`)).toHaveLength(1);
    expect(await read<EventListItem>('/events?customer=nobody')).toEqual([]);
    const shown = await call<EventListItem>('GET', `${base()}/events/${ofProject.id}`, asOwner());
    expect(shown.json).toMatchObject({ customerId: null, customerUid: null });
    const shownOfFirst = await call<EventListItem>('GET', `${base()}/events/${ofFirst.id}`, asOwner());
    expect(shownOfFirst.json).toMatchObject({ customerId: first.id, customerUid: first.uid });

    const deliveries = await read<Delivery>(`/deliveries?customer=${first.uid}`);
    expect(deliveries.map(({ endpointId, eventId }) => [endpointId, eventId])).toEqual([[mine.id, ofFirst.id]]);
    expect(
      await read<Delivery>(`/deliveries?customer=${first.uid}&status=SUCCEEDED&eventType=order.paid`),
    ).toHaveLength(1);
    expect(await read<Delivery>(`/deliveries?customer=${first.uid}&status=FAILED`)).toEqual([]);
    expect(await read<Delivery>('/deliveries?customer=nobody')).toEqual([]);
    const counted = await call('GET', `${base()}/delivery-count?customer=${second.uid}`, asOwner());
    expect(counted.json).toEqual({ count: 2, isExact: true });
    const retried = async (customer: string) =>
      (
        await call<BulkRetry>('POST', `${base()}/bulk-retries`, {
          ...asOwner(),
          body: { customer, status: 'SUCCEEDED' },
        })
      ).json;
    expect(await retried(first.uid)).toMatchObject({ total: 1, filter: { customer: first.id } });
    expect(await retried('nobody')).toMatchObject({ total: 0, status: 'COMPLETED' });
  });

  it('of an unknown customer is refused, and nothing is stored', async () => {
    const count = async () => (await select('SELECT count(*)::int AS n FROM events'))[0]?.n;
    const before = await count();
    const foreign = await call<Customer>('POST', `/api/v1/projects/${projects.foreign.id}/customers`, {
      ...asOwner(projects.foreign),
      body: { uid: 'theirs' },
    });
    for (const customer of ['nobody', 'not a uid', newId(), 'theirs', foreign.json.id]) {
      expectInvalid(await send({ customer }), 'customer');
      expectInvalid(await send({ customer }, { 'idempotency-key': `unknown-${customer.slice(0, 3)}` }), 'customer');
    }
    expect(await count()).toBe(before);
    expectInvalid(await send({ customer: '' }), 'customer');
    expectInvalid(await send({ customer: null }), 'customer');
    const wrongKey = { apiKey: projects.mine.readOnlyKey, body: { type: 'a', data: {}, customer: 'nobody' } };
    expect((await call<Problem>('POST', '/api/v1/events', wrongKey)).json.code).toBe('read_only_key');
  });

  it('may be sent again by either name of its customer, and not for another one', async () => {
    const [mine, other] = [await makeCustomer(freshUid()), await makeCustomer(freshUid())];
    const key = { 'idempotency-key': `for-${mine.uid}` };
    const first = await send({ customer: mine.uid }, key);
    const again = await send({ customer: mine.id }, key);
    expect([again.status, again.json.id, again.headers['idempotent-replayed']]).toEqual([202, first.json.id, 'true']);
    for (const body of [{ customer: other.uid }, {}]) {
      expect((await send(body, key)).json.code).toBe('idempotency_conflict');
    }
    const own = { 'idempotency-key': `own-${mine.uid}` };
    await send({}, own);
    expect((await send({ customer: mine.uid }, own)).json.code).toBe('idempotency_conflict');
    expect((await send({}, own)).status).toBe(202);
  });

  it('of a customer is stored beside others in one statement', async () => {
    const mine = await makeCustomer(freshUid());
    const bodies = [{}, { customer: mine.uid }, { customer: 'nobody' }, { customer: mine.id }, {}];
    const sent = await Promise.all(bodies.map((body) => send(body)));
    expect(sent.map(({ status }) => status)).toEqual([202, 202, 400, 202, 202]);
    const rows = await select(
      'SELECT customer_id FROM events WHERE id = ANY($1) ORDER BY id',
      sent.flatMap(({ json }) => json.id ?? []),
    );
    expect(rows.map(({ customer_id: id }) => id).sort()).toEqual([mine.id, mine.id, null, null].sort());
  });
});

describe('a deleted customer', () => {
  it('is gone at once with its endpoints, and leaves nothing behind, also while events arrive', async () => {
    await startWorker();
    const receiver = await startReceiver();
    const customer = await makeCustomer(freshUid(), { name: 'Gone Inc.' });
    const body = { url: receiver.url, eventTypes: ['*'] };
    const endpoint = await makeEndpoint(projects.mine, { ...body, customer: customer.uid });
    const own = await makeEndpoint(projects.mine, { ...body, receivesCustomerEvents: true });
    const kept = await send({});
    await send({ customer: customer.uid });
    let isDeleted = false;
    const statuses = new Set<number>();
    const sending = [1, 2, 3].map(async () => {
      for (let after = 0; after < 3; after += Number(isDeleted)) {
        statuses.add((await send({ customer: customer.uid })).status);
      }
    });
    await waitFor('a delivery', () => receiver.received.length > 5);
    expect((await customers('DELETE', `/${customer.id}`)).status).toBe(204);
    isDeleted = true;
    await Promise.all(sending);
    expect([...statuses].sort()).toEqual([202, 400]);
    expect((await customers('DELETE', `/${customer.id}`)).status).toBe(404);
    expect((await call('GET', `${base()}/endpoints/${endpoint.id}`, asOwner())).status).toBe(404);
    expect((await read<EndpointListItem>('/endpoints')).map(({ id }) => id)).not.toContain(endpoint.id);
    const again = await makeCustomer(customer.uid);
    expect(again).toMatchObject({ endpointCount: 0 });

    // Requests that had begun before may still store an event.
    await finishErasures();
    expect(await select('SELECT id FROM customers WHERE id = $1', customer.id)).toHaveLength(1);
    await database().query(`UPDATE customers SET deleted_at = now() - interval '1 minute' WHERE id = $1`, [
      customer.id,
    ]);
    const left = () =>
      select(
        `SELECT id FROM customers WHERE id = $1 UNION ALL SELECT id FROM events WHERE customer_id = $1
         UNION ALL SELECT id FROM deliveries WHERE customer_id = $1 UNION ALL SELECT id FROM endpoints WHERE customer_id = $1
         UNION ALL SELECT id FROM subscriptions WHERE customer_id = $1`,
        customer.id,
      );
    await waitFor('the removal', async () => {
      await finishErasures();
      return (await left()).length === 0;
    });
    const orphans = await select(
      `SELECT a.id FROM delivery_attempts a WHERE NOT EXISTS (SELECT FROM deliveries d WHERE d.id = a.delivery_id)`,
    );
    expect(orphans).toEqual([]);
    expect((await call('GET', `${base()}/events/${kept.json.id}`, asOwner())).status).toBe(200);
    expect((await call('GET', `${base()}/endpoints/${own.id}`, asOwner())).status).toBe(200);
    const entry = (await auditOf(customer.id)).at(-1);
    expect(entry).toMatchObject({ action: 'customer.deleted', details: { targetName: 'Gone Inc.' } });
  });
});
