import { describe, expect, it } from 'vitest';
import { findFreePort } from '@/lib/platform/free-port';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { useWebServer } from '@/tests/http/adapters';
import { EventDeliveryClient } from './client';
import type { ClientOptions } from './options';

useDatabase();
const projects = useProjects();
const server = useWebServer();

const baseUrl = () => `http://127.0.0.1:${server.port()}`;
const clientWith = (options: Partial<ClientOptions> = {}) =>
  new EventDeliveryClient({ baseUrl: baseUrl(), apiKey: projects.mine.key, projectId: projects.mine.id, ...options });
const asOwner = () => clientWith({ apiKey: undefined, accessToken: async () => projects.mine.owner.accessToken });

describe('the client of a running server', () => {
  it('sends events; the same idempotency key stores one', async () => {
    const client = clientWith();
    const event = { type: 'order.paid', data: { total: 5 } };
    const first = await client.events.send(event, { idempotencyKey: 'order-1' });
    const again = await client.events.send(event, { idempotencyKey: 'order-1' });
    const other = await client.events.sendToProject(event);
    expect(again).toEqual(first);
    expect(other.id).not.toBe(first.id);
    expect(await client.events.get(first.id)).toMatchObject({ type: 'order.paid', data: { total: 5 }, deliveries: [] });
  });

  it('creates a customer with an endpoint, sends an event to it, and finds both by its uid', async () => {
    const client = clientWith();
    const customer = await client.customers.create({ uid: 'user@acme:1', metadata: { plan: 'pro' } });
    expect(await client.customers.create({ uid: 'user@acme:1', name: 'Another name' })).toEqual(customer);
    const endpoint = await client.endpoints.create({ url: 'https://receiver.example', customer: customer.uid });
    const event = { type: 'customer.order', data: {} };
    const { id } = await client.events.send({ ...event, customer: customer.uid }, { idempotencyKey: 'customer-1' });
    const again = await client.events.send({ ...event, customer: customer.id }, { idempotencyKey: 'customer-1' });
    expect(again.id).toBe(id);
    expect(await client.events.get(id)).toMatchObject({ customerId: customer.id, customerUid: customer.uid });
    const found = await client.events.list({ customer: customer.uid });
    expect(found.data.map((each) => each.id)).toEqual([id]);
    const shown = await client.customers.update(customer.uid, { name: 'Acme' });
    expect(shown).toMatchObject({ name: 'Acme', metadata: { plan: 'pro' }, endpointCount: 1 });
    await client.customers.remove(customer.uid);
    await expect(client.endpoints.get(endpoint.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.events.send({ ...event, customer: customer.uid })).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'customer' }],
    });
  });

  it('opens the portal of a customer by a link, and acts in it with the token of its session', async () => {
    const client = clientWith();
    const { uid } = await client.customers.create({ uid: 'portal@acme' });
    const { url } = await client.customers.createPortalLink(uid, { sessionSeconds: 300 });
    const { token } = await client.portal.openSession({ link: new URL(url).hash.slice(1) });
    const { portal } = clientWith({ apiKey: undefined, accessToken: () => token });
    const endpoint = await portal.createEndpoint({ url: 'https://receiver.example', eventTypes: ['order.*'] });
    expect((await portal.listEndpoints()).data).toMatchObject([{ id: endpoint.id, eventTypes: ['order.*'] }]);
    expect((await client.endpoints.get(endpoint.id)).customerUid).toBe(uid);
    await client.customers.endPortalSessions(uid);
    await expect(portal.getSession()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('iterates over all pages of a list, newest first, and returns one page when awaited', async () => {
    const client = clientWith();
    const sent: string[] = [];
    for (let i = 0; i < 7; i += 1) sent.push((await client.events.send({ type: 'page.item', data: { i } })).id);
    const found: string[] = [];
    for await (const { id } of client.events.list({ type: 'page.item', limit: 3 })) found.push(id);
    expect(found).toEqual(sent.toReversed());
    const page = await client.events.list({ type: 'page.item', limit: 3, from: new Date(0) });
    expect([page.data.length, page.nextCursor]).toEqual([3, expect.any(String)]);
    const rest = await client.events.list({ type: 'page.item', cursor: page.nextCursor as string });
    expect([rest.data.length, rest.nextCursor]).toEqual([4, null]);
  });

  it('acts for a person with an access token, even in a POST without a body', async () => {
    const client = asOwner();
    const made = await client.apiKeys.create({ name: 'ci', scope: 'READ_ONLY' });
    const rotated = await client.apiKeys.rotate(made.id);
    expect(rotated.key).not.toBe(made.key);
    expect(await clientWith({ apiKey: rotated.key }).apiKeys.getOwn()).toMatchObject({
      id: rotated.id,
      scope: 'READ_ONLY',
    });
    const document = await client.organizationExport.download(projects.mine.owner.organizationId);
    expect(await document.json()).toHaveProperty('organization.id', projects.mine.owner.organizationId);
  });

  it('throws typed errors for a wrong key, invalid input and a foreign project', async () => {
    const fails = (work: PromiseLike<unknown>) => Promise.resolve(work).catch((error: unknown) => error);
    const wrongKey = await fails(clientWith({ apiKey: 'eds_wrong' }).events.send({ type: 'a', data: {} }));
    expect(wrongKey).toMatchObject({ name: 'ApiError', code: 'invalid_api_key', status: 401 });
    expect(wrongKey).toHaveProperty('requestId', expect.stringMatching(/^[0-9a-f-]{36}$/));
    const invalid = await fails(clientWith().events.send({ type: 'a b', data: {} }));
    expect(invalid).toMatchObject({ code: 'validation_failed', status: 400, errors: [{ path: 'type' }] });
    expect(await fails(clientWith({ projectId: projects.foreign.id }).endpoints.list())).toMatchObject({
      code: 'not_found',
    });
  });

  it('sends a creation again when no server listened, and throws NetworkError in the end', async () => {
    let attempts = 0;
    const counting: typeof fetch = (...given) => {
      attempts += 1;
      return fetch(...given);
    };
    const client = clientWith({ baseUrl: `http://127.0.0.1:${await findFreePort()}`, maxRetries: 1, fetch: counting });
    await expect(client.endpoints.create({ url: 'https://receiver.example' })).rejects.toMatchObject({
      name: 'NetworkError',
      faultCode: 'ECONNREFUSED',
    });
    expect(attempts).toBe(2);
  });

  it('says why Node does not send a request', async () => {
    const client = clientWith({ baseUrl: 'http://127.0.0.1:4190', maxRetries: 0 });
    await expect(client.endpoints.list()).rejects.toThrow(/ failed: bad port\.$/);
  });
});
