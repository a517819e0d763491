import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import type { PortalLink, PortalSession } from '@/lib/portal/schema';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { raceAtRow } from '@/tests/fixtures/limits';
import { setRole } from '@/tests/fixtures/members';
import { registerPerson } from '@/tests/fixtures/people';
import { makeLink, openLink, openPortal } from '@/tests/fixtures/portal';
import { makeKey, makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { type CallOptions, call, expectInvalid, expectProblem } from '@/tests/http/api-request';

useDatabase();

let project: TestProject;
let customer: { id: string; uid: string };
let owner: CallOptions;

beforeAll(async () => {
  project = await makeTestProject();
  owner = { bearer: project.owner.accessToken };
});
beforeEach(async () => {
  customer = await makeCustomer();
});

async function makeCustomer(): Promise<{ id: string; uid: string }> {
  const body = { uid: `c-${newId()}`, name: 'Acme Inc.' };
  return (
    await call<{ id: string; uid: string }>('POST', `/api/v1/projects/${project.id}/customers`, { ...owner, body })
  ).json;
}

const linksOf = (uid: string, options: CallOptions = owner) =>
  call<PortalLink>('POST', `/api/v1/projects/${project.id}/customers/${uid}/portal-links`, options);
const endSessions = (uid: string, options: CallOptions = owner) =>
  call('DELETE', `/api/v1/projects/${project.id}/customers/${uid}/portal-sessions`, options);
const session = (token: string, method = 'GET') =>
  call<PortalSession>(method, '/api/v1/portal/session', { bearer: token });
const open = (body: object = {}, by = owner) => openPortal(project.id, customer.uid, by, body);
const secondsUntil = (time: string) => Math.round((Date.parse(time) - Date.now()) / 1_000);

describe('a link to a portal', () => {
  it('leads to the page of the project, and can be opened for five minutes', async () => {
    const { status, json } = await linksOf(customer.uid);
    expect(status).toBe(201);
    expect(json).toEqual({ url: expect.any(String), expiresAt: expect.any(String) });
    const { origin, pathname, hash } = new URL(json.url);
    expect([origin, pathname]).toEqual([config().baseUrl, `/portal/${project.id}`]);
    expect(hash).toMatch(/^#plink_[\w-]{65}$/);
    expect(secondsUntil(json.expiresAt)).toBeGreaterThan(290);
    expect(secondsUntil(json.expiresAt)).toBeLessThanOrEqual(300);
  });

  it('leads to PORTAL_BASE_URL where that is set', async () => {
    setOnce('config', { ...config(), PORTAL_BASE_URL: 'https://portal.example.com/' });
    const { json } = await linksOf(customer.uid);
    setOnce('config', { ...config(), PORTAL_BASE_URL: undefined });
    expect(json.url).toMatch(`https://portal.example.com/portal/${project.id}#plink_`);
  });

  it('opens a session for an hour that may manage, unless it says otherwise', async () => {
    const opened = await openLink(await makeLink(project.id, customer.id, owner));
    expect(opened.status).toBe(201);
    expect(opened.json).toEqual({
      token: expect.stringMatching(/^ptok_[\w-]{65}$/),
      expiresAt: expect.any(String),
      permissions: 'MANAGE',
      customer: { uid: customer.uid, name: 'Acme Inc.' },
      portal: { name: expect.any(String), accentColor: null, logoUrl: null },
    });
    expect(secondsUntil(opened.json.expiresAt)).toBeGreaterThan(3_590);
    const reading = await openLink(
      await makeLink(project.id, customer.uid, owner, { permissions: 'READ', sessionSeconds: 300 }),
    );
    expect(reading.json.permissions).toBe('READ');
    expect(secondsUntil(reading.json.expiresAt)).toBeLessThanOrEqual(300);
  });

  it('opens one session when two exchange it at once, and none afterwards', async () => {
    const link = await makeLink(project.id, customer.uid, owner);
    const answers = await Promise.all([openLink(link), openLink(link)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401]);
    expectProblem(await openLink(link), 401, 'invalid_portal_link');
  });

  it('of another project than the page is refused there, and still opens its own page', async () => {
    const link = await makeLink(project.id, customer.uid, owner);
    const other = await makeTestProject();
    expectProblem(await openLink(link, other.id), 401, 'invalid_portal_link');
    expect((await openLink(link, project.id)).status).toBe(201);
  });

  it('that is unknown, malformed or expired opens nothing', async () => {
    const link = await makeLink(project.id, customer.uid, owner);
    await database().query(
      `UPDATE portal_sessions SET expires_at = now() - interval '1 second' WHERE customer_id = $1`,
      [customer.id],
    );
    for (const bad of [link, `plink_${'a'.repeat(43)}`, `plink_${'-'.repeat(65)}`, '', 'a link']) {
      expectProblem(await openLink(bad), 401, 'invalid_portal_link');
    }
  });

  it.each([
    ['permissions', { permissions: 'WRITE' }],
    ['sessionSeconds', { sessionSeconds: 299 }],
    ['sessionSeconds', { sessionSeconds: 86_401 }],
    ['customer', { customer: 'another' }],
  ])('is refused with an invalid %s', async (path, body) => {
    expectInvalid(await linksOf(customer.uid, { ...owner, body }), path);
  });

  it('is made without a body, by developers and keys that may write, and not by viewers and read-only keys', async () => {
    const viewer = await registerPerson();
    await setRole(project.owner.organizationId, viewer, 'VIEWER');
    const { key } = await makeKey(project.id, project.owner, { name: 'reader', scope: 'READ_ONLY' });
    for (const options of [owner, { apiKey: project.key }]) {
      expect((await linksOf(customer.uid, options)).status).toBe(201);
      expect((await endSessions(customer.uid, options)).status).toBe(204);
    }
    for (const [options, code] of [
      [{ bearer: viewer.accessToken }, 'forbidden'],
      [{ apiKey: key }, 'read_only_key'],
    ] as const) {
      expectProblem(await linksOf(customer.uid, options), 403, code);
      expectProblem(await endSessions(customer.uid, options), 403, code);
    }
  });

  it('to a customer that the project does not have is not made', async () => {
    for (const name of ['nobody', newId()]) {
      expectProblem(await linksOf(name), 404, 'not_found');
      expectProblem(await endSessions(name), 404, 'not_found');
    }
  });

  it('leaves nothing behind when its customer is deleted meanwhile, and is not made afterwards', async () => {
    const link = async () => (await linksOf(customer.id)).status;
    const path = `/api/v1/projects/${project.id}/customers/${customer.id}`;
    const deletion = async () => (await call('DELETE', path, owner)).status;
    const statuses = await raceAtRow('customers', customer.id, [link, link, deletion, link]);
    expect(statuses[2]).toBe(204);
    expect(statuses.toSpliced(2, 1).filter((status) => status !== 201 && status !== 404)).toEqual([]);
    const { rows } = await database().query('SELECT FROM portal_sessions WHERE customer_id = $1', [customer.id]);
    expect(rows).toEqual([]);
    const made = (await auditOf(customer.id)).filter(({ action }) => action === 'customer.portal_link_created');
    expect(made).toHaveLength(statuses.filter((status) => status === 201).length);
  });

  it('stores nothing that opens it or its session, and its making and its end are audited', async () => {
    const link = await makeLink(project.id, customer.uid, owner);
    const { token } = (await openLink(link)).json;
    const { rows } = await database().query<{ text: string }>('SELECT s::text AS text FROM portal_sessions s');
    for (const secret of [link, token]) {
      for (const { text } of rows) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(secret).toString('hex'));
      }
    }
    await endSessions(customer.uid);
    await endSessions(customer.uid);
    const actions = (await auditOf(customer.id)).map(({ action, details }) => [action, details.targetName]);
    expect(actions.slice(1)).toEqual([
      ['customer.portal_link_created', 'Acme Inc.'],
      ['customer.portal_sessions_ended', 'Acme Inc.'],
    ]);
  });
});

