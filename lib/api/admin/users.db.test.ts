import { describe, expect, it } from 'vitest';
import type { UserRecord } from '@/lib/admin/schema';
import type { AuditLogEntry } from '@/lib/audit/schema';
import type { OrganizationExport } from '@/lib/lifecycle/export/schema';
import { config } from '@/lib/platform/config/config';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails } from '@/tests/fixtures/mails';
import { ADMIN_TOKEN, callAsOperator } from '@/tests/fixtures/operator';
import {
  asPerson,
  freshEmail,
  makeProject,
  registerMember,
  registerPerson,
  signInAgain,
  type TestPerson,
} from '@/tests/fixtures/people';
import { tryLogin } from '@/tests/fixtures/sign-in-limits';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN, AUTH_LOCKOUT_THRESHOLD: '2' });

const search = async (email: string, query = '') =>
  (await callAsOperator<Listing<UserRecord>>('GET', `/users?email=${encodeURIComponent(email)}${query}`)).json;

const act = (user: Pick<TestPerson, 'userId'>, what: string) => callAsOperator('POST', `/users/${user.userId}/${what}`);

const isSignedIn = async (person: TestPerson) =>
  (await call('GET', '/api/v1/auth/me', asPerson(person))).status === 200;

async function lockOut(email: string): Promise<void> {
  for (const password of ['wrong 1', 'wrong 2']) expect((await tryLogin(email, password)).status).toBe(401);
  expect((await tryLogin(email, 'wrong 3')).status).toBe(423);
}

async function lastAudit(): Promise<{ action: string; actor_type: string; ip_address: string; details: object }> {
  const rows = await select('SELECT * FROM audit_log ORDER BY id DESC LIMIT 1');
  return rows[0];
}

describe('searching people', () => {
  it('shows name, address, sign-in methods, open sessions and organizations', async () => {
    const person = await registerPerson({ name: 'Ada Lovelace' });
    const other = await registerPerson({ organizationName: 'Engines' });
    await signInAgain(person);
    await run(
      `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'VIEWER')`,
      other.organizationId,
      person.userId,
    );
    await run(
      'INSERT INTO identities (id, user_id, issuer, subject) VALUES ($1, $2, $3, $4)',
      newId(),
      person.userId,
      config().IDP_OAUTH_ISSUER,
      'subject-of-ada',
    );
    expect((await search(person.email)).data).toEqual([
      {
        id: person.userId,
        email: person.email,
        name: 'Ada Lovelace',
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        emailVerified: false,
        hasPassword: true,
        providers: ['Google'],
        lockout: null,
        openSessions: 2,
        organizations: [
          expect.objectContaining({ id: person.organizationId, role: 'OWNER' }),
          { id: other.organizationId, name: 'Engines', role: 'VIEWER' },
        ],
      },
    ]);
  });

  it('finds people by an address or its beginning, case-insensitively and without wildcards', async () => {
    const mark = newId();
    const ab = await registerPerson({ email: `${mark}-ab@x.example` });
    const a_b = await registerPerson({ email: `${mark}-a_b@x.example` });
    const find = async (email: string) => (await search(email)).data.map(({ id }) => id);
    expect(await find(`  ${mark.toUpperCase()}-AB@X.EXAMPLE `)).toEqual([ab.userId]);
    expect(await find(`${mark}-a_`)).toEqual([a_b.userId]);
    expect(await find(`${mark}-%`)).toEqual([]);
    expect(await find(`${mark}-`)).toEqual([a_b.userId, ab.userId]);
    expect(await find('-ab@x.example')).toEqual([]);
  });

  it('does not find erased people', async () => {
    const person = await registerPerson();
    expect((await search(person.email)).data).toHaveLength(1);
    await call('DELETE', '/api/v1/auth/me', asPerson(person));
    expect((await search(person.email)).data).toEqual([]);
    expect((await search('erased:')).data).toEqual([]);
  });

  it('audits the ids of the people shown, without addresses', async () => {
    const person = await registerPerson();
    await search(person.email);
    expect(await lastAudit()).toMatchObject({
      action: 'account.searched',
      actor_type: 'OPERATOR',
      ip_address: TEST_ADDRESS,
      target_id: person.userId,
      details: { userIds: [person.userId] },
    });
    const nobody = freshEmail();
    await search(nobody);
    expect((await lastAudit()).details).toEqual({ userIds: [] });
    expect(JSON.stringify(await select('SELECT details FROM audit_log'))).not.toContain(nobody);
  });

  it('shows failed sign-ins and the end of a lockout', async () => {
    const person = await registerPerson();
    await tryLogin(person.email, 'wrong');
    expect((await search(person.email)).data[0]?.lockout).toEqual({ failures: 1, lockedUntil: null });
    await tryLogin(person.email, 'wrong again');
    const lockout = (await search(person.email)).data[0]?.lockout;
    expect(lockout?.failures).toBe(2);
    expect(Date.parse(lockout?.lockedUntil ?? '')).toBeGreaterThan(Date.now());
  });
});

describe('unlocking a person', () => {
  it('ends the lockout at once, deletes the failed sign-ins, and is audited', async () => {
    const person = await registerPerson();
    await lockOut(person.email);
    expect((await act(person, 'unlock')).status).toBe(204);
    expect((await search(person.email)).data[0]?.lockout).toBeNull();
    expect((await tryLogin(person.email, 'wrong once more')).status).toBe(401);
    await signInAgain(person);
    expect((await auditOf(person.userId)).find(({ action }) => action === 'account.unlocked')).toMatchObject({
      actor_type: 'OPERATOR',
      ip_address: TEST_ADDRESS,
    });
  });
});

