import { describe, expect, it } from 'vitest';
import { sendPasswordConfirmationMail } from '@/lib/accounts/confirm-password';
import type { VerifyEmailPreview } from '@/lib/accounts/schema';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import { mailedResetToken, NEW_PASSWORD, signInStatus } from '@/tests/fixtures/passwords';
import { PASSWORD, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase();

const verify = (token: string) => call('POST', '/api/v1/auth/verify-email', { body: { token } });
const preview = <T = VerifyEmailPreview>(token: string) =>
  call<T>('POST', '/api/v1/auth/verify-email/preview', { body: { token } });
const resend = (person: TestPerson) => call('POST', '/api/v1/auth/resend-verification', { bearer: person.accessToken });
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
  (await database().query('SELECT password_confirmed AS is FROM users WHERE id = $1', [userId])).rows[0].is;

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
  it('lets the password sign in after its link is opened', async () => {
    const person = await unconfirmedPerson();
    expect(await signInStatus(person.email, PASSWORD)).toBe(403);
    // That sign-in mailed the link again.
    expect((await verify(person.confirmation)).json).toMatchObject(invalidToken);
    expect((await verify(tokenIn((await queuedMails(person.email)).at(-1)))).status).toBe(204);
    expect(await signInStatus(person.email, PASSWORD)).toBe(200);
  });

  it('is not done by the registration link, which only verifies the address', async () => {
    const person = await unconfirmedPerson();
    expect((await verify(await registrationToken(person))).status).toBe(204);
    expect(await isConfirmed(person)).toBe(false);
    expect(await signInStatus(person.email, PASSWORD)).toBe(403);
    expect((await preview(person.confirmation)).status).toBe(400);
  });

  it('is not done for a later password: replacing a password ends its link', async () => {
    const [byReset, byChange] = [await unconfirmedPerson(), await unconfirmedPerson()];
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
    const [person, other] = [await registerPerson(), await registerPerson()];
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
