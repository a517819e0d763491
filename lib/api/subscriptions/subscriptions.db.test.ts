import { describe, expect, it } from 'vitest';
import type { Subscription } from '@/lib/delivery/schema';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { call } from '@/tests/http/api-request';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();

describe('subscriptions', () => {
  const make = (body: object, project = projects.mine) =>
    call<Subscription>('POST', `${base(project)}/subscriptions`, { ...asOwner(project), body });

  it('can be created, changed, listed by endpoint and deleted', async () => {
    const endpoint = await makeEndpoint();
    const made = await make({ endpointId: endpoint.id, eventType: 'order.*' });
    expect(made.status).toBe(201);
    const path = `${base()}/subscriptions/${made.json.id}`;
    const changed = await call<Subscription>('PATCH', path, { ...asOwner(), body: { eventType: '*', enabled: false } });
    expect(changed.json).toMatchObject({ endpointId: endpoint.id, eventType: '*', enabled: false });
    const listed = await call<Listing<Subscription>>(
      'GET',
      `${base()}/subscriptions?endpointId=${endpoint.id}`,
      asOwner(),
    );
    expect(listed.json.data.map(({ id }) => id)).toEqual([made.json.id]);
    expect((await call('DELETE', path, asOwner())).status).toBe(204);
    expect((await call('GET', path, asOwner())).status).toBe(404);
  });

  it('are unique by endpoint and type, even for requests at the same moment', async () => {
    const { id: endpointId } = await makeEndpoint();
    const made = await Promise.all([1, 2, 3, 4].map(() => make({ endpointId, eventType: 'twin' })));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('are deleted with their endpoint', async () => {
    const endpoint = await makeEndpoint();
    const { json } = await make({ endpointId: endpoint.id, eventType: '*' });
    await call('DELETE', `${base()}/endpoints/${endpoint.id}`, asOwner());
    expect((await call('GET', `${base()}/subscriptions/${json.id}`, asOwner())).status).toBe(404);
  });
});
