import { describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { untilLockWait } from '@/tests/database/lock-waits';
import { useDatabase } from '@/tests/database/use-database';
import { expectLimitReached, raceAtRow, setLimit } from '@/tests/fixtures/limits';
import { accept, invitationToken, invite } from '@/tests/fixtures/members';
import { freshEmail, makeProject, registerPerson } from '@/tests/fixtures/people';
import { makeKey, makeTestProject } from '@/tests/fixtures/projects';
import { call, type TestResponse } from '@/tests/http/api-request';

useDatabase();

/** Together with the lock holder and the query for waiting requests, this fits into the ten connections of the pool. */
const AT_ONCE = 7;
const url = 'https://shop.example/hook';

const times = <T>(work: (n: number) => T) => Array.from({ length: AT_ONCE }, (_, n) => () => work(n));

function expectOneCreated(
  responses: TestResponse<unknown>[],
  variable: Parameters<typeof expectLimitReached>[1],
): void {
  const refused = responses.filter(({ status }) => status !== 201);
  expect(responses.length - refused.length).toBe(1);
  for (const response of refused) expectLimitReached(response, variable);
}

describe('one below the limit, exactly one of many concurrent requests creates', () => {
  it('a tunnel, for people and keys', async () => {
    setLimit('PROJECT_MAX_TUNNELS', 2);
    const { id, owner, key } = await makeTestProject();
    const create = (n: number) => {
      const credential = n % 2 === 0 ? { bearer: owner.accessToken } : { apiKey: key };
      return call<unknown>('POST', `/api/v1/projects/${id}/tunnels`, { ...credential, body: {} });
    };
    expect((await create(0)).status).toBe(201);
    expectOneCreated(await raceAtRow('projects', id, times(create)), 'PROJECT_MAX_TUNNELS');
  });

  it('an endpoint, for people and keys', async () => {
    setLimit('PROJECT_MAX_ENDPOINTS', 2);
    const { id, owner, key } = await makeTestProject();
    const create = (n: number) => {
      const credential = n % 2 === 0 ? { bearer: owner.accessToken } : { apiKey: key };
      return call<unknown>('POST', `/api/v1/projects/${id}/endpoints`, { ...credential, body: { url } });
    };
    expect((await create(0)).status).toBe(201);
    expectOneCreated(await raceAtRow('projects', id, times(create)), 'PROJECT_MAX_ENDPOINTS');
  });

  it('a subscription', async () => {
    setLimit('PROJECT_MAX_SUBSCRIPTIONS', 1);
    const { id, owner } = await makeTestProject();
    const as = { bearer: owner.accessToken };
    const endpoint = await call<{ id: string }>('POST', `/api/v1/projects/${id}/endpoints`, { ...as, body: { url } });
    const create = (n: number) =>
      call<unknown>('POST', `/api/v1/projects/${id}/subscriptions`, {
        ...as,
        body: { endpointId: endpoint.json.id, eventType: `a.b${n}` },
      });
    expectOneCreated(await raceAtRow('projects', id, times(create)), 'PROJECT_MAX_SUBSCRIPTIONS');
  });

  it('an API key', async () => {
    setLimit('PROJECT_MAX_API_KEYS', 3);
    const { id, owner } = await makeTestProject();
    const create = () =>
      call<unknown>('POST', `/api/v1/projects/${id}/api-keys`, { bearer: owner.accessToken, body: { name: 'k' } });
    expectOneCreated(await raceAtRow('projects', id, times(create)), 'PROJECT_MAX_API_KEYS');
  });

  it('a project', async () => {
    setLimit('ORGANIZATION_MAX_PROJECTS', 2);
    const owner = await registerPerson();
    await makeProject(owner);
    const create = () =>
      call<unknown>('POST', `/api/v1/orgs/${owner.organizationId}/projects`, {
        bearer: owner.accessToken,
        body: { name: 'Shop' },
      });
    const responses = await raceAtRow('organizations', owner.organizationId, times(create));
    expectOneCreated(responses, 'ORGANIZATION_MAX_PROJECTS');
  });

  it('an invitation, while another one is accepted', async () => {
    setLimit('ORGANIZATION_MAX_MEMBERS', 3);
    const [owner, person] = [await registerPerson(), await registerPerson()];
    await invite(owner, owner.organizationId, person.email);
    const token = await invitationToken(person.email);
    const [accepted, ...responses] = await raceAtRow('organizations', owner.organizationId, [
      () => accept<unknown>(person, token),
      ...times(() => invite<unknown>(owner, owner.organizationId, freshEmail())).slice(1),
    ]);
    expect(accepted?.status).toBe(200);
    expectOneCreated(responses, 'ORGANIZATION_MAX_MEMBERS');
  });

  it('an organization', async () => {
    setLimit('USER_MAX_ORGANIZATIONS', 2);
    const { userId, accessToken } = await registerPerson();
    const create = () => call<unknown>('POST', '/api/v1/orgs', { bearer: accessToken, body: { name: 'Second' } });
    expectOneCreated(await raceAtRow('users', userId, times(create)), 'USER_MAX_ORGANIZATIONS');
  });

  it('a rotation that leaves the old key working', async () => {
    setLimit('PROJECT_MAX_API_KEYS', 100);
    const { id, owner } = await makeTestProject();
    const makeKeys = (count: number) =>
      Promise.all(
        times(() => makeKey(id, owner, { name: 'k' }))
          .slice(-count)
          .map((make) => make()),
      );
    const inGrace = (await makeKeys(AT_ONCE - 1)).map((key) => key.id);
    await database().query(
      `UPDATE api_keys SET rotated_at = now(), grace_ends_at = now() + interval '1 hour' WHERE id = ANY($1)`,
      [inGrace],
    );
    await makeKeys(AT_ONCE - 2);
    const { rows } = await database().query<{ id: string }>(
      'SELECT id FROM api_keys WHERE project_id = $1 AND rotated_at IS NULL',
      [id],
    );
    setLimit('PROJECT_MAX_API_KEYS', AT_ONCE);
    const rotations = rows.map(
      (row) => () =>
        call<unknown>('POST', `/api/v1/projects/${id}/api-keys/${row.id}/rotate`, {
          bearer: owner.accessToken,
          body: {},
        }),
    );
    expectOneCreated(await raceAtRow('projects', id, rotations), 'PROJECT_MAX_API_KEYS');
  });
});

it('an event is accepted while a subscription of its project is being created', async () => {
  const { id, owner, key } = await makeTestProject();
  const as = { bearer: owner.accessToken };
  const endpoint = await call<{ id: string }>('POST', `/api/v1/projects/${id}/endpoints`, { ...as, body: { url } });
  const client = await database().connect();
  try {
    await client.query('BEGIN');
    // The subscription refers to this row, and waits for it while it holds the lock of the project.
    await client.query('SELECT FROM endpoints WHERE id = $1 FOR UPDATE', [endpoint.json.id]);
    const underWay = call('POST', `/api/v1/projects/${id}/subscriptions`, {
      ...as,
      body: { endpointId: endpoint.json.id, eventType: '*' },
    });
    await untilLockWait(underWay);
    const sent = await call('POST', '/api/v1/events', { apiKey: key, body: { type: 'a.b', data: {} } });
    expect(sent.status).toBe(202);
    await client.query('COMMIT');
    expect((await underWay).status).toBe(201);
  } finally {
    client.release();
  }
});
