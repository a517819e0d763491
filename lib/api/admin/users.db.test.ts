import { describe, expect, it } from 'vitest';
import type { UserRecord } from '@/lib/admin/schema';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails } from '@/tests/fixtures/mails';
import { ADMIN_TOKEN, callAsOperator } from '@/tests/fixtures/operator';
import { freshEmail, registerMember, registerPerson, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { tryLogin } from '@/tests/fixtures/sign-in-limits';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN, AUTH_LOCKOUT_THRESHOLD: '2' });

const search = async (email: string, query = '') =>
  (await callAsOperator<Listing<UserRecord>>('GET', `/users?email=${encodeURIComponent(email)}${query}`)).json;
const act = (user: Pick<TestPerson, 'userId'>, what: string) => callAsOperator('POST', `/users/${user.userId}/${what}`);
const isSignedIn = async (person: TestPerson) =>
  (await call('GET', '/api/v1/auth/me', { bearer: person.accessToken })).status === 200;

async function lockOut(email: string): Promise<void> {
  for (const password of ['wrong 1', 'wrong 2']) expect((await tryLogin(email, password)).status).toBe(401);
  expect((await tryLogin(email, 'wrong 3')).status).toBe(423);
}

async function lastAudit(): Promise<{ action: string; actor_type: string; ip_address: string; details: object }> {
  const { rows } = await database().query('SELECT * FROM audit_log ORDER BY id DESC LIMIT 1');
  return rows[0];
}

describe('searching people', () => {
  it('shows name, address, sign-in methods, open sessions and organizations', async () => {
    const person = await registerPerson({ name: 'Ada Lovelace' });
    const other = await registerPerson({ organizationName: 'Engines' });
    await signInAgain(person);
    await database().query(`INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'VIEWER')`, [
      other.organizationId,
      person.userId,
    ]);
    await database().query('INSERT INTO identities (id, user_id, issuer, subject) VALUES ($1, $2, $3, $4)', [
      newId(),
      person.userId,
      config().IDP_OAUTH_ISSUER,
      'subject-of-ada',
    ]);
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
    const [ab, a_b] = [
      await registerPerson({ email: `${mark}-ab@x.example` }),
      await registerPerson({ email: `${mark}-a_b@x.example` }),
    ];
    const find = async (email: string) => (await search(email)).data.map(({ id }) => id);
    expect(await find(`  ${mark.toUpperCase()}-AB@X.EXAMPLE `)).toEqual([ab.userId]);
    expect(await find(`${mark}-a_`)).toEqual([a_b.userId]);
    expect(await find(`${mark}-%`)).toEqual([]);
    expect(await find(`${mark}-`)).toEqual([a_b.userId, ab.userId]);
    expect(await find('-ab@x.example')).toEqual([]);
  });

  it('refuses text that is too long or that the database cannot store', async () => {
    for (const email of ['%00', 'a%00b@x.example', 'a'.repeat(1025)]) {
      const response = await callAsOperator('GET', `/users?email=${email}`);
      expect(response.json, email).toMatchObject({ status: 400, errors: [{ path: 'email' }] });
    }
    const halfACharacter = await callAsOperator<Listing<UserRecord>>('GET', '/users?email=%ED%A0%80');
    expect(halfACharacter.json.data).toEqual([]);
  });

  it('lists everybody without an address, newest first, in pages', async () => {
    const people = [await registerPerson(), await registerPerson()];
    const first = (await callAsOperator<Listing<UserRecord>>('GET', '/users?limit=1')).json;
    const second = (await callAsOperator<Listing<UserRecord>>('GET', `/users?limit=1&cursor=${first.nextCursor}`)).json;
    expect([first.data[0]?.id, second.data[0]?.id]).toEqual(people.map(({ userId }) => userId).reverse());
  });

  it('does not find erased people', async () => {
    const person = await registerPerson();
    expect((await search(person.email)).data).toHaveLength(1);
    await call('DELETE', '/api/v1/auth/me', { bearer: person.accessToken });
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
    const { rows } = await database().query('SELECT details FROM audit_log');
    expect(JSON.stringify(rows)).not.toContain(nobody);
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

  it('unlocks nobody else, and needs the operator token', async () => {
    const [person, other] = [await registerPerson(), await registerPerson()];
    await lockOut(other.email);
    expect((await act(person, 'unlock')).status).toBe(204);
    const path = `/api/v1/admin/users/${other.userId}/unlock`;
    expect((await call('POST', path, { bearer: person.accessToken })).status).toBe(401);
    expect((await tryLogin(other.email, 'wrong')).status).toBe(423);
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

  it('sends no mail when no session is open, and is audited anyway', async () => {
    const person = await registerPerson();
    await act(person, 'close-sessions');
    const mails = (await queuedMails(person.email)).length;
    expect((await act(person, 'close-sessions')).status).toBe(204);
    expect(await queuedMails(person.email)).toHaveLength(mails);
    expect((await auditOf(person.userId)).at(-1)).toMatchObject({
      action: 'account.sessions_closed',
      details: { count: 0 },
    });
  });

  it('keeps the sign-in methods: the person can sign in again', async () => {
    const person = await registerPerson();
    await act(person, 'close-sessions');
    expect(await isSignedIn(await signInAgain(person))).toBe(true);
  });
});

describe.each(['unlock', 'close-sessions'])('%s', (what) => {
  it('gets 404 for an unknown id, an erased person and an invalid id, and is not audited', async () => {
    const erased = await registerPerson();
    await call('DELETE', '/api/v1/auth/me', { bearer: erased.accessToken });
    const { rows: before } = await database().query('SELECT id FROM audit_log');
    for (const userId of [newId(), erased.userId, 'x']) expect((await act({ userId }, what)).status).toBe(404);
    const { rows: after } = await database().query('SELECT id FROM audit_log');
    expect(after).toHaveLength(before.length);
  });
});
