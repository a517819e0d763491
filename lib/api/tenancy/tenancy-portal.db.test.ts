import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { ADMIN_TOKEN } from '@/tests/fixtures/operator';
import { type CallOptions, call, type Problem } from '@/tests/http/api-request';
import { COMPANY_VALUE, makePortal, type TenantPortal } from '@/tests/tenancy/portals';
import { ALL_ROUTES, bodyFor, byName, listIdNames, queryFor, type TenancyRoute } from '@/tests/tenancy/routes';
import { digestDatabase, fillPath, makeTeam, makeTenant, type Tenant } from '@/tests/tenancy/tenants';

useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN });

/** Two customers of one project, one of another project of the same people, and one of a stranger. */
let tenant = {} as Tenant;
let mine = {} as TenantPortal;
let neighbor = {} as TenantPortal;
let sibling = {} as TenantPortal;
let foreign = {} as TenantPortal;
let foreignTenant = {} as Tenant;

beforeAll(async () => {
  const team = await makeTeam();
  tenant = await makeTenant(team, 'Minnow');
  foreignTenant = await makeTenant(await makeTeam(), 'Barracuda');
  mine = await makePortal(tenant);
  neighbor = await makePortal({ ...tenant, canary: 'Perch' });
  sibling = await makePortal(await makeTenant(team, 'Sardine'));
  foreign = await makePortal(foreignTenant);
});

beforeEach(async () => {
  await database().query('DELETE FROM rate_limits');
});

const PORTAL_ROUTES = ALL_ROUTES.filter(({ definition }) => definition.caller.kind === 'portal');
/** Those with a credential of another kind. */
const OTHER_ROUTES = ALL_ROUTES.filter(({ definition: { caller } }) => !['portal', 'anyone'].includes(caller.kind));

async function send<T = Problem>(
  route: TenancyRoute,
  options: CallOptions & { ids?: Record<string, string>; query?: string },
) {
  const { ids = { ...tenant.ids, ...mine.ids }, query = queryFor(route, ids), ...rest } = options;
  const body = rest.body ?? bodyFor(route, ids);
  const path = `${fillPath(route.path, { ...tenant.ids, token: 'x', sessionId: newId(), ...ids })}${query}`;
  return call<T>(route.verb, path, { ...rest, ...(body === undefined ? {} : { body }) });
}

async function expectRefusal(route: TenancyRoute, what: string, options: Parameters<typeof send>[1], expected: string) {
  const { status, json, text } = await send(route, options);
  expect(`${status} ${json?.code}`, `${route.name}: ${what}`).toBe(expected);
  expect(text, what).not.toMatch(/Minnow|Perch|Sardine|Barracuda/);
}