describe('closing the sessions of a person', () => {
  it('closes all sessions at once, audits each, and mails the person without the IP address of the operator', async () => {
    const person = await registerPerson();
    const again = await signInAgain(person);
    const other = await registerMember(person.organizationId, 'VIEWER');
    expect((await act(person, 'close-sessions')).status).toBe(204);
    expect([await isSignedIn(person), await isSignedIn(again), await isSignedIn(other)]).toEqual([false, false, true]);
    const entries = (await auditOf(person.organizationId)).filter(({ action }) => action === 'session.closed');
    expect(entries.map(({ actor_type }) => actor_type)).toEqual(['OPERATOR', 'OPERATOR']);
    expect((await auditOf(person.userId)).at(-1)).toMatchObject({
      action: 'account.sessions_closed',
      actor_type: 'OPERATOR',
      details: { count: 2 },
    });
    const mail = (await queuedMails(person.email)).at(-1);
    expect(mail?.subject).toBe('Your sessions were closed');
    expect(mail?.text).toContain('The operator of this service closed all your sessions');
    expect(mail?.text).not.toContain(TEST_ADDRESS);
  });
});

describe.each(['unlock', 'close-sessions'])('%s', (what) => {
  it('gets 404 for an unknown id, an erased person and an invalid id, and is not audited', async () => {
    const erased = await registerPerson();
    await call('DELETE', '/api/v1/auth/me', asPerson(erased));
    const before = await select('SELECT id FROM audit_log');
    for (const userId of [newId(), erased.userId, 'x']) expect((await act({ userId }, what)).status).toBe(404);
    expect(await select('SELECT id FROM audit_log')).toHaveLength(before.length);
  });
});

const read = async (query: Record<string, string>) =>
  (await callAsOperator<Listing<AuditLogEntry>>('GET', `/audit-log?${new URLSearchParams(query)}`)).json;

const actions = ({ data }: Listing<AuditLogEntry>) => data.map(({ action }) => action);

describe('the audit log of all organizations', () => {
  it('lists entries of every organization and those without one, newest first', async () => {
    const ada = await registerPerson();
    const bob = await registerPerson();
    const { data } = await read({ limit: '100' });
    const ids = data.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    const organizations = data.map(({ organizationId }) => organizationId);
    expect(organizations).toEqual(expect.arrayContaining([ada.organizationId, bob.organizationId, null]));
    expect(data.find(({ actor }) => actor.id === ada.userId)?.actor).toEqual({
      type: 'USER',
      id: ada.userId,
      email: ada.email,
    });
  });

  it('names organizations, targets and people while they exist', async () => {
    const ada = await registerPerson();
    const { organizationId } = ada;
    await makeProject(ada, 'Web shop');
    await callAsOperator('POST', `/users/${ada.userId}/close-sessions`);
    const { name } = (await callAsOperator<{ name: string }>('GET', `/orgs/${organizationId}`)).json;
    const find = async (query: Record<string, string>) => (await read({ ...query, limit: '1' })).data[0];
    expect(await find({ organizationId, action: 'project.created' })).toMatchObject({
      target: { name: 'Web shop' },
      organizationName: name,
    });
    expect((await find({ organizationId, action: 'organization.viewed' }))?.target.name).toBe(name);
    expect((await find({ action: 'account.sessions_closed' }))?.target).toMatchObject({
      id: ada.userId,
      name: ada.email,
    });

    await callAsOperator('DELETE', `/orgs/${organizationId}`);
    const erased = await read({ organizationId, limit: '100' });
    expect(erased.data.length).toBeGreaterThan(2);
    expect(JSON.stringify(erased)).not.toContain(name);
    expect(JSON.stringify(erased)).not.toContain('Web shop');
  });

  it('shows the IP address of the operator, which the organization sees in no list, CSV file or export', async () => {
    const { organizationId, accessToken: bearer } = await registerPerson();
    await callAsOperator('GET', `/orgs/${organizationId}`);
    const [seen] = (await read({ organizationId, action: 'organization.viewed' })).data;
    expect(seen).toMatchObject({ actor: { type: 'OPERATOR' }, ipAddress: TEST_ADDRESS });
    const { organizationName: _named, target, ...shared } = seen as AuditLogEntry;
    const { name: _targetName, ...shownTarget } = target;
    const path = `/api/v1/orgs/${organizationId}`;
    const list = await call<Listing<AuditLogEntry>>('GET', `${path}/audit-log`, { bearer });
    const exported = await call<OrganizationExport>('GET', `${path}/export`, { bearer });
    for (const entries of [list.json.data, exported.json.auditLogs]) {
      expect(entries.find(({ id }) => id === seen?.id)).toEqual({
        ...shared,
        target: shownTarget,
        ipAddress: null,
      });
      expect(entries.find(({ actor }) => actor.type === 'USER')?.ipAddress).toBe(TEST_ADDRESS);
    }
    const csv = await call('GET', `${path}/audit-log?format=csv&action=organization.viewed`, { bearer });
    expect(csv.text).toContain(seen?.id);
    expect(csv.text).not.toContain(TEST_ADDRESS);
  });

  it('is audited when it is read, once for all pages', async () => {
    const { organizationId } = await registerPerson();
    const views = async () => actions(await read({ action: 'audit_log.viewed', limit: '100' })).length;
    const before = await views();
    const first = await read({ organizationId, limit: '1' });
    await read({ organizationId, limit: '1', cursor: first.nextCursor ?? '' });
    // The other entry is from reading these entries.
    expect(await views()).toBe(before + 2);
  });
});
