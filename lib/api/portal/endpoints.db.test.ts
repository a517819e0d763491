import { describe, expect, it } from 'vitest';
import type { EndpointSecret, Subscription } from '@/lib/delivery/schema';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import type { PortalEndpointListItem } from '@/lib/portal/schema';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { setLimit } from '@/tests/fixtures/limits';
import { usePortal } from '@/tests/fixtures/portal';
import { type CallOptions, call, expectInvalid, expectProblem } from '@/tests/http/api-request';

useDatabase();
const { projects, base, asOwner, makeEndpoint, mine, makeCustomer, open, portal, list } = usePortal();

const SHOWN_OF_ENDPOINT = [
  ...['id', 'url', 'description', 'enabled', 'disabledReason', 'disabledAt', 'pauseReason', 'failingSince'],
  ...['retrySeconds', 'createdAt', 'updatedAt'],
];

describe('an endpoint in the portal', () => {
  it('is made for the customer, changed and deleted as the project does it', async () => {
    const given = { url: 'https://a.example/hook', description: 'Billing', eventTypes: ['order.*'] };
    const made = await portal('POST', '/endpoints', given);
    expect(made.status, made.text).toBe(201);
    expect(Object.keys(made.json)).toEqual(SHOWN_OF_ENDPOINT);
    const { id } = made.json;
    const ofProject = await call<{ customerId: string }>('GET', `${base()}/endpoints/${id}`, asOwner());
    expect(ofProject.json.customerId).toBe(mine.customer.id);
    expect((await portal('GET', `/endpoints/${id}`, undefined, mine.reader)).json).toEqual(made.json);
    const [listed] = await list<PortalEndpointListItem>('/endpoints', mine.reader);
    expect(listed).toEqual({ ...made.json, eventTypes: ['order.*'], eventTypeCount: 1, lastDeliveryAt: null });
    const paused = await portal('PATCH', `/endpoints/${id}`, { enabled: false, pauseReason: 'Maintenance' });
    expect(paused.json).toMatchObject({ enabled: false, pauseReason: 'Maintenance' });
    expect((await portal('DELETE', `/endpoints/${id}`)).status).toBe(204);
    expectProblem(await portal('GET', `/endpoints/${id}`), 404, 'not_found');
  });

  it('shows nothing that the company keeps to itself, and takes none of it', async () => {
    const hidden = {
      uid: `hidden-${newId()}`,
      metadata: { plan: 'hidden-plan' },
      headers: { 'X-Company': 'hidden-value' },
      filter: { path: 'data.total', op: 'gt', value: 1 },
      rateLimit: { requests: 1, seconds: 1 },
      bodyFormat: 'DATA',
      signature: { profile: 'SVIX' },
    };
    const { id } = await makeEndpoint(projects.mine, { ...hidden, customer: mine.customer.uid });
    const changed = await portal('PATCH', `/endpoints/${id}`, { description: 'Mine' });
    for (const { text, json } of [
      changed,
      await portal('GET', `/endpoints/${id}`),
      await portal('GET', '/endpoints'),
    ]) {
      expect(text).not.toMatch(/hidden|X-Company|SVIX|customer|project/i);
      expect(text).not.toContain(projects.mine.id);
      expect(text).not.toContain(mine.customer.id);
      expect(json).not.toHaveProperty('filter');
    }
    const kept = await call<object>('GET', `${base()}/endpoints/${id}`, asOwner());
    expect(kept.json).toMatchObject({ ...hidden, description: 'Mine' });
    const more = { ...hidden, customer: mine.customer.uid, receivesCustomerEvents: true };
    for (const [name, value] of Object.entries(more)) {
      expectProblem(await portal('PATCH', `/endpoints/${id}`, { [name]: value }), 400, 'validation_failed');
      const body = { url: 'https://a.example', [name]: value };
      expectProblem(await portal('POST', '/endpoints', body), 400, 'validation_failed');
    }
  });

  it('of the project itself, of another customer, or of another project is not found', async () => {
    const other = await makeCustomer();
    const others = [
      await makeEndpoint(),
      await makeEndpoint(projects.mine, { customer: other.uid }),
      await makeEndpoint(projects.foreign),
    ];
    for (const { id } of others) {
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['GET', '/secret'],
        ['POST', '/rotate-secret'],
        ['POST', '/test'],
        ['GET', '/subscriptions'],
      ] as const) {
        const body = method === 'PATCH' ? { enabled: false } : undefined;
        expectProblem(await portal(method, `/endpoints/${id}${path}`, body), 404, 'not_found');
      }
      const body = { eventType: 'order.paid' };
      expectProblem(await portal('POST', `/endpoints/${id}/subscriptions`, body), 404, 'not_found');
    }
    expect(await list('/endpoints')).toEqual([]);
  });

  it('counts for the limits of its customer alone, and so do its subscriptions', async () => {
    setLimit('CUSTOMER_MAX_ENDPOINTS', 1);
    setLimit('PROJECT_MAX_SUBSCRIPTIONS', 1);
    const other = await open(await makeCustomer());
    const make = (by: CallOptions) => portal('POST', '/endpoints', { url: 'https://a.example', eventTypes: ['a'] }, by);
    expect((await make(other)).status).toBe(201);
    const made = await make(mine.manager);
    expect(made.status).toBe(201);
    expectProblem(await make(mine.manager), 409, 'limit_reached');
    const subscribe = portal('POST', `/endpoints/${made.json.id}/subscriptions`, { eventType: 'b' });
    expectProblem(await subscribe, 409, 'limit_reached');
    setLimit('CUSTOMER_MAX_ENDPOINTS', 20);
    setLimit('PROJECT_MAX_SUBSCRIPTIONS', 5_000);
  });

  it('shows and rotates its secret to who may manage, and not to who may read', async () => {
    const { id } = (await portal('POST', '/endpoints', { url: 'https://a.example' })).json;
    const { secret } = (await portal<EndpointSecret>('GET', `/endpoints/${id}/secret`)).json;
    expect(secret).toMatch(/^whsec_/);
    const rotated = await portal<EndpointSecret>('POST', `/endpoints/${id}/rotate-secret`, { gracePeriodHours: 1 });
    expect(rotated.json.secret).not.toBe(secret);
    expectProblem(await portal('GET', `/endpoints/${id}/secret`, undefined, mine.reader), 403, 'forbidden');
    expectProblem(await portal('POST', `/endpoints/${id}/rotate-secret`, undefined, mine.reader), 403, 'forbidden');
  });

  it('subscribes to event types, each once', async () => {
    const { id } = (await portal('POST', '/endpoints', { url: 'https://a.example' })).json;
    const path = `/endpoints/${id}/subscriptions`;
    const made = await portal<Subscription>('POST', path, { eventType: 'order.*' });
    expect(made.status, made.text).toBe(201);
    expectProblem(await portal('POST', path, { eventType: 'order.*' }), 409, 'conflict');
    expectInvalid(await portal('POST', path, { eventType: 'order.*', endpointId: id }), 'endpointId');
    const one = `${path}/${made.json.id}`;
    const paused = await portal<Subscription>('PATCH', one, { enabled: false });
    expect(paused.json.enabled).toBe(false);
    expect(await list(path, mine.reader)).toEqual([paused.json]);
    expect((await portal('GET', one)).json).toEqual(paused.json);
    // A subscription of another endpoint of the customer is not below this one.
    const another = (await portal('POST', '/endpoints', { url: 'https://b.example' })).json.id;
    expectProblem(await portal('GET', `/endpoints/${another}/subscriptions/${made.json.id}`), 404, 'not_found');
    expect((await portal('DELETE', one)).status).toBe(204);
    expect(await list(path)).toEqual([]);
  });
});

it('a change in the portal is audited with the customer as its actor', async () => {
  const { id } = (await portal('POST', '/endpoints', { url: 'https://a.example', eventTypes: ['a'] })).json;
  await portal('GET', `/endpoints/${id}/secret`);
  const entries = (await auditOf(projects.mine.owner.organizationId)).filter(
    ({ actor_id }) => actor_id === mine.customer.id,
  );
  expect(entries.map(({ action, actor_type }) => [action, actor_type])).toEqual([
    ['endpoint.created', 'PORTAL'],
    ['subscription.created', 'PORTAL'],
    ['endpoint.secret_revealed', 'PORTAL'],
  ]);
  const path = `/api/v1/orgs/${projects.mine.owner.organizationId}/audit-log?actorId=${mine.customer.id}`;
  const { data } = (await call<Listing<{ actor: object }>>('GET', path, asOwner())).json;
  expect(data).toHaveLength(3);
  expect(data[0]?.actor).toEqual({ type: 'PORTAL', id: mine.customer.id, name: 'Acme Inc.' });
});