describe('a portal session', () => {
  it('shows what opening it showed, without the token', async () => {
    const opened = await openLink(await makeLink(project.id, customer.uid, owner));
    const { token, ...shown } = opened.json;
    expect((await session(token)).json).toEqual(shown);
  });

  it('ends when its holder signs out, with others of the customer left open', async () => {
    const [mine, other] = [await open(), await open()];
    expect((await session(mine, 'DELETE')).status).toBe(204);
    expectProblem(await session(mine), 401, 'unauthenticated');
    expect((await session(other)).status).toBe(200);
  });

  it('ends, as unopened links do, when the company ends those of the customer, and not those of another one', async () => {
    const [token, link] = [await open(), await makeLink(project.id, customer.uid, owner)];
    const other = await makeCustomer();
    const foreign = await openPortal(project.id, other.uid, owner);
    expect((await endSessions(customer.uid)).status).toBe(204);
    expectProblem(await session(token), 401, 'unauthenticated');
    expectProblem(await openLink(link), 401, 'invalid_portal_link');
    expect((await session(foreign)).status).toBe(200);
  });

  it('that has expired says so', async () => {
    const token = await open();
    await database().query('UPDATE portal_sessions SET expires_at = now() WHERE customer_id = $1', [customer.id]);
    expectProblem(await session(token), 401, 'token_expired');
  });

  it('ends with its customer, and so do its links', async () => {
    const [token, link] = [await open(), await makeLink(project.id, customer.uid, owner)];
    await call('DELETE', `/api/v1/projects/${project.id}/customers/${customer.uid}`, owner);
    expectProblem(await session(token), 401, 'unauthenticated');
    expectProblem(await openLink(link), 401, 'invalid_portal_link');
    const { rows } = await database().query('SELECT FROM portal_sessions WHERE customer_id = $1', [customer.id]);
    expect(rows).toEqual([]);
  });

  it.each(['project', 'organization'])('ends with its %s', async (what) => {
    const other = await makeTestProject();
    const by = { bearer: other.owner.accessToken };
    const body = { uid: 'acme' };
    await call('POST', `/api/v1/projects/${other.id}/customers`, { ...by, body });
    const token = await openPortal(other.id, 'acme', by);
    const path = what === 'project' ? `/projects/${other.id}` : `/orgs/${other.owner.organizationId}`;
    expect((await call('DELETE', `/api/v1${path}`, by)).status).toBe(204);
    expectProblem(await session(token), 401, 'unauthenticated');
  });

  it('stays when the key that made its link is revoked', async () => {
    const { id, key } = await makeKey(project.id, project.owner, { name: 'server' });
    const token = await open({}, { apiKey: key });
    expect((await call('DELETE', `/api/v1/projects/${project.id}/api-keys/${id}`, owner)).status).toBe(204);
    expect((await session(token)).status).toBe(200);
  });

  it('is the oldest that ends when a customer has more than a thousand links and sessions', async () => {
    const tokens = [await open(), await open()];
    await database().query(
      `INSERT INTO portal_sessions (id, project_id, customer_id, permissions, session_seconds, link_hash, expires_at)
       SELECT u.id, $1, $2, 'READ', 300, decode(replace(u.id::text, '-', ''), 'hex'), now() + interval '1 hour'
       FROM unnest($3::uuid[]) u(id)`,
      [project.id, customer.id, Array.from({ length: 998 }, newId)],
    );
    await makeLink(project.id, customer.uid, owner);
    const statuses = await Promise.all(tokens.map(async (token) => (await session(token)).status));
    expect(statuses).toEqual([401, 200]);
  });
});

