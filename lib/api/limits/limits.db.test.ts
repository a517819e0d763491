import { beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint, Subscription } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { expectLimitReached, setLimit } from '@/tests/fixtures/limits';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();

let mine: TestProject;
beforeEach(async () => {
  mine = await makeTestProject();
  setLimit('PROJECT_MAX_ENDPOINTS', 2);
  setLimit('PROJECT_MAX_SUBSCRIPTIONS', 2);
});

type Credential = { bearer: string } | { apiKey: string };
const asOwner = (project = mine): Credential => ({ bearer: project.owner.accessToken });
const pathOf = (below: string, project = mine) => `/api/v1/projects/${project.id}/${below}`;

const makeEndpoint = (credential = asOwner(), project = mine) =>
  call<Endpoint>('POST', pathOf('endpoints', project), { ...credential, body: { url: 'https://shop.example/hook' } });
const subscribe = (endpointId: string, eventType: string, credential = asOwner()) =>
  call<Subscription>('POST', pathOf('subscriptions'), { ...credential, body: { endpointId, eventType } });
const remove = async (below: string) => expect((await call('DELETE', pathOf(below), asOwner())).status).toBe(204);

async function countRows(table: 'endpoints' | 'subscriptions' | 'tunnels'): Promise<number> {
  const { rowCount } = await database().query(`SELECT FROM ${table} WHERE project_id = $1`, [mine.id]);
  return rowCount ?? 0;
}

describe.each([
  ['a person', () => asOwner()],
  ['an API key', () => ({ apiKey: mine.key })],
] as const)('with a limit of two, %s can create', (_name, credential) => {
  it('two endpoints and not a third', async () => {
    expect((await makeEndpoint(credential())).status).toBe(201);
    expect((await makeEndpoint(credential())).status).toBe(201);
    expectLimitReached(await makeEndpoint(credential()), 'PROJECT_MAX_ENDPOINTS');
    expect(await countRows('endpoints')).toBe(2);
  });

  it('two tunnels and not a third, until one is deleted', async () => {
    setLimit('PROJECT_MAX_TUNNELS', 2);
    const make = () => call<{ id: string }>('POST', pathOf('tunnels'), { ...credential(), body: {} });
    const first = await make();
    expect([first.status, (await make()).status]).toEqual([201, 201]);
    expectLimitReached(await make(), 'PROJECT_MAX_TUNNELS');
    await remove(`tunnels/${first.json.id}`);
    expect((await make()).status).toBe(201);
    expect(await countRows('tunnels')).toBe(2);
  });

  it('two subscriptions and not a third, for any endpoints', async () => {
    const [one, other] = [(await makeEndpoint()).json.id, (await makeEndpoint()).json.id];
    expect((await subscribe(one, 'order.paid', credential())).status).toBe(201);
    expect((await subscribe(other, '*', credential())).status).toBe(201);
    expectLimitReached(await subscribe(one, '*', credential()), 'PROJECT_MAX_SUBSCRIPTIONS');
    expect(await countRows('subscriptions')).toBe(2);
  });
});

describe('a project at its limit', () => {
  it('accepts another endpoint once one is deleted', async () => {
    const [first] = [await makeEndpoint(), await makeEndpoint()];
    await remove(`endpoints/${first.json.id}`);
    expect((await makeEndpoint()).status).toBe(201);
    expectLimitReached(await makeEndpoint(), 'PROJECT_MAX_ENDPOINTS');
  });

  it('accepts another subscription once one is deleted, or its endpoint', async () => {
    const [one, other] = [(await makeEndpoint()).json.id, (await makeEndpoint()).json.id];
    const [first] = [await subscribe(one, 'a.b'), await subscribe(other, 'a.b')];
    await remove(`subscriptions/${first.json.id}`);
    expect((await subscribe(one, 'c.d')).status).toBe(201);
    expectLimitReached(await subscribe(one, 'e.f'), 'PROJECT_MAX_SUBSCRIPTIONS');
    await remove(`endpoints/${other}`);
    expect((await subscribe(one, 'e.f')).status).toBe(201);
    expectLimitReached(await subscribe(one, 'g.h'), 'PROJECT_MAX_SUBSCRIPTIONS');
  });

  it('counts disabled endpoints and subscriptions, and allows them to be enabled and changed', async () => {
    const { id } = (await makeEndpoint()).json;
    await makeEndpoint();
    const subscription = (await subscribe(id, 'a.b')).json;
    await subscribe(id, 'c.d');
    for (const below of [`endpoints/${id}`, `subscriptions/${subscription.id}`]) {
      for (const enabled of [false, true]) {
        const changed = await call('PATCH', pathOf(below), { ...asOwner(), body: { enabled } });
        expect(changed.json).toMatchObject({ enabled });
        expectLimitReached(await makeEndpoint(), 'PROJECT_MAX_ENDPOINTS');
        expectLimitReached(await subscribe(id, 'e.f'), 'PROJECT_MAX_SUBSCRIPTIONS');
      }
    }
  });

  it('does not reveal the limit to strangers and to callers without write access', async () => {
    for (let n = 0; n < 2; n++) await makeEndpoint();
    const stranger = await makeTestProject();
    expect((await makeEndpoint(asOwner(stranger))).json).toMatchObject({ status: 404, code: 'not_found' });
    expect((await makeEndpoint({ apiKey: mine.readOnlyKey })).json).toMatchObject({ code: 'read_only_key' });
  });

  it('keeps everything when the limit is lowered, and says how many are too many', async () => {
    for (let n = 0; n < 2; n++) await makeEndpoint();
    setLimit('PROJECT_MAX_ENDPOINTS', 1);
    const refused = await makeEndpoint();
    expectLimitReached(refused, 'PROJECT_MAX_ENDPOINTS');
    expect(refused.text).toContain('Delete 2,');
    expect(await countRows('endpoints')).toBe(2);
  });
});

it('a subscription to an endpoint of another project gets 404, even at the limit', async () => {
  const foreign = await makeTestProject();
  const elsewhere = (await makeEndpoint(asOwner(foreign), foreign)).json.id;
  const { id } = (await makeEndpoint()).json;
  for (const eventType of ['a.b', 'c.d']) await subscribe(id, eventType);
  expect((await subscribe(elsewhere, '*')).json).toMatchObject({ status: 404, code: 'not_found' });
});
