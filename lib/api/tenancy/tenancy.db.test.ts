import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { VERBS } from '@/lib/http/table';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { type CallOptions, call } from '@/tests/http/api-request';
import {
  ALL_ROUTES,
  bodyFor,
  byName,
  expectedResult,
  listIdNames,
  nestedParams,
  permittedCallers,
  queryFor,
  READING_POSTS,
  STALE_BODIES,
  TENANT_ROUTES,
  type TenancyRoute,
} from '@/tests/tenancy/routes';
import {
  CALLERS,
  credentialsOf,
  digestDatabase,
  fillPath,
  makeTeam,
  makeTenant,
  type Tenant,
} from '@/tests/tenancy/tenants';

// One owner has a tenant for every route that deletes one.
useDatabase({ USER_MAX_ORGANIZATIONS: '1000' });

/** No request may change `mine`; `sibling` is another organization of the same people, `foreign` a stranger's. */
let mine = {} as Tenant;
let sibling = {} as Tenant;
let foreign = {} as Tenant;

beforeAll(async () => {
  const team = await makeTeam();
  mine = await makeTenant(team, 'Minnow');
  sibling = await makeTenant(team, 'Sardine');
  foreign = await makeTenant(await makeTeam(), 'Barracuda');
});

/** The content of each table before the refusals of a test. Read once per test: it takes a scan of every partition. */
let digest: Record<string, string> | undefined;

beforeEach(() => {
  digest = undefined;
});

afterEach(async () => {
  if (digest !== undefined) expect(await digestDatabase(), 'a refused request changed something').toEqual(digest);
});

interface Attempt extends CallOptions {
  ids?: Record<string, string>;
  query?: string;
  verb?: string;
}

async function send(
  route: TenancyRoute,
  { ids = mine.ids, query = queryFor(route, ids), verb = route.verb, ...options }: Attempt,
) {
  const body = options.body ?? bodyFor(route, ids);
  return call(verb, `${fillPath(route.path, ids)}${query}`, { ...options, ...(body === undefined ? {} : { body }) });
}

/** Sends a request that must be refused as expected, without revealing anything. No refusal of the test may change any table. */
async function expectRefusal(route: TenancyRoute, what: string, attempt: Attempt, expected: string): Promise<void> {
  digest ??= await digestDatabase();
  const response = await send(route, attempt);
  expect(`${response.status} ${response.json?.code}`, `${route.name}: ${what}`).toBe(expected);
  expect(response.text, what).not.toMatch(/Minnow|Sardine|Barracuda/);
}

/** Callers with access: the error of their request is then the only error. */
function servedCredentials(route: TenancyRoute): [string, CallOptions][] {
  const served = CALLERS.filter((who) => expectedResult(who, route) === 'served');
  return served
    .filter((who) => who === 'OWNER' || who === 'READ_WRITE')
    .map((who) => [who, credentialsOf(who, mine, foreign)]);
}

it('these tests cover every route below an organization or a project', () => {
  expect(STALE_BODIES).toEqual([]);
  expect(TENANT_ROUTES.length).toBeGreaterThan(35);
  for (const { definition, path } of ALL_ROUTES) {
    const declared = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(definition.params, path).toEqual(declared);
  }
});

it('every route below an organization or a project requires a role or a key; those that change something require more than VIEWER', () => {
  for (const route of TENANT_ROUTES) {
    const { kind, access } = route.definition.caller;
    expect(['person', 'person-or-key', 'key'], route.name).toContain(kind);
    if (kind !== 'key') expect(route.action, route.name).toBeDefined();
    if (route.verb === 'GET' || READING_POSTS.includes(route.name)) continue;
    if (kind !== 'person') expect(access, route.name).toBe('write');
    expect(expectedResult('VIEWER', route), route.name).toMatch(/^403/);
  }
});

describe.each(byName(TENANT_ROUTES))('%s', (_, route) => {
  it('refuses missing credentials, strangers, their keys, too low a role and the wrong kind of caller, and changes nothing', async () => {
    for (const who of CALLERS) {
      const expected = expectedResult(who, route);
      if (expected !== 'served') await expectRefusal(route, who, credentialsOf(who, mine, foreign), expected);
    }
    const both = { bearer: mine.team.OWNER.accessToken, apiKey: mine.keys.READ_WRITE };
    await expectRefusal(route, 'both credentials', both, '400 ambiguous_credentials');
  });

  it('refuses a stranger whatever they send, so that errors in the body do not reveal what exists', async () => {
    const isForKeys = route.definition.caller.kind === 'key';
    const credentials = credentialsOf(isForKeys ? "stranger's key" : 'stranger', mine, foreign);
    const made = Object.fromEntries(Object.keys(mine.ids).map((name) => [name, newId()]));
    for (const ids of [mine.ids, made]) {
      for (const body of ['{', '[]', { organizationId: foreign.ids.orgId }]) {
        await expectRefusal(route, `body ${JSON.stringify(body)}`, { ...credentials, ids, body }, '404 not_found');
      }
    }
  });

  it('serves the lowest sufficient role and key, and shows them nothing of another organization', async () => {
    const served = permittedCallers(route, CALLERS);
    expect(served).not.toEqual([]);
    for (const who of served) {
      const tenant = route.verb === 'GET' ? mine : await makeTenant(mine.team, 'Minnow');
      const response = await send(route, { ids: tenant.ids, ...credentialsOf(who, tenant, foreign) });
      expect(response.status, `${who}: ${response.text}`).toBe(route.servedStatus);
      expect(response.text).not.toMatch(/Sardine|Barracuda/);
    }
  });

  it('refuses an organization or project id outside the path', async () => {
    const named = { organizationId: foreign.ids.orgId, projectId: foreign.ids.projectId };
    for (const [who, credentials] of servedCredentials(route)) {
      for (const [name, id] of Object.entries(named)) {
        await expectRefusal(
          route,
          `${who}, query`,
          { ...credentials, query: `?${name}=${id}` },
          '400 validation_failed',
        );
        if (route.definition.body === undefined) continue;
        const body = { ...bodyFor(route, mine.ids), [name]: id };
        await expectRefusal(route, `${who}, body`, { ...credentials, body }, '400 validation_failed');
      }
    }
  });
});