describe('below /portal', () => {
  it('no other valid credential is admitted, and no invalid one', async () => {
    const path = '/api/v1/portal/endpoints';
    for (const options of [owner, { apiKey: project.key }]) {
      expectProblem(await call('GET', path, options), 403, 'portal_required');
    }
    expectProblem(await call('GET', path, { apiKey: 'eds_unknown' }), 401, 'invalid_api_key');
    for (const bearer of ['a', `ptok_${'a'.repeat(43)}`, `ptok_${'-'.repeat(65)}`]) {
      expectProblem(await call('GET', path, { bearer }), 401, 'unauthenticated');
    }
    expectProblem(await call('GET', path), 401, 'unauthenticated');
    const both = { bearer: await open(), apiKey: project.key };
    expectProblem(await call('GET', path, both), 400, 'ambiguous_credentials');
  });

  it('no cookie is set, and none is read', async () => {
    const link = await makeLink(project.id, customer.uid, owner);
    const opened = await openLink(link);
    expect(opened.cookies).toEqual([]);
    const cookie = `refresh_token=${project.owner.refreshToken}; eds_session=1`;
    expectProblem(await call('GET', '/api/v1/portal/session', { cookie }), 401, 'unauthenticated');
    expect((await session(opened.json.token)).cookies).toEqual([]);
  });
});
