import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api } from '@/lib/api/table';
import type { AuditAction } from '@/lib/audit/types';
import { VERBS } from '@/lib/http/table';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import {
  freshEmail,
  PASSWORD,
  registerMember,
  registerPerson,
  signInAgain,
  type TestPerson,
} from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { type CallOptions, call } from '@/tests/http/api-request';

useDatabase();

interface World extends TestProject {
  member: TestPerson;
  endpointId: string;
  sourceId: string;
}

/** What a request needs besides its route: the caller (by default the owner), path parameters, a body. */
type Parts = CallOptions & { params?: Record<string, string> };
type Change = [route: string, action: AuditAction, parts?: (world: World) => Parts | Promise<Parts>];

const body = (value: object) => () => ({ body: value });
const invite = async ({ owner }: World, email: string) => {
  const path = `/api/v1/orgs/${owner.organizationId}/invitations`;
  const options = { bearer: owner.accessToken, body: { email, role: 'VIEWER' } };
  return (await call<{ id: string }>('POST', path, options)).json.id;
};
const lastToken = async (email: string) => tokenIn((await queuedMails(email)).at(-1));
const userCode = async () => {
  const { json } = await call<{ userCode: string }>('POST', '/api/v1/auth/device/code', { body: {} });
  return { body: { userCode: json.userCode } };
};

