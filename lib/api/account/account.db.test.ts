import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Me, SignedIn } from '@/lib/auth/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import { registerMember, registerPerson, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';

useDatabase();

const getMe = (person: TestPerson) => call<Me>('GET', '/api/v1/auth/me', { bearer: person.accessToken });
const patchMe = <T = Me>(person: TestPerson, body: unknown) =>
  call<T>('PATCH', '/api/v1/auth/me', { bearer: person.accessToken, body });

describe('the account of the caller', () => {
  it('has all organizations of the person, with their role in each', async () => {
    const owner = await registerPerson({ organizationName: 'Engines' });
    const person = await registerMember(owner.organizationId, 'DEVELOPER');
    const response = await getMe(person);
    expect(response.status).toBe(200);
    expect(response.json.user).toEqual({
      id: person.userId,
      email: person.email,
      name: null,
      emailVerified: false,
      hasPassword: true,
      timeZone: 'LOCAL',
    });
    expect(response.json.organizations).toHaveLength(2);
    expect(response.json.organizations).toContainEqual({
      id: owner.organizationId,
      name: 'Engines',
      role: 'DEVELOPER',
    });
  });

  it('changes and removes the name, and keeps fields that the body omits', async () => {
    const person = await registerPerson();
    expect((await patchMe(person, { name: ' Ada ' })).json.user.name).toBe('Ada');
    expect((await patchMe(person, {})).json.user.name).toBe('Ada');
    expect((await patchMe(person, { name: null })).json.user.name).toBeNull();
  });

  it('changes the time zone, keeps the name, and keeps the time zone when only the name changes', async () => {
    const [person, other] = [await registerPerson({ name: 'Ada' }), await registerPerson()];
    expect((await patchMe(person, { timeZone: 'UTC' })).json.user).toMatchObject({ name: 'Ada', timeZone: 'UTC' });
    expect((await patchMe(person, { name: 'Grace' })).json.user).toMatchObject({ name: 'Grace', timeZone: 'UTC' });
    expect((await getMe(person)).json.user.timeZone).toBe('UTC');
    expect((await getMe(other)).json.user.timeZone).toBe('LOCAL');
    expect((await patchMe(person, { timeZone: 'LOCAL' })).json.user.timeZone).toBe('LOCAL');
  });

  it.each([
    [{ timeZone: 'Europe/Berlin' }, 'timeZone'],
    [{ email: 'eve@example.com' }, 'email'],
    [{ emailVerified: true }, 'emailVerified'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a\0b' }, 'name'],
  ])('refuses %j', async (body, path) => {
    const response = await patchMe<unknown>(await registerPerson(), body);
    expect(response.json).toMatchObject({
      status: 400,
      errors: expect.arrayContaining([{ path, message: expect.any(String) }]),
    });
  });
});

describe('verifying the address', () => {
  const verify = (token: string) => call('POST', '/api/v1/auth/verify-email', { body: { token } });
  const resend = (person: TestPerson) =>
    call('POST', '/api/v1/auth/resend-verification', { bearer: person.accessToken });
  const tokensOf = async (person: TestPerson) => (await queuedMails(person.email)).map(tokenIn);

  it('accepts the mailed token once', async () => {
    const person = await registerPerson();
    const [token = ''] = await tokensOf(person);
    expect((await verify(token)).status).toBe(204);
    expect((await getMe(person)).json.user.emailVerified).toBe(true);
    expect((await verify(token)).json).toMatchObject({ status: 400, code: 'invalid_token' });
    const entries = (await auditOf(person.userId)).filter(({ action }) => action === 'account.email_verified');
    expect(entries).toHaveLength(1);
  });

  it('never deadlocks with resending', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await registerPerson();
      const [token = ''] = await tokensOf(person);
      const responses = await Promise.all([verify(token), resend(person), verify(token), resend(person)]);
      for (const { status } of responses) expect([202, 204, 400]).toContain(status);
    }
  });

  it('accepts a link for 24 hours', async () => {
    const person = await registerPerson();
    const [token = ''] = await tokensOf(person);
    const { rows } = await database().query(
      `UPDATE user_tokens SET expires_at = expires_at - interval '24 hours' WHERE user_id = $1
       RETURNING expires_at > now() - interval '1 minute' AS was_day`,
      [person.userId],
    );
    expect(rows).toEqual([{ was_day: true }]);
    expect((await verify(token)).json.code).toBe('invalid_token');
  });
});

describe('switching the organization', () => {
  const switchTo = <T = SignedIn>(person: TestPerson, organizationId: string) =>
    call<T>('POST', '/api/v1/auth/switch-organization', { bearer: person.accessToken, body: { organizationId } });

  it('is refused when the session can no longer be refreshed: an access token must not prolong itself', async () => {
    const person = await registerPerson();
    await database().query(
      `UPDATE refresh_tokens SET expires_at = now() WHERE session_id IN (SELECT id FROM sessions WHERE user_id = $1)`,
      [person.userId],
    );
    const response = await switchTo<unknown>(person, person.organizationId);
    expect(response.json).toMatchObject({ status: 401, code: 'unauthenticated' });
    const again = await signInAgain(person);
    expect((await switchTo(again, again.organizationId)).status).toBe(200);
  });

  it('gives a token that expires no later than the first one, after any number of switches', async () => {
    const expiryOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).exp;
    let person = await registerPerson();
    const first = expiryOf(person.accessToken);
    await sleep(1_100);
    for (let count = 0; count < 2; count += 1) {
      const { json } = await switchTo(person, person.organizationId);
      expect(expiryOf(json.accessToken)).toBe(first);
      expect(json.expiresIn).toBeLessThan(900);
      person = { ...person, accessToken: json.accessToken };
    }
  });

  it('keeps the session, with the role of the new organization', async () => {
    const owner = await registerPerson();
    const person = await registerMember(owner.organizationId, 'VIEWER');
    const response = await switchTo(person, owner.organizationId);
    expect(response.status).toBe(200);
    expect(response.json.organization).toMatchObject({ id: owner.organizationId, role: 'VIEWER' });
    expect(response.json).not.toHaveProperty('refreshToken');
    expect(response.cookies).toEqual([]);
    const { rows } = await database().query('SELECT organization_id FROM sessions WHERE user_id = $1', [person.userId]);
    expect(rows).toEqual([{ organization_id: owner.organizationId }]);
  });

  it('refuses an organization the person does not belong to', async () => {
    const [person, stranger] = [await registerPerson(), await registerPerson()];
    expect((await switchTo<unknown>(person, stranger.organizationId)).json).toMatchObject({ code: 'not_found' });
    expect((await switchTo<unknown>(person, person.userId)).json).toMatchObject({ code: 'not_found' });
    expect((await switchTo<unknown>(person, 'x')).json).toMatchObject({ code: 'validation_failed' });
    await database().query('UPDATE organizations SET deleted_at = now() WHERE id = $1', [person.organizationId]);
    expect((await switchTo<unknown>(person, person.organizationId)).json).toMatchObject({ code: 'not_found' });
  });
});
