import { approve, startDevice } from '@/tests/fixtures/device-codes';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import { invitationToken, invite } from '@/tests/fixtures/members';
import { ADMIN_TOKEN } from '@/tests/fixtures/operator';
import { mailedResetToken, NEW_PASSWORD } from '@/tests/fixtures/passwords';
import { PASSWORD, registerPerson, signInAgain } from '@/tests/fixtures/people';
import { makeTestProject } from '@/tests/fixtures/projects';
import { type CallOptions, call } from '@/tests/http/api-request';
import { makePortal } from '@/tests/tenancy/portals';
import type { TenancyRoute } from '@/tests/tenancy/routes';
import { fillPath, makeTeam, makeTenant, type Team } from '@/tests/tenancy/tenants';

/** Ids, credentials, tokens and cursors of a route's requests, by the name of their placeholder. */
export type Fixture = Readonly<Record<string, string>>;

/** Creates an organization with one of each resource, another one of a stranger, and the tokens that the route needs. */
export async function makeFixture(route: TenancyRoute): Promise<Fixture> {
  const team = await makeTeam();
  const tenant = await makeTenant(team, 'Storm');
  const portal = await makePortal(tenant);
  const strangerPortal = await makePortal(await makeTenant(await makeTeam(), 'Stranger'));
  const stranger = await makeTestProject();
  const { accessToken, refreshToken, userId, email } = team.OWNER;
  const fixture = {
    ...tenant.ids,
    ...(route.path.startsWith('/api/v1/portal/') ? portal.ids : {}),
    portalToken: portal.tokens.MANAGE,
    readingPortalToken: portal.tokens.READ,
    portalLink: portal.link,
    strangerPortalToken: strangerPortal.tokens.MANAGE,
    bearer: accessToken,
    refresh: refreshToken,
    ownerId: userId,
    email,
    password: PASSWORD,
    newPassword: NEW_PASSWORD,
    viewerBearer: team.VIEWER.accessToken,
    expiredBearer: expired(accessToken),
    unsignedBearer: unsigned(accessToken),
    key: tenant.keys.READ_WRITE,
    readOnlyKey: tenant.keys.READ_ONLY,
    operatorToken: ADMIN_TOKEN,
    strangerId: stranger.owner.userId,
    strangerOrgId: stranger.owner.organizationId,
    strangerProjectId: stranger.id,
    strangerBearer: stranger.owner.accessToken,
    strangerRefresh: stranger.owner.refreshToken,
    strangerKey: stranger.key,
  };
  const tokens = (await TOKENS[route.name]?.(team, fixture)) ?? {};
  return { ...fixture, ...tokens, ...(await findCursors(route, { ...fixture, ...tokens })) };
}

/** Values that a route needs and that only another request returns. */
const TOKENS: Record<string, (team: Team, fixture: Fixture) => Promise<Fixture>> = {
  'POST /api/v1/auth/verify-email': mailedProof,
  'POST /api/v1/auth/verify-email/preview': mailedProof,
  'POST /api/v1/auth/reset-password': async ({ OWNER }) => ({ token: await mailedResetToken(OWNER.email) }),
  'POST /api/v1/auth/accept-invitation': mailedInvitation,
  'POST /api/v1/auth/accept-invitation/preview': mailedInvitation,
  'GET /api/v1/auth/device': deviceCodes,
  'POST /api/v1/auth/device/approve': deviceCodes,
  'POST /api/v1/auth/device/deny': deviceCodes,
  'POST /api/v1/auth/device/token': async ({ OWNER }) => {
    const codes = await startDevice();
    await approve(OWNER, codes.userCode);
    return { deviceCode: codes.deviceCode };
  },
  'DELETE /api/v1/auth/sessions/{sessionId}': async ({ OWNER }) => {
    await signInAgain(OWNER);
    const listed = await call<{ data: { id: string; current: boolean }[] }>('GET', '/api/v1/auth/sessions', {
      bearer: OWNER.accessToken,
    });
    return { sessionId: listed.json.data.find(({ current }) => !current)?.id ?? '' };
  },
  // The owner cannot leave: others are members of the organization.
  'DELETE /api/v1/auth/me': async ({ MANAGED }) => ({ bearer: MANAGED.accessToken }),
  'GET /api/v1/auth/oauth/idp/callback': async () => {
    const { headers, cookies } = await call('GET', '/api/v1/auth/oauth/idp');
    const idpState = new URL(headers.location ?? '').searchParams.get('state') ?? '';
    return { idpState, idpCookies: cookies.map((cookie) => cookie.split(';')[0]).join('; ') };
  },
};

async function mailedProof({ OWNER }: Team): Promise<Fixture> {
  return { token: tokenIn((await queuedMails(OWNER.email))[0]) };
}

async function mailedInvitation({ OWNER }: Team, { orgId = '' }: Fixture): Promise<Fixture> {
  const guest = await registerPerson();
  await invite(OWNER, orgId, guest.email);
  return { bearer: guest.accessToken, token: await invitationToken(guest.email) };
}

async function deviceCodes(): Promise<Fixture> {
  const { userCode, deviceCode } = await startDevice();
  return { userCode, deviceCode };
}

/** Reads a cursor of the list, the suffix that names the list, and a cursor of another list. */
async function findCursors({ verb, path, definition }: TenancyRoute, fixture: Fixture): Promise<Fixture> {
  const other = await cursorOf(`/api/v1/projects/${fixture.projectId}/api-keys`, { bearer: fixture.bearer ?? '' });
  const isList = verb === 'GET' && 'cursor' in ((definition.query as { shape?: object } | undefined)?.shape ?? {});
  if (!isList) return { otherCursor: other, cursor: '', cursorTag: '' };
  const asOperator = { headers: { 'x-platform-admin-token': ADMIN_TOKEN } };
  const { kind } = definition.caller;
  const bearer = (kind === 'portal' ? fixture.portalToken : fixture.bearer) ?? '';
  const options = kind === 'operator' ? asOperator : { bearer };
  const cursor = await cursorOf(fillPath(path, fixture), options);
  return { otherCursor: other, cursor, cursorTag: cursor.slice(-4) };
}

async function cursorOf(path: string, options: CallOptions): Promise<string> {
  const { json } = await call<{ nextCursor: string | null } | undefined>('GET', `${path}?limit=1`, options);
  return json?.nextCursor ?? '';
}

function withClaims(token: string, header: object | null, claims: object): string {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const changed = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims };
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [header === null ? head : encoded(header), encoded(changed), header === null ? signature : ''].join('.');
}

const expired = (token: string) => withClaims(token, null, { exp: 1_000_000_000 });
const unsigned = (token: string) => withClaims(token, { alg: 'none', typ: 'JWT' }, {});
