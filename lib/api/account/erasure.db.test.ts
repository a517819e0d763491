import { describe, expect, it } from 'vitest';
import { EmailAddress, foldEmail } from '@/lib/accounts/email-address';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { count } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { erase, type LastOwner, proveAddress } from '@/tests/fixtures/erasure';
import { fillProject } from '@/tests/fixtures/full-project';
import { queuedMails } from '@/tests/fixtures/mails';
import {
  makeProject,
  PASSWORD,
  registerMember,
  registerPerson,
  signInAgain,
  type TestPerson,
} from '@/tests/fixtures/people';
import { makeKey } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { call } from '@/tests/http/api-request';

useDatabase();

const readUser = async (userId: string) =>
  (await database().query('SELECT * FROM users WHERE id = $1', [userId])).rows[0] as Record<string, unknown>;

const setRole = (organizationId: string, person: TestPerson, role: string) =>
  database().query('UPDATE memberships SET role = $3::"Role" WHERE organization_id = $1 AND user_id = $2', [
    organizationId,
    person.userId,
    role,
  ]);

describe.each(useAdapters())('erasing the account %s', (_name, send) => {
  it('gets 204 and clears the refresh cookie', async () => {
    const person = await registerPerson();
    const response = await send('DELETE', '/api/v1/auth/me', { bearer: person.accessToken });
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    expect(response.cookies).toEqual([
      expect.stringMatching(/^refresh_token=; Path=\/api\/v1\/auth; HttpOnly; .*Max-Age=0/),
      expect.stringMatching(/^eds_session=; .*Max-Age=0/),
    ]);
  });

  it('gets 409 as the last owner of an organization with others, and keeps the cookie', async () => {
    const person = await registerPerson({ organizationName: 'Engines' });
    await registerMember(person.organizationId, 'ADMIN');
    const response = await send<LastOwner>('DELETE', '/api/v1/auth/me', { bearer: person.accessToken });
    expect(response.json).toMatchObject({
      status: 409,
      code: 'last_owner',
      organizations: [{ id: person.organizationId, name: 'Engines' }],
    });
    expect(response.cookies).toEqual([]);
  });
});

