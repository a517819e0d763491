import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Identity, VerifyEmailPreview } from '@/lib/accounts/schema';
import { sendPasswordConfirmationMail } from '@/lib/accounts/verify-email';
import type { Me, SignedIn } from '@/lib/auth/schema';
import { inSqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import { mailedResetToken, NEW_PASSWORD, signInStatus } from '@/tests/fixtures/passwords';
import {
  asPerson,
  PASSWORD,
  registerMember,
  registerPerson,
  signInAgain,
  type TestPerson,
} from '@/tests/fixtures/people';
import { call, expectProblem, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase({ IDP_OAUTH_ISSUER: 'https://id.example.com', IDP_OAUTH_NAME: 'Acme ID' });

const getMe = (person: TestPerson) => call<Me>('GET', '/api/v1/auth/me', asPerson(person));

const patchMe = <T = Me>(person: TestPerson, body: unknown) =>
  call<T>('PATCH', '/api/v1/auth/me', asPerson(person, body));

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
    const person = await registerPerson({ name: 'Ada' });
    const other = await registerPerson();
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
  const resend = (person: TestPerson) => call('POST', '/api/v1/auth/resend-verification', asPerson(person));
  const tokensOf = async (person: TestPerson) => (await queuedMails(person.email)).map(tokenIn);

  it('accepts the mailed token once', async () => {
    const person = await registerPerson();
    const [token = ''] = await tokensOf(person);
    expect((await verify(token)).status).toBe(204);
    expect((await getMe(person)).json.user.emailVerified).toBe(true);
    expectProblem(await verify(token), 400, 'invalid_token');
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
    const rows = await select(
      `UPDATE user_tokens SET expires_at = expires_at - interval '24 hours' WHERE user_id = $1
       RETURNING expires_at > now() - interval '1 minute' AS was_day`,
      person.userId,
    );
    expect(rows).toEqual([{ was_day: true }]);
    expect((await verify(token)).json.code).toBe('invalid_token');
  });
});

describe('switching the organization', () => {
  const switchTo = <T = SignedIn>(person: TestPerson, organizationId: string) =>
    call<T>('POST', '/api/v1/auth/switch-organization', asPerson(person, { organizationId }));

  it('is refused when the session can no longer be refreshed: an access token must not prolong itself', async () => {
    const person = await registerPerson();
    await run(
      `UPDATE refresh_tokens SET expires_at = now() WHERE session_id IN (SELECT id FROM sessions WHERE user_id = $1)`,
      person.userId,
    );
    expectProblem(await switchTo<unknown>(person, person.organizationId), 401, 'unauthenticated');
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
    const rows = await select('SELECT organization_id FROM sessions WHERE user_id = $1', person.userId);
    expect(rows).toEqual([{ organization_id: owner.organizationId }]);
  });

  it('refuses an organization the person does not belong to', async () => {
    const person = await registerPerson();
    const stranger = await registerPerson();
    expect((await switchTo<unknown>(person, stranger.organizationId)).json).toMatchObject({ code: 'not_found' });
    expect((await switchTo<unknown>(person, person.userId)).json).toMatchObject({ code: 'not_found' });
    expect((await switchTo<unknown>(person, 'x')).json).toMatchObject({ code: 'validation_failed' });
    await run('UPDATE organizations SET deleted_at = now() WHERE id = $1', person.organizationId);
    expect((await switchTo<unknown>(person, person.organizationId)).json).toMatchObject({ code: 'not_found' });
  });
});

const verify = (token: string) => call('POST', '/api/v1/auth/verify-email', { body: { token } });

const preview = <T = VerifyEmailPreview>(token: string) =>
  call<T>('POST', '/api/v1/auth/verify-email/preview', { body: { token } });

const resend = (person: TestPerson) => call('POST', '/api/v1/auth/resend-verification', asPerson(person));

const invalidToken = { status: 400, code: 'invalid_token' };

const registrationToken = async ({ email }: TestPerson) => tokenIn((await queuedMails(email))[0]);

/** A person whose password must be confirmed, as after linking a provider account, and the token of the mail. */
async function unconfirmedPerson(): Promise<TestPerson & { confirmation: string }> {
  const person = await registerPerson();
  await inSqlTransaction(async (tx) => {
    await tx.query('UPDATE users SET password_confirmed = false, email_verified_at = now() WHERE id = $1', [
      person.userId,
    ]);
    await sendPasswordConfirmationMail(tx, person.userId, person.email);
  });
  return { ...person, confirmation: tokenIn((await queuedMails(person.email)).at(-1)) };
}

const isConfirmed = async ({ userId }: TestPerson) =>
  (await select('SELECT password_confirmed AS is FROM users WHERE id = $1', userId))[0].is;