describe('below an organization, ids of another organization get 404', () => {
  it.each(byName(TENANT_ROUTES.filter((route) => nestedParams(route).length > 0)))('%s', async (_, route) => {
    for (const name of nestedParams(route)) {
      for (const other of [foreign, sibling]) {
        // The same people are members of both organizations.
        const id = name === 'userId' ? foreign.team.OWNER.userId : (other.ids[name] ?? '');
        for (const [who, credentials] of servedCredentials(route)) {
          const attempt = { ...credentials, ids: { ...mine.ids, [name]: id } };
          await expectRefusal(route, `${who}, ${name} of ${other.canary}`, attempt, '404 not_found');
          const loud = { ...credentials, ids: { ...mine.ids, [name]: id.toUpperCase() } };
          await expectRefusal(route, `${who}, ${name} of ${other.canary} in capitals`, loud, '404 not_found');
        }
      }
    }
  });
});

/** Routes whose body is a filter: an id of another organization matches nothing. */
const FILTERS = ['POST /api/v1/projects/{projectId}/bulk-retries'];
const withBodyIds = TENANT_ROUTES.filter(({ definition }) => listIdNames(definition.body).length > 0);

describe('in a filter, ids of another organization match nothing', () => {
  it.each(byName(withBodyIds.filter(({ name }) => FILTERS.includes(name))))('%s', async (_, route) => {
    for (const name of listIdNames(route.definition.body)) {
      for (const other of [foreign, sibling]) {
        for (const [who, credentials] of servedCredentials(route)) {
          const { json } = await send(route, { ...credentials, body: { [name]: other.ids[name] } });
          expect(json, `${who}, ${name} of ${other.canary}`).toMatchObject({ total: 0, status: 'COMPLETED' });
        }
      }
    }
  });
});

describe('in a body, ids of another organization are refused', () => {
  it.each(byName(withBodyIds.filter(({ name }) => !FILTERS.includes(name))))('%s', async (_, route) => {
    for (const name of listIdNames(route.definition.body)) {
      for (const other of [foreign, sibling]) {
        for (const [who, credentials] of servedCredentials(route)) {
          const body = { ...bodyFor(route, mine.ids), [name]: other.ids[name] };
          await expectRefusal(route, `${who}, ${name} of ${other.canary}`, { ...credentials, body }, '404 not_found');
        }
      }
    }
  });
});

/** What a route without matching rows returns. */
const EMPTY: Record<string, object> = {
  'GET /api/v1/projects/{projectId}/delivery-count': { count: 0, isExact: true },
};

describe('in a query, ids of another organization find nothing', () => {
  it.each(byName(TENANT_ROUTES.filter(({ definition }) => listIdNames(definition.query).length > 0)))(
    '%s',
    async (_, route) => {
      const empty = EMPTY[route.name] ?? { data: [], nextCursor: null };
      for (const name of listIdNames(route.definition.query)) {
        for (const [who, credentials] of servedCredentials(route)) {
          const found = async (id = '') => (await send(route, { ...credentials, query: `?${name}=${id}` })).json;
          // Not called as in a path: who did it, and what it was done to. The sibling has the same people.
          const isActor = name === 'actorId';
          const idOf = ({ team, ids }: Tenant) =>
            isActor ? team.OWNER.userId : name === 'targetId' ? ids.orgId : ids[name];
          expect(await found(idOf(mine)), `${who}, own ${name}`).not.toEqual(empty);
          const others = isActor ? [idOf(foreign)] : [idOf(foreign), idOf(sibling)];
          for (const id of others) expect(await found(id), `${who}, ${name}`).toEqual(empty);
        }
      }
    },
  );
});

it('a verb that a path lacks gets the same response whether the resource exists or not, and changes nothing', async () => {
  const before = await digestDatabase();
  const made = Object.fromEntries(Object.keys(mine.ids).map((name) => [name, newId()]));
  for (const route of TENANT_ROUTES) {
    const verbs = new Set<string>(TENANT_ROUTES.filter(({ path }) => path === route.path).map(({ verb }) => verb));
    const credentials = credentialsOf('stranger', mine, foreign);
    for (const verb of VERBS.filter((verb) => !verbs.has(verb))) {
      for (const ids of [mine.ids, made]) {
        const { status, json } = await send(route, { ...credentials, verb, ids });
        expect(`${status} ${json.code}`, `${verb} ${route.path}`).toBe('405 method_not_allowed');
      }
    }
    const head = await send(route, { ...credentials, verb: 'HEAD' });
    expect(head.status, `HEAD ${route.path}`).toBe(verbs.has('GET') ? 404 : 405);
    if (verbs.has('GET')) expect(head.text).toBe('');
  }
  expect(await digestDatabase()).toEqual(before);
});