describe('erasing the account', () => {
  it('replaces identifying data', async () => {
    const person = await registerPerson({ name: 'Ada' });
    await proveAddress(person);
    await erase(person);
    expect(await readUser(person.userId)).toMatchObject({
      id: person.userId,
      email: `erased:${person.userId}`,
      name: null,
      password_hash: null,
      email_verified_at: null,
      last_organization_id: null,
      erased_at: expect.any(Date),
    });
  });

  it('leaves a placeholder address that nobody can register or sign in with', async () => {
    const person = await registerPerson();
    await erase(person);
    const placeholder = String((await readUser(person.userId)).email);
    expect(EmailAddress.safeParse(foldEmail(placeholder)).success).toBe(false);
    for (const path of ['register', 'login', 'forgot-password']) {
      const response = await call('POST', `/api/v1/auth/${path}`, { body: { email: placeholder, password: PASSWORD } });
      expect(response.status, path).toBe(400);
    }
  });

  it('closes every session: the next request with any access or refresh token is refused', async () => {
    const person = await registerPerson();
    const elsewhere = await signInAgain(person);
    await erase(person);
    for (const { accessToken, refreshToken } of [person, elsewhere]) {
      expect((await call('GET', '/api/v1/auth/me', { bearer: accessToken })).json).toMatchObject({
        status: 401,
        code: 'unauthenticated',
      });
      const refreshed = await call('POST', '/api/v1/auth/refresh', { cookie: `refresh_token=${refreshToken}` });
      expect(refreshed.json).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
    }
    expect(await count('SELECT FROM sessions WHERE user_id = $1', person.userId)).toBe(0);
  });

  it('refuses every later sign-in like one of an unknown address', async () => {
    const person = await registerPerson();
    await erase(person);
    const body = { email: person.email, password: PASSWORD };
    const gone = await call('POST', '/api/v1/auth/login', { body });
    const unknown = await call('POST', '/api/v1/auth/login', { body: { ...body, email: `${newId()}@example.com` } });
    expect(gone.json).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect({ ...gone.json, requestId: '' }).toEqual({ ...unknown.json, requestId: '' });
  });

  it('ends every other way to sign in: provider, reset link, verification link, device code', async () => {
    const person = await registerPerson();
    await database().query(
      `INSERT INTO identities (id, user_id, issuer, subject) VALUES ($1, $2, 'https://idp', 's1')`,
      [newId(), person.userId],
    );
    await database().query(
      `INSERT INTO device_codes (id, device_code_hash, user_code_hash, status, user_id, expires_at)
       VALUES ($1, '\\x01', '\\x02', 'APPROVED', $2, now() + interval '5 minutes')`,
      [newId(), person.userId],
    );
    await erase(person);
    for (const table of ['identities', 'user_tokens', 'device_codes', 'memberships', 'outbox']) {
      expect(await count(`SELECT FROM ${table} WHERE user_id = $1`, person.userId), table).toBe(0);
    }
  });

  it('leaves no row that references the person', async () => {
    const { rows } = await database().query<{ name: string; column: string }>(
      `SELECT conrelid::regclass::text AS name, a.attname AS column FROM pg_constraint c
       JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
       WHERE contype = 'f' AND confrelid = 'users'::regclass`,
    );
    expect(rows.length).toBeGreaterThan(4);
    const person = await registerPerson();
    await erase(person);
    for (const { name, column } of rows) {
      expect(await count(`SELECT FROM ${name} WHERE ${column} = $1`, person.userId), name).toBe(0);
    }
  });

  it('lets the address register again, as a different account', async () => {
    const person = await registerPerson();
    await erase(person);
    const again = await registerPerson({ email: person.email });
    expect(again.userId).not.toBe(person.userId);
    const me = await call<{ organizations: { id: string }[] }>('GET', '/api/v1/auth/me', { bearer: again.accessToken });
    expect(me.json.organizations.map(({ id }) => id)).toEqual([again.organizationId]);
    expect((await call('GET', '/api/v1/auth/me', { bearer: person.accessToken })).status).toBe(401);
  });

  it('deletes an organization in which the person was the only member, with everything in it', async () => {
    const person = await registerPerson();
    const project = await makeProject(person);
    await fillProject(project.id);
    const { key } = await makeKey(project.id, person, { name: 'server' });
    expect((await erase(person)).status).toBe(204);
    const sent = await call('POST', '/api/v1/events', { apiKey: key, body: { type: 'a.b', data: {} } });
    expect(sent.json.code).toBe('invalid_api_key');
    expect(await count('SELECT FROM projects WHERE id = $1', project.id)).toBe(0);
    expect(await count('SELECT FROM organizations WHERE id = $1', person.organizationId)).toBe(0);
  });

  it('removes the membership of a remaining organization, and nothing else of it', async () => {
    const owner = await registerPerson();
    const project = await makeProject(owner);
    const member = await registerMember(owner.organizationId, 'OWNER');
    const { key } = await makeKey(project.id, { ...member, organizationId: owner.organizationId }, { name: 'server' });
    expect((await erase(member)).status).toBe(204);
    const { rows } = await database().query('SELECT user_id FROM memberships WHERE organization_id = $1', [
      owner.organizationId,
    ]);
    expect(rows).toEqual([{ user_id: owner.userId }]);
    const sent = await call('POST', '/api/v1/events', { apiKey: key, body: { type: 'a.b', data: {} } });
    expect(sent.status).toBe(202);
  });

  it('changes nothing when it is refused', async () => {
    const person = await registerPerson();
    await registerMember(person.organizationId, 'ADMIN');
    const alone = await call<{ id: string }>('POST', '/api/v1/orgs', {
      bearer: person.accessToken,
      body: { name: 'B' },
    });
    const before = await readUser(person.userId);
    const mails = await queuedMails(person.email);
    expect((await erase(person)).status).toBe(409);
    expect(await readUser(person.userId)).toEqual(before);
    expect(await queuedMails(person.email)).toEqual(mails);
    expect((await call('GET', `/api/v1/orgs/${alone.json.id}`, { bearer: person.accessToken })).status).toBe(200);
    expect((await signInAgain(person)).userId).toBe(person.userId);
    expect((await auditOf(person.userId)).map(({ action }) => action)).not.toContain('account.deleted');
  });

  it('lists exactly the organizations that block it', async () => {
    const person = await registerPerson({ organizationName: 'First' });
    await registerMember(person.organizationId, 'VIEWER');
    const second = await call<{ id: string }>('POST', '/api/v1/orgs', {
      bearer: person.accessToken,
      body: { name: 'Second' },
    });
    await registerMember(second.json.id, 'ADMIN');
    await call('POST', '/api/v1/orgs', { bearer: person.accessToken, body: { name: 'Alone' } });
    const response = await erase(person);
    expect(response.json.organizations).toEqual([
      { id: person.organizationId, name: 'First' },
      { id: second.json.id, name: 'Second' },
    ]);
  });

  it('succeeds after ownership is transferred', async () => {
    const person = await registerPerson();
    const heir = await registerMember(person.organizationId, 'ADMIN');
    expect((await erase(person)).status).toBe(409);
    await setRole(person.organizationId, heir, 'OWNER');
    expect((await erase(person)).status).toBe(204);
    const organization = await call('GET', `/api/v1/orgs/${person.organizationId}`, { bearer: heir.accessToken });
    expect(organization.status).toBe(200);
  });
});