describe('the preview of a mailed token', () => {
  it('returns what it would confirm and for which address, and keeps it valid', async () => {
    const person = await registerPerson();
    const token = await registrationToken(person);
    for (let look = 0; look < 2; look++) {
      expect(await preview(token)).toMatchObject({ status: 200, json: { purpose: 'EMAIL', email: person.email } });
    }
    expect((await verify(token)).status).toBe(204);
    expect((await preview<unknown>(token)).json).toMatchObject(invalidToken);
  });

  it('distinguishes confirming a password from confirming an address', async () => {
    const { email, confirmation } = await unconfirmedPerson();
    expect((await preview(confirmation)).json).toEqual({ purpose: 'PASSWORD', email });
  });
});

describe('confirming a password set before a provider account was linked', () => {
  it('is not done by the registration link, which only verifies the address', async () => {
    const person = await unconfirmedPerson();
    expect((await verify(await registrationToken(person))).status).toBe(204);
    expect(await isConfirmed(person)).toBe(false);
    expect(await signInStatus(person.email, PASSWORD)).toBe(403);
    expect((await preview(person.confirmation)).status).toBe(400);
  });

  it('is not done for a later password: replacing a password ends its link', async () => {
    const byReset = await unconfirmedPerson();
    const byChange = await unconfirmedPerson();
    const body = { token: await mailedResetToken(byReset.email), password: NEW_PASSWORD };
    expect((await call('POST', '/api/v1/auth/reset-password', { body })).status).toBe(204);
    const change = await call('POST', '/api/v1/auth/change-password', {
      bearer: byChange.accessToken,
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    });
    expect(change.status).toBe(204);
    for (const { email, confirmation } of [byReset, byChange]) {
      expect((await verify(confirmation)).json).toMatchObject(invalidToken);
      expect(await signInStatus(email, NEW_PASSWORD)).toBe(200);
    }
  });

  it('succeeds once when ten requests come at once, is audited, and mails a notice', async () => {
    const person = await unconfirmedPerson();
    const responses = await Promise.all(Array.from({ length: 10 }, () => verify(person.confirmation)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, ...Array(9).fill(400)]);
    const entries = (await auditOf(person.userId)).filter(({ action }) => action === 'account.password_confirmed');
    expect(entries).toMatchObject([{ actor_id: person.userId, ip_address: TEST_ADDRESS, details: {} }]);
    const notices = (await queuedMails(person.email)).filter(
      ({ subject }) => subject === 'Your password was confirmed',
    );
    expect(notices).toHaveLength(1);
  });

  it('is requested by a mail that states what is confirmed, and what to do if it was not you', async () => {
    const { email } = await unconfirmedPerson();
    const mail = (await queuedMails(email)).at(-1);
    expect(mail?.subject).toBe('Confirm your password');
    expect(mail?.text).toContain('http://localhost:3000/verify-email?token=');
    expect(mail?.text).toContain('http://localhost:3000/forgot-password');
    expect(mail?.text).not.toContain(PASSWORD);
  });
});

describe('resending the verification mail', () => {
  it('mails five when ten requests come at once; the others get Retry-After', async () => {
    const person = await registerPerson();
    const other = await registerPerson();
    const responses = await Promise.all(Array.from({ length: 10 }, () => resend(person)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(202), ...Array(5).fill(429)]);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.json.code).toBe('rate_limited');
    const retryAfterSeconds = Number(refused?.headers['retry-after']);
    expect(retryAfterSeconds).toBeGreaterThan(3590);
    expect(retryAfterSeconds).toBeLessThanOrEqual(3600);
    expect(await queuedMails(person.email)).toHaveLength(1 + 5);
    expect((await resend(other)).status).toBe(202);
  });

  it('mails nothing and refuses nothing after the address is verified', async () => {
    const person = await registerPerson();
    await verify(await registrationToken(person));
    for (let attempt = 0; attempt < 7; attempt++) expect((await resend(person)).status).toBe(202);
    expect(await queuedMails(person.email)).toHaveLength(1);
  });
});

const list = (person: TestPerson) => call<{ data: Identity[] }>('GET', '/api/v1/auth/identities', asPerson(person));

async function link(person: TestPerson, issuer: string, subject: string): Promise<string> {
  const id = newId();
  await run(
    'INSERT INTO identities (id, user_id, issuer, subject) VALUES ($1, $2, $3, $4)',
    id,
    person.userId,
    issuer,
    subject,
  );
  return id;
}

describe('the identities of a person', () => {
  it('name the configured provider as its button does, and any other by its host', async () => {
    const person = await registerPerson();
    const earlier = await link(person, 'https://accounts.former.example/realms/one', 'subject-1');
    const present = await link(person, 'https://id.example.com/', 'subject-2');
    expect((await list(person)).json.data).toEqual([
      { id: earlier, provider: 'accounts.former.example', createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      { id: present, provider: 'Acme ID', createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
  });

  it('are shown to that person only, and never with the subject', async () => {
    const person = await registerPerson();
    const other = await registerPerson();
    await link(person, 'https://id.example.com', 'subject-of-one');
    expect((await list(other)).json.data).toEqual([]);
    const shown = await list(person);
    expect(shown.json.data).toHaveLength(1);
    expect(shown.text).not.toContain('subject-of-one');
  });
});
