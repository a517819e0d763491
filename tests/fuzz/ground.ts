import { type CallOptions, call } from '@/tests/api-request';
import { approve, startDevice } from '@/tests/device-codes';
import { queuedMails, tokenIn } from '@/tests/mails';
import { invitationToken, invite } from '@/tests/members';
import { ADMIN_TOKEN } from '@/tests/operator';
import { mailedResetToken, NEW_PASSWORD } from '@/tests/passwords';
import { PASSWORD, registerPerson, signInAgain } from '@/tests/people';
import { makeTestProject } from '@/tests/projects';
import { fillPath, makeTeam, makeTenant, type Team } from '@/tests/tenancy';
import type { TenancyRoute } from '@/tests/tenancy-routes';

/** What requests are made against, by the name of the placeholder that stands for it: ids, credentials, tokens, cursors. */
export type Ground = Readonly<Record<string, string>>;

/** Makes an organization with something of everything in it, a stranger's beside it, and what the route asks for by a token. */
export async function makeGround(route: TenancyRoute): Promise<Ground> {
  const team = await makeTeam();
  const tenant = await makeTenant(team, 'Storm');
  const stranger = await makeTestProject();
  const { accessToken, refreshToken, userId, email } = team.OWNER;
  const ground = {
    ...tenant.ids,
    ...{
      bearer: accessToken,
      refresh: refreshToken,
      ownerId: userId,
      email,
      password: PASSWORD,
      newPassword: NEW_PASSWORD,
    },
    ...{
      viewerBearer: team.VIEWER.accessToken,
      expiredBearer: expired(accessToken),
      unsignedBearer: unsigned(accessToken),
    },
    ...{ key: tenant.keys.READ_WRITE, readOnlyKey: tenant.keys.READ_ONLY, operatorToken: ADMIN_TOKEN },
    ...{
      strangerId: stranger.owner.userId,
      strangerOrgId: stranger.owner.organizationId,
      strangerProjectId: stranger.id,
    },
    ...{
      strangerBearer: stranger.owner.accessToken,
      strangerRefresh: stranger.owner.refreshToken,
      strangerKey: stranger.key,
    },
  };
  const tokens = (await TOKENS[route.name]?.(team, ground)) ?? {};
  return { ...ground, ...tokens, ...(await findCursors(route, { ...ground, ...tokens })) };
}

/** What some routes ask for, which only another request gives. */
const TOKENS: Record<string, (team: Team, ground: Ground) => Promise<Ground>> = {
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
  // The owner has to hand over the organization first.
  'DELETE /api/v1/auth/me': async ({ MANAGED }) => ({ bearer: MANAGED.accessToken }),
  'GET /api/v1/auth/oauth/idp/callback': async () => {
    const { headers, cookies } = await call('GET', '/api/v1/auth/oauth/idp');
    const idpState = new URL(headers.location ?? '').searchParams.get('state') ?? '';
    return { idpState, idpCookies: cookies.map((cookie) => cookie.split(';')[0]).join('; ') };
  },
};

async function mailedProof({ OWNER }: Team): Promise<Ground> {
  return { token: tokenIn((await queuedMails(OWNER.email))[0]) };
}

async function mailedInvitation({ OWNER }: Team, { orgId = '' }: Ground): Promise<Ground> {
  const guest = await registerPerson();
  await invite(OWNER, orgId, guest.email);
  return { bearer: guest.accessToken, token: await invitationToken(guest.email) };
}

async function deviceCodes(): Promise<Ground> {
  const { userCode, deviceCode } = await startDevice();
  return { userCode, deviceCode };
}

/** The cursor of the list itself, its mark alone, and the cursor of another list. */
async function findCursors({ verb, path, definition }: TenancyRoute, ground: Ground): Promise<Ground> {
  const other = await cursorOf(`/api/v1/projects/${ground.projectId}/api-keys`, { bearer: ground.bearer ?? '' });
  const isList = verb === 'GET' && 'cursor' in ((definition.query as { shape?: object } | undefined)?.shape ?? {});
  if (!isList) return { otherCursor: other, cursor: '', cursorTag: '' };
  const asOperator = { headers: { 'x-platform-admin-token': ADMIN_TOKEN } };
  const options = definition.caller.kind === 'operator' ? asOperator : { bearer: ground.bearer ?? '' };
  const cursor = await cursorOf(fillPath(path, ground), options);
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
