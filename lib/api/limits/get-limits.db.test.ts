import { beforeEach, expect, it } from 'vitest';
import type { Endpoint } from '@/lib/delivery/schema';
import type { OrganizationLimits, ProjectLimits } from '@/lib/usage/schema';
import { useDatabase } from '@/tests/database/use-database';
import { setLimit } from '@/tests/fixtures/limits';
import { makeProject, registerPerson } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();

let mine: TestProject;
beforeEach(async () => {
  mine = await makeTestProject();
});

const asOwner = () => ({ bearer: mine.owner.accessToken });
const base = () => `/api/v1/projects/${mine.id}`;
const read = async (credential: { bearer: string } | { apiKey: string } = asOwner()) => {
  const { json } = await call<ProjectLimits>('GET', `${base()}/limits`, credential);
  return Object.fromEntries(json.limits.map(({ name, used, max }) => [name, [used, max]]));
};

it('counts what each limit of a project counts, and nothing deleted or revoked', async () => {
  setLimit('PROJECT_MAX_ENDPOINTS', 7);
  const before = await read();
  const made = await call<Endpoint>('POST', `${base()}/endpoints`, {
    ...asOwner(),
    body: { url: 'https://shop.example/hook' },
  });
  const gone = await call<Endpoint>('POST', `${base()}/endpoints`, {
    ...asOwner(),
    body: { url: 'https://shop.example/gone' },
  });
  await call('DELETE', `${base()}/endpoints/${gone.json.id}`, asOwner());
  await call('POST', `${base()}/subscriptions`, {
    ...asOwner(),
    body: { endpointId: made.json.id, eventType: 'order.paid' },
  });
  const key = await call<{ id: string }>('POST', `${base()}/api-keys`, { ...asOwner(), body: { name: 'second' } });
  const source = await call<{ id: string }>('POST', `${base()}/sources`, { ...asOwner(), body: { name: 'stripe' } });
  await call('POST', `${base()}/sources/${source.json.id}/destinations`, {
    ...asOwner(),
    body: { url: 'https://shop.example/in' },
  });
  await call('POST', `${base()}/tunnels`, { ...asOwner(), body: {} });
  const after = await read({ apiKey: mine.key });
  expect(before).toMatchObject({ endpoints: [0, 7], subscriptions: [0, 5000], sources: [0, 100], tunnels: [0, 100] });
  expect(after).toMatchObject({
    endpoints: [1, 7],
    subscriptions: [1, 5000],
    sources: [1, 100],
    destinations: [1, 500],
    tunnels: [1, 100],
  });
  expect(after.apiKeys).toEqual([(before.apiKeys?.[0] ?? 0) + 1, 100]);
  await call('DELETE', `${base()}/api-keys/${key.json.id}`, asOwner());
  expect((await read()).apiKeys).toEqual(before.apiKeys);
});

it('counts projects, and pending invitations as members', async () => {
  const owner = await registerPerson();
  const project = await makeProject(owner);
  await makeProject(owner);
  const base = `/api/v1/orgs/${owner.organizationId}`;
  await call('DELETE', `/api/v1/projects/${project.id}`, { bearer: owner.accessToken });
  const body = { email: 'new@shop.example', role: 'VIEWER' };
  await call('POST', `${base}/invitations`, { bearer: owner.accessToken, body });
  const { json } = await call<OrganizationLimits>('GET', `${base}/limits`, { bearer: owner.accessToken });
  expect(json.limits).toEqual([
    { name: 'projects', used: 1, max: 100 },
    { name: 'members', used: 2, max: 1000 },
  ]);
});