/** Every change that must be audited: the route that makes it, and its action in the log. */
const CHANGES: Change[] = [
  ['POST /auth/register', 'account.registered', () => ({ body: { email: freshEmail(), password: PASSWORD } })],
  ['POST /auth/login', 'session.created', ({ owner }) => ({ body: { email: owner.email, password: PASSWORD } })],
  ['POST /auth/logout', 'session.closed'],
  ['DELETE /auth/sessions', 'session.closed'],
  [
    'DELETE /auth/sessions/{sessionId}',
    'session.closed',
    async ({ owner }) => {
      const { accessToken } = await signInAgain(owner);
      const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as {
        sid: string;
      };
      return { params: { sessionId: claims.sid } };
    },
  ],
  ['DELETE /auth/me', 'account.deleted', ({ member }) => ({ bearer: member.accessToken })],
  [
    'POST /auth/change-password',
    'account.password_changed',
    body({ currentPassword: PASSWORD, newPassword: 'another long phrase' }),
  ],
  [
    'POST /auth/reset-password',
    'account.password_reset',
    async ({ owner: { email } }) => {
      await call('POST', '/api/v1/auth/forgot-password', { body: { email } });
      const found = async () => (await queuedMails(email)).find(({ text }) => text.includes('/reset-password'));
      while ((await found()) === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
      return { body: { token: tokenIn(await found()), password: 'another long phrase' } };
    },
  ],
  [
    'POST /auth/verify-email',
    'account.email_verified',
    async ({ owner }) => ({ body: { token: await lastToken(owner.email) } }),
  ],
  ['POST /auth/device/approve', 'device.approved', userCode],
  ['POST /auth/device/deny', 'device.denied', userCode],
  [
    'POST /auth/device/token',
    'session.created',
    async ({ owner }) => {
      const made = await call<{ userCode: string; deviceCode: string }>('POST', '/api/v1/auth/device/code', {
        body: {},
      });
      const { userCode: code, deviceCode } = made.json;
      await call('POST', '/api/v1/auth/device/approve', { bearer: owner.accessToken, body: { userCode: code } });
      return { body: { deviceCode } };
    },
  ],
  ['POST /orgs', 'organization.created', body({ name: 'Second' })],
  ['PATCH /orgs/{orgId}', 'organization.updated', body({ name: 'Renamed' })],
  ['DELETE /orgs/{orgId}', 'organization.deleted'],
  ['GET /orgs/{orgId}/export', 'organization.exported'],
  [
    'PATCH /orgs/{orgId}/members/{userId}',
    'member.role_changed',
    ({ member }) => ({ params: { userId: member.userId }, body: { role: 'ADMIN' } }),
  ],
  ['DELETE /orgs/{orgId}/members/{userId}', 'member.removed', ({ member }) => ({ params: { userId: member.userId } })],
  ['POST /orgs/{orgId}/invitations', 'invitation.created', () => ({ body: { email: freshEmail(), role: 'VIEWER' } })],
  [
    'DELETE /orgs/{orgId}/invitations/{invitationId}',
    'invitation.revoked',
    async (world) => ({ params: { invitationId: await invite(world, freshEmail()) } }),
  ],
  [
    'POST /auth/accept-invitation',
    'member.added',
    async (world) => {
      const guest = await registerPerson();
      await invite(world, guest.email);
      return { bearer: guest.accessToken, body: { token: await lastToken(guest.email) } };
    },
  ],
  ['POST /orgs/{orgId}/projects', 'project.created', body({ name: 'Third' })],
  ['PATCH /projects/{projectId}', 'project.updated', body({ name: 'Renamed' })],
  ['DELETE /projects/{projectId}', 'project.deleted'],
  ['POST /projects/{projectId}/api-keys', 'api_key.created', body({ name: 'more' })],
  ['POST /projects/{projectId}/api-keys/{apiKeyId}/rotate', 'api_key.rotated', body({})],
  ['DELETE /projects/{projectId}/api-keys/{apiKeyId}', 'api_key.revoked'],
  ['POST /projects/{projectId}/endpoints', 'endpoint.created', body({ url: 'https://receiver.example' })],
  ['PATCH /projects/{projectId}/endpoints/{endpointId}', 'endpoint.updated', body({ enabled: false })],
  ['DELETE /projects/{projectId}/endpoints/{endpointId}', 'endpoint.deleted'],
  ['GET /projects/{projectId}/endpoints/{endpointId}/secret', 'endpoint.secret_revealed'],
  ['POST /projects/{projectId}/endpoints/{endpointId}/rotate-secret', 'endpoint.secret_rotated', body({})],
  ['POST /projects/{projectId}/sources', 'source.created', body({ name: 'shop' })],
  ['PATCH /projects/{projectId}/sources/{sourceId}', 'source.updated', body({ enabled: false })],
  ['DELETE /projects/{projectId}/sources/{sourceId}', 'source.deleted'],
  ['GET /projects/{projectId}/sources/{sourceId}/secret', 'source.secret_revealed'],
  ['POST /projects/{projectId}/sources/{sourceId}/rotate-secret', 'source.secret_rotated', body({})],
  ['POST /projects/{projectId}/sources/{sourceId}/rotate-url', 'source.url_rotated', body({})],
];

/** Changes that need no audit entry: they affect no member, role, key, secret, sign-in method or session. */
const UNAUDITED = [
  ...['POST /auth/refresh', 'PATCH /auth/me', 'POST /auth/switch-organization', 'POST /auth/forgot-password'],
  ...['POST /auth/resend-verification', 'POST /auth/verify-email/preview', 'POST /auth/accept-invitation/preview'],
  ...['POST /auth/device/code', 'POST /events', 'POST /projects/{projectId}/events', 'POST /ingress/{token}'],
  'POST /projects/{projectId}/subscriptions',
  ...['PATCH', 'DELETE'].map((verb) => `${verb} /projects/{projectId}/subscriptions/{subscriptionId}`),
  'POST /projects/{projectId}/endpoints/{endpointId}/test',
  'POST /projects/{projectId}/deliveries/{deliveryId}/retry',
];

let world: World;
beforeEach(async () => {
  const project = await makeTestProject();
  const member = await registerMember(project.owner.organizationId, 'VIEWER');
  const { id: endpointId } = await insertEndpoint({ url: 'https://receiver.example', projectId: project.id });
  const source = await call<{ id: string }>('POST', `/api/v1/projects/${project.id}/sources`, {
    apiKey: project.key,
    body: { name: 'shop', provider: 'GITHUB' },
  });
  world = { ...project, member, endpointId, sourceId: source.json.id };
});

/** Prepares a change. Returns a function that makes it. */
async function prepare([route, , parts = () => ({})]: Change) {
  const { params = {}, ...options } = await parts(world);
  const values: Record<string, string> = {
    orgId: world.owner.organizationId,
    projectId: world.id,
    apiKeyId: world.keyId,
    endpointId: world.endpointId,
    sourceId: world.sourceId,
    ...params,
  };
  const [verb = '', template = ''] = route.split(' ');
  const path = `/api/v1${template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')}`;
  const bearer = /register|login|reset-password|verify-email|token/.test(route)
    ? {}
    : { bearer: world.owner.accessToken };
  return () => call(verb, path, { ...bearer, ...options });
}

const newestAudit = async () =>
  (await database().query<{ id: string; action: string }>('SELECT id, action FROM audit_log ORDER BY id')).rows;

describe('the audit log has an entry for', () => {
  it.each(CHANGES)('%s: %s', async (...change) => {
    const make = await prepare(change);
    const before = (await newestAudit()).length;
    const { status, text } = await make();
    expect(status, text).toBeLessThan(300);
    expect((await newestAudit()).slice(before).map(({ action }) => action)).toContain(change[1]);
  });

  it('every route that makes a change, except those that need no entry', () => {
    const known = new Set([...CHANGES.map(([route]) => route), ...UNAUDITED]);
    const missing = Object.entries(api).flatMap(([path, entry]) =>
      VERBS.filter((verb) => verb !== 'GET' && verb in entry)
        .map((verb) => `${verb} ${path.replace('/api/v1', '')}`)
        .filter((route) => !route.includes(' /admin/') && !known.has(route)),
    );
    expect(missing).toEqual([]);
  });
});

/** Everything that a change could affect, except counters. */
async function digestOfAll(): Promise<Record<string, string>> {
  const tables = [
    ...['users', 'identities', 'sessions', 'refresh_tokens', 'user_tokens', 'device_codes', 'organizations'],
    ...['memberships', 'invitations', 'projects', 'api_keys', 'endpoints', 'subscriptions', 'sources', 'audit_log'],
  ];
  const digests: Record<string, string> = {};
  for (const table of tables) {
    const { rows } = await database().query<{ digest: string }>(
      `SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest FROM ${table} t`,
    );
    digests[table] = rows[0]?.digest ?? '';
  }
  return digests;
}

describe('a change that cannot be audited does not happen', () => {
  afterEach(() => database().query('ALTER TABLE audit_log DROP CONSTRAINT IF EXISTS takes_nothing'));

  it.each(CHANGES)('%s', async (...change) => {
    const make = await prepare(change);
    await database().query('ALTER TABLE audit_log ADD CONSTRAINT takes_nothing CHECK (false) NOT VALID');
    const before = await digestOfAll();
    const { status, headers } = await make();
    expect(status).toBe(500);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(await digestOfAll()).toEqual(before);
  });
});