it('these tests cover every route of the API', () => {
  expect(PORTAL_ROUTES.length).toBeGreaterThan(18);
  for (const { path } of PORTAL_ROUTES) expect(path).toMatch(/^\/api\/v1\/portal\//);
  const open = ALL_ROUTES.filter(({ definition: { caller } }) => caller.kind === 'anyone').map(({ name }) => name);
  expect(open.filter((name) => name.includes('/portal'))).toEqual([
    'POST /api/v1/portal/sessions',
    'GET /api/v1/portal/logos/{hash}',
  ]);
});

describe('a portal token opens nothing outside /portal, and changes nothing', () => {
  it.each(byName(OTHER_ROUTES))('%s', async (_, route) => {
    const before = await digestDatabase();
    const isOperator = route.definition.caller.kind === 'operator';
    const expected = isOperator ? '401 invalid_admin_token' : '401 unauthenticated';
    for (const token of Object.values(mine.tokens)) {
      await expectRefusal(route, 'as a bearer', { bearer: token }, expected);
      if (!isOperator) await expectRefusal(route, 'as a key', { apiKey: token }, '401 invalid_api_key');
    }
    expect(await digestDatabase()).toEqual(before);
  });
});

describe.each(byName(PORTAL_ROUTES))('%s', (_, route) => {
  const { permissions } = route.definition.caller;

  it('refuses everybody without a portal token, and who may only read a change, and changes nothing', async () => {
    const before = await digestDatabase();
    await expectRefusal(route, 'nobody', {}, '401 unauthenticated');
    await expectRefusal(route, 'a link', { bearer: mine.link }, '401 unauthenticated');
    const others = [
      ...Object.values(tenant.team).map(({ accessToken }): CallOptions => ({ bearer: accessToken })),
      ...[...Object.values(tenant.keys), ...Object.values(foreignTenant.keys)].map(
        (apiKey): CallOptions => ({ apiKey }),
      ),
    ];
    for (const options of others) await expectRefusal(route, 'another credential', options, '403 portal_required');
    const both = { bearer: mine.tokens.MANAGE, apiKey: tenant.keys.READ_WRITE };
    await expectRefusal(route, 'both', both, '400 ambiguous_credentials');
    if (permissions === 'MANAGE') await expectRefusal(route, 'READ', { bearer: mine.tokens.READ }, '403 forbidden');
    expect(await digestDatabase()).toEqual(before);
  });

  it('serves a session that permits it, and shows nothing of others and of what the company keeps to itself', async () => {
    const own = await makePortal(tenant);
    const tokens = permissions === 'MANAGE' ? [own.tokens.MANAGE] : [own.tokens.READ, own.tokens.MANAGE];
    for (const bearer of tokens) {
      const { status, text } = await send(route, { bearer, ids: own.ids });
      expect(status, text).toBe(route.servedStatus);
      expect(text).not.toMatch(/Perch|Sardine|Barracuda/);
      expect(text).not.toContain(COMPANY_VALUE);
      for (const id of [tenant.ids.projectId, tenant.ids.orgId, own.customerId, mine.customerId]) {
        expect(text).not.toContain(id);
      }
      expect(text).not.toMatch(
        /"(?:customerId|projectId|organizationId|metadata|headers":\{|signature|bodyFormat|filter|rateLimit)/,
      );
    }
  });

  it('refuses an id of a customer, a project or an organization in a query and in a body', async () => {
    const bearer = mine.tokens.MANAGE;
    const named = { customer: mine.customerId, projectId: tenant.ids.projectId, organizationId: tenant.ids.orgId };
    for (const [name, id] of Object.entries(named)) {
      await expectRefusal(route, name, { bearer, query: `?${name}=${id}` }, '400 validation_failed');
      if (route.definition.body === undefined) continue;
      const body = { ...bodyFor(route, mine.ids), [name]: id };
      await expectRefusal(route, name, { bearer, body }, '400 validation_failed');
    }
  });
});

/** Ids by name. */
type Ids = Record<string, string>;
const nestedRoutes = PORTAL_ROUTES.filter(({ definition }) => definition.params.length > 0);

describe('in a path, ids of another customer, project or organization are not found, whatever is sent', () => {
  it.each(byName(nestedRoutes))('%s', async (_, route) => {
    const before = await digestDatabase();
    for (const name of route.definition.params) {
      const others: Ids[] = [neighbor.ids, sibling.ids, foreign.ids, tenant.ids, { [name]: newId() }];
      for (const other of others) {
        const id = other[name] ?? '';
        for (const given of [id, id.toUpperCase()]) {
          const ids = { ...mine.ids, [name]: given };
          await expectRefusal(route, name, { bearer: mine.tokens.MANAGE, ids }, '404 not_found');
        }
      }
    }
    expect(await digestDatabase()).toEqual(before);
  });
});

const filteredRoutes = PORTAL_ROUTES.filter(({ definition }) => listIdNames(definition.query).length > 0);

describe('in a query, ids of others find nothing, and own ones do', () => {
  it.each(byName(filteredRoutes))('%s', async (_, route) => {
    for (const name of listIdNames(route.definition.query)) {
      const found = async (ids: Ids) => {
        const query = `?${name}=${ids[name]}`;
        const { json } = await send<Listing<object>>(route, { bearer: mine.tokens.MANAGE, query });
        return json.data;
      };
      expect(await found(mine.ids), name).not.toEqual([]);
      for (const other of [neighbor.ids, sibling.ids, foreign.ids, tenant.ids]) {
        expect(await found(other), name).toEqual([]);
      }
    }
  });
});
