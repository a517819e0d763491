import { beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint, Subscription } from '@/lib/delivery/schema';
import type { CreatedApiKey } from '@/lib/keys/schema';
import { HOUR_MS } from '@/lib/platform/clock';
import { type Config, config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import type { LimitVariable } from '@/lib/platform/limits';
import type { OrganizationLimits, ProjectLimits } from '@/lib/usage/schema';
import { untilLockWait } from '@/tests/database/lock-waits';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { expectLimitReached, raceAtRow, setLimit } from '@/tests/fixtures/limits';
import { queuedMails } from '@/tests/fixtures/mails';
import { accept, invitationToken, invite, removeMember, setRole } from '@/tests/fixtures/members';
import { asPerson, freshEmail, registerPerson } from '@/tests/fixtures/people';
import { makeKey, makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call, expectProblem, type TestResponse } from '@/tests/http/api-request';

useDatabase();

/** Together with the lock holder and the query for waiting requests, this fits into the ten connections of the pool. */
const AT_ONCE = 7;
const url = 'https://shop.example/hook';

/** The project of each test, with an endpoint and a source. */
let mine: TestProject & { endpointId: string; sourceId: string };

type Made = TestResponse<{ id: string }>;
const post = (path: string, body: object, credential = asPerson(mine.owner)) =>
  call<{ id: string }>('POST', `/api/v1${path}`, { ...credential, body });
const remove = async (path: string) =>
  expect((await call('DELETE', `/api/v1${path}`, asPerson(mine.owner))).status).toBe(204);
/** People and keys take turns. */
const byTurns = (n: number) => (n % 2 === 0 ? asPerson(mine.owner) : { apiKey: mine.key });
const inProject = (below: string) => `/projects/${mine.id}/${below}`;
const inOrganization = (below: string) => `/orgs/${mine.owner.organizationId}/${below}`;

async function makeWorld(): Promise<typeof mine> {
  const project = await makeTestProject();
  mine = { ...project, endpointId: '', sourceId: '' };
  const { id: endpointId } = (await post(inProject('endpoints'), { url })).json;
  const { id: sourceId } = (await post(inProject('sources'), { name: 'shop' })).json;
  return { ...project, endpointId, sourceId };
}
let defaults: Config;
beforeEach(async () => {
  defaults ??= config();
  setOnce('config', defaults);
  mine = await makeWorld();
});

interface Limited {
  variable: LimitVariable;
  /** How many the world of a test has. */
  had: number;
  /** The row that creations lock. */
  row: () => ['users' | 'organizations' | 'projects', string];
  make: (n: number) => Promise<Made>;
  remove: (id: string) => Promise<void>;
}
const below = (variable: LimitVariable, had: number, list: () => string, bodyOf: (n: number) => object): Limited => ({
  variable,
  had,
  row: () => ['projects', mine.id],
  remove: (id) => remove(`${list()}/${id}`),
  make: (n) => post(list(), bodyOf(n), /(?:api-keys|alerts)$/.test(list()) ? undefined : byTurns(n)),
});
const LIMITS: Record<string, Limited> = {
  endpoints: below(
    'PROJECT_MAX_ENDPOINTS',
    1,
    () => inProject('endpoints'),
    () => ({ url }),
  ),
  subscriptions: below(
    'PROJECT_MAX_SUBSCRIPTIONS',
    0,
    () => inProject('subscriptions'),
    (n) => ({
      endpointId: mine.endpointId,
      eventType: `a.b${n}`,
    }),
  ),
  sources: below(
    'PROJECT_MAX_SOURCES',
    1,
    () => inProject('sources'),
    () => ({ name: 'shop' }),
  ),
  destinations: below(
    'PROJECT_MAX_DESTINATIONS',
    0,
    () => inProject(`sources/${mine.sourceId}/destinations`),
    () => ({
      url,
    }),
  ),
  tunnels: below(
    'PROJECT_MAX_TUNNELS',
    0,
    () => inProject('tunnels'),
    () => ({}),
  ),
  alerts: below(
    'PROJECT_MAX_ALERTS',
    0,
    () => inProject('alerts'),
    () => ({ name: 'On call', kind: 'WEBHOOK', target: url, triggers: ['BACKLOG'] }),
  ),
  apiKeys: below(
    'PROJECT_MAX_API_KEYS',
    2,
    () => inProject('api-keys'),
    () => ({ name: 'k' }),
  ),
  projects: {
    variable: 'ORGANIZATION_MAX_PROJECTS',
    had: 1,
    row: () => ['organizations', mine.owner.organizationId],
    make: () => post(inOrganization('projects'), { name: 'Shop' }),
    remove: (id) => remove(`/projects/${id}`),
  },
  members: {
    variable: 'ORGANIZATION_MAX_MEMBERS',
    had: 1,
    row: () => ['organizations', mine.owner.organizationId],
    make: () => post(inOrganization('invitations'), { email: freshEmail(), role: 'VIEWER' }),
    remove: (id) => remove(inOrganization(`invitations/${id}`)),
  },
  organizations: {
    variable: 'USER_MAX_ORGANIZATIONS',
    had: 1,
    row: () => ['users', mine.owner.userId],
    make: () => post('/orgs', { name: 'Second' }),
    remove: (id) => remove(`/orgs/${id}`),
  },
};

describe.each(Object.entries(LIMITS))('the limit of %s', (name, { variable, had, row, make, remove: removeOne }) => {
  it('lets exactly one of many concurrent requests create the last one, and the next once one is deleted', async () => {
    setLimit(variable, had + 2);
    const first = await make(0);
    expect(first.status, first.text).toBe(201);
    const raced = await raceAtRow(
      ...row(),
      Array.from({ length: AT_ONCE }, (_, n) => () => make(n + 1)),
    );
    const refused = raced.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(AT_ONCE - 1);
    for (const response of refused) expectLimitReached(response, variable);
    await removeOne(first.json.id);
    expect((await make(20)).status).toBe(201);
    expectLimitReached(await make(21), variable);

    const path = ['projects', 'members'].includes(name) ? inOrganization('limits') : inProject('limits');
    const { json } = await call<ProjectLimits | OrganizationLimits>('GET', `/api/v1${path}`, asPerson(mine.owner));
    if (name !== 'organizations') expect(json.limits).toContainEqual({ name, used: had + 2, max: had + 2 });
    mine = await makeWorld();
    expect((await make(0)).status).toBe(201);
  });
});

describe.each(['endpoints', 'sources', 'destinations'] as const)('the limit of deleted %s', (table) => {
  it('is ten times that of the others, until retention has removed some', async () => {
    const { variable, make } = LIMITS[table] as Limited;
    setLimit(variable, 2);
    const { json, status } = await make(0);
    expect(status).toBe(201);
    const copies = (count: number) =>
      run(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(x, jsonb_build_object('id', gen_random_uuid(), 'deleted_at', now(),
           'token_hash', '\\x' || md5(random()::text)))).* FROM ${table} x, generate_series(1, $2::int) WHERE id = $1`,
        json.id,
        count,
      );
    setLimit(variable, 3);
    await copies(30);
    const last = await make(1);
    expect(last.status, last.text).toBe(201);
    await remove(
      table === 'destinations'
        ? inProject(`sources/${mine.sourceId}/destinations/${last.json.id}`)
        : inProject(`${table}/${last.json.id}`),
    );
    expectLimitReached(await make(2), variable);
    await run(`DELETE FROM ${table} WHERE project_id = $1 AND deleted_at IS NOT NULL`, mine.id);
    expect((await make(3)).status).toBe(201);
  });
});

describe('the limit of deleted projects and organizations', () => {
  it('is ten times that of the others, until workers have removed some', async () => {
    setLimit('ORGANIZATION_MAX_PROJECTS', 3);
    const make = () => post(inOrganization('projects'), { name: 'Shop' });
    await run(
      `INSERT INTO projects (id, organization_id, name, deleted_at) SELECT gen_random_uuid(), $1, 'p', now() FROM generate_series(1, 30)`,
      mine.owner.organizationId,
    );
    const last = await make();
    expect(last.status, last.text).toBe(201);
    await remove(`/projects/${last.json.id}`);
    expectLimitReached(await make(), 'ORGANIZATION_MAX_PROJECTS');
    await run('DELETE FROM projects WHERE id = $1', last.json.id);
    expect((await make()).status).toBe(201);
  });

  it('counts organizations for the person who created them', async () => {
    setLimit('USER_MAX_ORGANIZATIONS', 2);
    const make = () => post('/orgs', { name: 'Second' });
    const addDeleted = (count: number, ownerId: string) =>
      run(
        `INSERT INTO organizations (id, name, deleted_at, deleted_tenant_id)
         SELECT gen_random_uuid(), 'o', now(), $2 FROM generate_series(1, $1::int)`,
        count,
        ownerId,
      );
    await addDeleted(20, mine.owner.userId);
    await addDeleted(30, (await registerPerson()).userId);
    const last = await make();
    expect(last.status, last.text).toBe(201);
    await run('DELETE FROM memberships WHERE organization_id = $1', last.json.id);
    await addDeleted(1, mine.owner.userId);
    expectLimitReached(await make(), 'USER_MAX_ORGANIZATIONS');
    await run('DELETE FROM organizations WHERE deleted_tenant_id = $1', mine.owner.userId);
    expect((await make()).status).toBe(201);
  });
});

describe('a person of 1,000 organizations', () => {
  const joinOthers = ({ userId }: { userId: string }, count: number) =>
    run(
      `WITH others AS (INSERT INTO organizations (id, name) SELECT gen_random_uuid(), 'o' FROM generate_series(1, $2::int) RETURNING id)
       INSERT INTO memberships (organization_id, user_id, role) SELECT id, $1, 'VIEWER' FROM others`,
      userId,
      count,
    );

  it('can neither accept another invitation nor create another one, until they leave one', async () => {
    const person = await registerPerson();
    await joinOthers(person, 998);
    const { organizationId } = mine.owner;
    await invite(mine.owner, organizationId, person.email, 'VIEWER');
    expect((await accept(person, await invitationToken(person.email))).status).toBe(200);
    const inviter = await registerPerson();
    await invite(inviter, inviter.organizationId, person.email);
    const token = await invitationToken(person.email);
    for (const refused of [await accept(person, token), await post('/orgs', { name: 'Second' }, asPerson(person))]) {
      expectProblem(refused, 409, 'limit_reached');
    }
    await setRole(organizationId, person, null);
    expect((await accept(person, token)).status).toBe(200);
  });

  it('can accept a higher role in one of them', async () => {
    const person = await registerPerson();
    const { organizationId } = mine.owner;
    await invite(mine.owner, organizationId, person.email, 'ADMIN');
    await setRole(organizationId, person, 'VIEWER');
    await joinOthers(person, 998);
    expect((await accept(person, await invitationToken(person.email))).status).toBe(200);
  });
});

describe('the limit of a project', () => {
  const makeEndpoint = (credential = asPerson(mine.owner)) => post(inProject('endpoints'), { url }, credential);
  const subscribe = (eventType: string, endpointId = mine.endpointId) =>
    post(inProject('subscriptions'), { endpointId, eventType });

  it('does not count the subscriptions of a deleted endpoint', async () => {
    setLimit('PROJECT_MAX_SUBSCRIPTIONS', 2);
    const other = await makeEndpoint();
    await subscribe('a.b');
    await subscribe('a.b', other.json.id);
    expectLimitReached(await subscribe('c.d'), 'PROJECT_MAX_SUBSCRIPTIONS');
    await remove(inProject(`endpoints/${other.json.id}`));
    expect((await subscribe('c.d')).status).toBe(201);
  });

  it('counts disabled endpoints and subscriptions, and allows them to be enabled and changed', async () => {
    setLimit('PROJECT_MAX_ENDPOINTS', 1);
    setLimit('PROJECT_MAX_SUBSCRIPTIONS', 1);
    const subscription = await subscribe('a.b');
    for (const path of [`endpoints/${mine.endpointId}`, `subscriptions/${subscription.json.id}`]) {
      for (const enabled of [false, true]) {
        const changed = await call<Endpoint | Subscription>(
          'PATCH',
          `/api/v1${inProject(path)}`,
          asPerson(mine.owner, { enabled }),
        );
        expect(changed.json).toMatchObject({ enabled });
        expectLimitReached(await makeEndpoint(), 'PROJECT_MAX_ENDPOINTS');
        expectLimitReached(await subscribe('e.f'), 'PROJECT_MAX_SUBSCRIPTIONS');
      }
    }
  });

  it('is not revealed to strangers and to callers without write access, and keeps everything when it is lowered', async () => {
    await makeEndpoint();
    setLimit('PROJECT_MAX_ENDPOINTS', 1);
    expectLimitReached(await makeEndpoint(), 'PROJECT_MAX_ENDPOINTS');
    expectProblem(await makeEndpoint(asPerson(await registerPerson())), 404, 'not_found');
    expectProblem(await makeEndpoint({ apiKey: mine.readOnlyKey }), 403, 'read_only_key');
    expect(await select('SELECT FROM endpoints WHERE project_id = $1', mine.id)).toHaveLength(2);
  });

  it('does not hold up events while a subscription is being created', async () => {
    const client = await database().connect();
    try {
      await client.query('BEGIN');
      // The subscription refers to this row, and waits for it while it holds the lock of the project.
      await client.query('SELECT FROM endpoints WHERE id = $1 FOR UPDATE', [mine.endpointId]);
      const underWay = subscribe('*');
      await untilLockWait(underWay);
      expect((await post('/events', { type: 'a.b', data: {} }, { apiKey: mine.key })).status).toBe(202);
      await client.query('COMMIT');
      expect((await underWay).status).toBe(201);
    } finally {
      client.release();
    }
  });
});

describe('the limit of API keys', () => {
  beforeEach(() => setLimit('PROJECT_MAX_API_KEYS', 2));
  const create = (body: object = {}) => post(inProject('api-keys'), { name: 'server', ...body });
  const rotate = (keyId: string, gracePeriodHours = 1) =>
    call<CreatedApiKey>(
      'POST',
      `/api/v1${inProject(`api-keys/${keyId}`)}/rotate`,
      asPerson(mine.owner, { gracePeriodHours }),
    );
  const works = async (apiKey: string) => (await call('GET', `/api/v1/projects/${mine.id}`, { apiKey })).status === 200;
  const listIds = async () =>
    (await select('SELECT id FROM api_keys WHERE project_id = $1 AND rotated_at IS NULL', mine.id)).map(({ id }) => id);
  const end = (keyId: string, column: 'expires_at' | 'grace_ends_at') =>
    run(`UPDATE api_keys SET ${column} = now() WHERE id = $1`, keyId);

  it('counts a key until it expires, and a rotated key for as long as it works', async () => {
    setLimit('PROJECT_MAX_API_KEYS', 4);
    const { json } = await create({ expiresAt: new Date(Date.now() + HOUR_MS).toISOString() });
    expect((await rotate(mine.keyId)).status).toBe(201);
    expectLimitReached(await create(), 'PROJECT_MAX_API_KEYS');
    await end(json.id, 'expires_at');
    expect((await create()).status).toBe(201);
    expectLimitReached(await create(), 'PROJECT_MAX_API_KEYS');
    await end(mine.keyId, 'grace_ends_at');
    expect((await create()).status).toBe(201);
  });

  it.each([2, 1])('allows each of two keys to be rotated once when it is %i, and the old keys work', async (limit) => {
    setLimit('PROJECT_MAX_API_KEYS', limit);
    for (const id of await listIds()) expect((await rotate(id)).status).toBe(201);
    expect([await works(mine.key), await works(mine.readOnlyKey)]).toEqual([true, true]);
  });

  it('keeps repeated rotations from piling up keys in their grace period', async () => {
    let { json } = await rotate(mine.keyId);
    ({ json } = await rotate(json.id));
    const refused = await rotate(json.id);
    expectLimitReached(refused, 'PROJECT_MAX_API_KEYS');
    expect(refused.text).toContain('grace period');
    expect(await works(json.key)).toBe(true);
    expect(await listIds()).toContain(json.id);
  });

  it('never refuses a rotation without a grace period, or one after an old key is revoked', async () => {
    let { json } = await rotate(mine.keyId);
    const first = json.id;
    ({ json } = await rotate(first));
    for (let n = 0; n < 3; n++) {
      const next = await rotate(json.id, 0);
      expect(next.status).toBe(201);
      ({ json } = next);
    }
    await remove(inProject(`api-keys/${first}`));
    expect((await rotate(json.id)).status).toBe(201);
  });

  it('lets exactly one of many concurrent rotations leave the last old key working', async () => {
    setLimit('PROJECT_MAX_API_KEYS', 100);
    const makeKeys = (length: number) =>
      Promise.all(Array.from({ length }, () => makeKey(mine.id, mine.owner, { name: 'k' })));
    const inGrace = (await makeKeys(AT_ONCE - 1)).map(({ id }) => id);
    await run(
      `UPDATE api_keys SET rotated_at = now(), grace_ends_at = now() + interval '1 hour' WHERE id = ANY($1)`,
      inGrace,
    );
    await makeKeys(AT_ONCE - 2);
    const rotations = (await listIds()).map((id) => () => rotate(id));
    setLimit('PROJECT_MAX_API_KEYS', AT_ONCE);
    const raced = await raceAtRow('projects', mine.id, rotations);
    const refused = raced.filter(({ status }) => status !== 201);
    expect(raced.length - refused.length).toBe(1);
    for (const response of refused) expectLimitReached(response, 'PROJECT_MAX_API_KEYS');
  });
});

describe('the limit of members', () => {
  beforeEach(() => setLimit('ORGANIZATION_MAX_MEMBERS', 3));
  const inviteSomebody = (email = freshEmail()) => post(inOrganization('invitations'), { email, role: 'DEVELOPER' });

  it('lets everyone who was invited join, also after it is lowered, and is then reached until a member is removed', async () => {
    const people = [await registerPerson(), await registerPerson()];
    for (const person of people) await inviteSomebody(person.email);
    setLimit('ORGANIZATION_MAX_MEMBERS', 1);
    for (const person of people) {
      expect((await accept(person, await invitationToken(person.email))).status).toBe(200);
      expectLimitReached(await inviteSomebody(), 'ORGANIZATION_MAX_MEMBERS');
    }
    setLimit('ORGANIZATION_MAX_MEMBERS', 3);
    const userId = people[0]?.userId ?? '';
    expect((await removeMember(mine.owner, mine.owner.organizationId, { userId })).status).toBe(204);
    expect((await inviteSomebody()).status).toBe(201);
  });

  it('does not count an invitation that another to its address replaces, nor one that has expired', async () => {
    const email = freshEmail();
    for (const address of [email, freshEmail(), email]) expect((await inviteSomebody(address)).status).toBe(201);
    await run('UPDATE invitations SET expires_at = clock_timestamp() WHERE email = $1', email);
    expect((await inviteSomebody()).status).toBe(201);
    expectLimitReached(await inviteSomebody(), 'ORGANIZATION_MAX_MEMBERS');
  });

  it('sends no mail for an invitation that it refuses, and does not count it for the rate', async () => {
    for (let n = 0; n < 2; n++) await inviteSomebody();
    const email = freshEmail();
    for (let n = 0; n < 6; n++) expectLimitReached(await inviteSomebody(email), 'ORGANIZATION_MAX_MEMBERS');
    setLimit('ORGANIZATION_MAX_MEMBERS', 4);
    expect((await inviteSomebody(email)).status).toBe(201);
    expect(await queuedMails(email)).toHaveLength(1);
  });
});

it('the limit of organizations counts those that a person owns: they may join others, and become an owner of more', async () => {
  setLimit('USER_MAX_ORGANIZATIONS', 2);
  for (let n = 0; n < 3; n++) await setRole((await registerPerson()).organizationId, mine.owner, 'ADMIN');
  expect((await post('/orgs', { name: 'Second' })).status).toBe(201);
  const other = await registerPerson();
  await invite(other, other.organizationId, mine.owner.email, 'OWNER');
  expect((await accept(mine.owner, await invitationToken(mine.owner.email))).status).toBe(200);
  expectLimitReached(await post('/orgs', { name: 'Third' }), 'USER_MAX_ORGANIZATIONS');
  setLimit('USER_MAX_ORGANIZATIONS', 1);
  expectLimitReached(await post('/orgs', { name: 'B' }, asPerson(await registerPerson())), 'USER_MAX_ORGANIZATIONS');
});
