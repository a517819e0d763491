import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { startDevice } from '@/tests/fixtures/device-codes';
import { invitationToken, invite } from '@/tests/fixtures/members';
import { asPerson, PASSWORD, registerPerson, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { type CallOptions, call } from '@/tests/http/api-request';
import { ALL_ROUTES, byName, listIdNames, TENANT_ROUTES, type TenancyRoute } from '@/tests/tenancy/routes';
import { digestDatabase, fillPath, makeTeam, makeTenant, type Tenant } from '@/tests/tenancy/tenants';

useDatabase();

let mine = {} as Tenant;
let foreign = {} as Tenant;

beforeAll(async () => {
  mine = await makeTenant(await makeTeam(), 'Minnow');
  foreign = await makeTenant(await makeTeam(), 'Barracuda');
});

interface Request {
  query?: string;
  body?: object;
  params?: Record<string, string>;
}

/** A valid request for each route about the account of the caller. The test of a missing route fails and names it. */
const REQUESTS: Record<string, (person: TestPerson) => Request | Promise<Request>> = {
  'GET /api/v1/auth/me': () => ({}),
  'PATCH /api/v1/auth/me': () => ({ body: { name: 'Grace' } }),
  'DELETE /api/v1/auth/me': () => ({}),
  'GET /api/v1/auth/me/erasure': () => ({}),
  'POST /api/v1/auth/change-password': () => ({
    body: { currentPassword: PASSWORD, newPassword: 'another battery staple' },
  }),
  'POST /api/v1/auth/resend-verification': () => ({}),
  'GET /api/v1/auth/identities': () => ({}),
  'POST /api/v1/auth/switch-organization': ({ organizationId }) => ({ body: { organizationId } }),
  'GET /api/v1/auth/sessions': () => ({}),
  'DELETE /api/v1/auth/sessions': () => ({}),
  'DELETE /api/v1/auth/sessions/{sessionId}': async (person) => ({
    params: { sessionId: sessionOf(await signInAgain(person)) },
  }),
  'GET /api/v1/auth/device': async () => ({ query: `?userCode=${(await startDevice()).userCode}` }),
  'POST /api/v1/auth/device/approve': async () => ({ body: { userCode: (await startDevice()).userCode } }),
  'POST /api/v1/auth/device/deny': async () => ({ body: { userCode: (await startDevice()).userCode } }),
  'POST /api/v1/auth/accept-invitation': async ({ email }) => {
    await invite(mine.team.OWNER, mine.ids.orgId ?? '', email);
    return { body: { token: await invitationToken(email) } };
  },
  'GET /api/v1/orgs': () => ({}),
  'POST /api/v1/orgs': () => ({ body: { name: 'Another' } }),
};

function sessionOf({ accessToken }: TestPerson): string {
  return JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sid;
}

const isTenant = (route: TenancyRoute) => TENANT_ROUTES.includes(route);
const ofKind = (kind: string) =>
  ALL_ROUTES.filter((route) => !isTenant(route) && route.definition.caller.kind === kind);
const ACCOUNT_ROUTES = ofKind('person');

function send(route: TenancyRoute, { query = '', body, params = {} }: Request, credentials: CallOptions) {
  const sent = body === undefined ? credentials : { ...credentials, body };
  return call(route.verb, `${fillPath(route.path, params)}${query}`, sent);
}

type Refusal = [request: Request, credentials: CallOptions, expected: string];

/** Sends requests that must be refused as expected, without changing any table. */
async function expectRefusals(route: TenancyRoute, refusals: Refusal[]): Promise<void> {
  const before = await digestDatabase();
  for (const [request, credentials, expected] of refusals) {
    const { status, json } = await send(route, request, credentials);
    expect(`${status} ${json?.code}`, route.name).toBe(expected);
  }
  expect(await digestDatabase(), `${route.name}: something changed`).toEqual(before);
}

describe.each(byName(ACCOUNT_ROUTES))('%s', (_, route) => {
  it('refuses callers without a credential and keys, and changes nothing; serves the person, without data of other organizations', async () => {
    const person = await registerPerson();
    const make = REQUESTS[route.name];
    if (make === undefined) throw new Error(`${route.name} needs an entry in REQUESTS`);
    const request = await make(person);
    await expectRefusals(route, [
      [request, {}, '401 unauthenticated'],
      ...Object.values(mine.keys).flatMap((apiKey): Refusal[] => [
        [request, { apiKey }, '403 person_required'],
        [request, { apiKey, bearer: person.accessToken }, '400 ambiguous_credentials'],
      ]),
    ]);
    const served = await send(route, request, asPerson(person));
    expect(served.status, served.text).toBe(route.definition.response.status);
    expect(served.text).not.toMatch(/Barracuda/);
  });
});

it('routes about the account of the caller accept no id of another person or organization in path or body', async () => {
  const person = await registerPerson();
  const others: Record<string, string> = {
    sessionId: sessionOf(foreign.team.OWNER),
    organizationId: foreign.ids.orgId ?? '',
  };
  for (const route of ACCOUNT_ROUTES) {
    expect(listIdNames(route.definition.query), route.name).toEqual([]);
    const refusals = (['params', 'body'] as const).flatMap((part) => {
      const names = part === 'params' ? route.definition.params : listIdNames(route.definition.body);
      return names.map((name): Refusal => {
        const request = { [part]: { [name]: fillPath(`{${name}}`, others) } };
        return [request, asPerson(person), '404 not_found'];
      });
    });
    if (refusals.length > 0) await expectRefusals(route, refusals);
  }
});

it('a path for keys refuses missing credentials, people, and read-only keys for writes; another key is served', async () => {
  const routes = ofKind('key');
  expect(routes.map(({ name }) => name).sort()).toEqual(['GET /api/v1/key', 'POST /api/v1/events']);
  const event = { body: { type: 'order.created', data: {} } };
  for (const route of routes) {
    const isWrite = route.name.startsWith('POST');
    const request = isWrite ? event : {};
    const apiKey = mine.keys.READ_WRITE;
    const { accessToken: bearer } = mine.team.OWNER;
    const refusals: Refusal[] = [
      [request, {}, '401 unauthenticated'],
      [request, { bearer }, '403 key_required'],
      [request, { apiKey, bearer }, '400 ambiguous_credentials'],
    ];
    if (isWrite) {
      refusals.push([request, { apiKey: mine.keys.READ_ONLY }, '403 read_only_key']);
      for (const projectId of [mine.ids.projectId, foreign.ids.projectId]) {
        refusals.push([{ body: { ...event.body, projectId } }, { apiKey }, '400 validation_failed']);
      }
    } else expect((await send(route, request, { apiKey: mine.keys.READ_ONLY })).status).toBe(200);
    await expectRefusals(route, refusals);
    expect((await send(route, request, { apiKey })).status).toBe(isWrite ? 202 : 200);
  }
});

it('only these routes are open to anyone; a new one must be added here deliberately', () => {
  const auth = ['register', 'login', 'refresh', 'restore', 'logout', 'forgot-password', 'reset-password'];
  const more = ['verify-email', 'verify-email/preview', 'device/code', 'device/token', 'accept-invitation/preview'];
  expect(
    ofKind('anyone')
      .map(({ name }) => name)
      .sort(),
  ).toEqual(
    [
      ...[...auth, ...more].map((name) => `POST /api/v1/auth/${name}`),
      ...['providers', 'oauth/idp', 'oauth/idp/callback'].map((name) => `GET /api/v1/auth/${name}`),
      'GET /api/health/live',
      'GET /api/health/ready',
      'GET /metrics',
      'GET /api/v1/ingress/{token}',
      'POST /api/v1/ingress/{token}',
      'POST /api/v1/portal/sessions',
      'GET /api/v1/openapi.json',
      'GET /api/v1/portal/logos/{hash}',
      'GET /downloads/eds.tgz',
    ].sort(),
  );
  // Those of portals are walked in tenancy-portal.db.test.ts.
  const walked = ['person', 'key', 'portal', 'operator', 'anyone'].flatMap(ofKind).length + TENANT_ROUTES.length;
  expect(walked).toBe(ALL_ROUTES.length);
});
