import { describe, expect, it } from 'vitest';
import { attemptsOn } from '@/lib/auth/check-password';
import type { Me } from '@/lib/auth/schema';
import { settleBackground } from '@/lib/platform/background';
import { storedRateLimitKey } from '@/lib/platform/count-in-transaction';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import { isSignedIn, mailedResetToken, NEW_PASSWORD, openLinks, reset, signInStatus } from '@/tests/fixtures/passwords';
import { asPerson, freshEmail, PASSWORD, registerPerson, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { passTime } from '@/tests/fixtures/sign-in-limits';
import { useAdapters } from '@/tests/http/adapters';
import { type Call, call, expectInvalid, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase();

const forgot = (email: unknown, headers: Record<string, string> = {}, over: Call = call) =>
  over('POST', '/api/v1/auth/forgot-password', { body: { email }, headers });

/** The reset mails to an address, after all of them are queued. */
async function resetMails(email: string) {
  await settleBackground();
  return (await queuedMails(email)).filter(({ text }) => text.includes('/reset-password?token='));
}

async function erase(person: TestPerson): Promise<void> {
  await run('UPDATE users SET erased_at = now() WHERE id = $1', person.userId);
}

describe('requesting a reset link', () => {
  it('mails a link to the address of an account, for any spelling', async () => {
    const { email } = await registerPerson();
    expect((await forgot(` ${email.toUpperCase()} `)).status).toBe(202);
    const mails = await resetMails(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe('Reset your password');
    expect(mails[0]?.text).toContain(`http://localhost:3000/reset-password?token=${tokenIn(mails[0])}`);
    expect(tokenIn(mails[0])).toHaveLength(43);
  });

  it('gets the same response for a known, an unknown and an erased address, and mails only the known one', async () => {
    const known = await registerPerson();
    const erased = await registerPerson();
    const unknown = freshEmail();
    await erase(erased);
    const responses = await Promise.all([known.email, erased.email, unknown].map((email) => forgot(email)));
    for (const { status, text, headers, cookies } of responses) {
      // The remaining requests of the client's own IP address decrease.
      const { 'x-request-id': _id, ratelimit: _left, ...rest } = headers;
      const { 'x-request-id': _first, ratelimit: _leftAtFirst, ...restOfFirst } = responses[0]?.headers ?? {};
      expect({ status, text, cookies, rest }).toEqual({ status: 202, text: '', cookies: [], rest: restOfFirst });
    }
    expect(await resetMails(known.email)).toHaveLength(1);
    expect(await resetMails(erased.email)).toEqual([]);
    expect(await resetMails(unknown)).toEqual([]);
  });

  it('looks up the account after the response, so that its time reveals nothing', async () => {
    const { userId, email } = await registerPerson();
    const links = () => run(`SELECT 1 FROM user_tokens WHERE user_id = $1 AND purpose = 'RESET_PASSWORD'`, userId);
    await forgot(email);
    expect((await links()).rowCount).toBe(0);
    await settleBackground();
    expect((await links()).rowCount).toBe(1);
  });

  it('offers to add a password to an account without one', async () => {
    const person = await registerPerson();
    await run('UPDATE users SET password_hash = NULL WHERE id = $1', person.userId);
    await forgot(person.email);
    const mails = await resetMails(person.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Add a password to your account']);
    expect(tokenIn(mails[0])).toHaveLength(43);
  });

  it('mails a link that works for 30 minutes, and stores no part of it in plain text', async () => {
    const { userId, email } = await registerPerson();
    await forgot(email);
    const token = tokenIn((await resetMails(email))[0]);
    const rows = await select(
      `SELECT round(extract(epoch FROM expires_at - created_at))::int AS seconds, t::text AS stored
       FROM user_tokens t WHERE user_id = $1 AND purpose = 'RESET_PASSWORD'`,
      userId,
    );
    expect(rows).toMatchObject([{ seconds: 1800 }]);
    expect(rows[0].stored).not.toContain(token);
    expect(rows[0].stored).not.toContain(Buffer.from(token).toString('hex'));
  });

  it('mails where the request came from, without any text of the requester', async () => {
    const { email } = await registerPerson();
    await forgot(email, { 'user-agent': 'https://evil.example/ call us' });
    const [mail] = await resetMails(email);
    expect(mail?.text).toContain(TEST_ADDRESS);
    expect(mail?.text + (mail?.html ?? '')).not.toContain('evil');
  });
});

describe('five links in 30 minutes per address', () => {
  it('are mailed when twenty are requested at once, and no response reveals it', async () => {
    const [{ email }, other] = [await registerPerson(), await registerPerson()];
    const responses = await Promise.all(Array.from({ length: 20 }, () => forgot(email)));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(202));
    expect(await resetMails(email)).toHaveLength(5);
    await forgot(other.email);
    expect(await resetMails(other.email)).toHaveLength(1);
  });

  it('are mailed again after 30 minutes, and not before', async () => {
    const { email } = await registerPerson();
    for (let asked = 0; asked < 6; asked += 1) await forgot(email);
    await passTime(29 * 60);
    await forgot(email);
    expect(await resetMails(email)).toHaveLength(5);
    await passTime(60);
    for (let asked = 0; asked < 6; asked += 1) await forgot(email);
    expect(await resetMails(email)).toHaveLength(10);
  });
});

describe.each(useAdapters())('%s', (_name, over) => {
  it('the link uses APP_BASE_URL, whatever host the request names', async () => {
    const { email } = await registerPerson();
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    expect((await forgot(email, { ...headers, origin: 'https://evil.example' }, over)).status).toBe(202);
    const [mail] = await resetMails(email);
    expect(mail?.text).toContain(`http://localhost:3000/reset-password?token=${tokenIn(mail)}`);
    expect(mail?.text + (mail?.html ?? '')).not.toContain('evil');
  });
});

const invalidToken = { status: 400, code: 'invalid_token' };

describe('a reset link', () => {
  it('succeeds once when ten requests use it at once, and stores that password', async () => {
    const { email } = await registerPerson();
    const token = await mailedResetToken(email);
    const passwords = Array.from({ length: 10 }, (_, index) => `${NEW_PASSWORD} ${index}`);
    const responses = await Promise.all(passwords.map((password) => reset(token, password)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, ...Array(9).fill(400)]);
    const winner = responses.findIndex(({ status }) => status === 204);
    const signIns = await Promise.all(
      passwords.filter((_, index) => Math.abs(index - winner) <= 1).map((password) => signInStatus(email, password)),
    );
    expect(signIns.filter((status) => status === 200)).toHaveLength(1);
    expect(await signInStatus(email, passwords[winner] ?? '')).toBe(200);
  });

  it('ends, like every earlier one, when the password is reset', async () => {
    const person = await registerPerson();
    const first = await mailedResetToken(person.email);
    const second = await mailedResetToken(person.email);
    // As if the first had not been superseded.
    await run('UPDATE user_tokens SET used_at = NULL WHERE user_id = $1', person.userId);
    expect((await reset(second)).status).toBe(204);
    expect((await reset(first)).json).toMatchObject(invalidToken);
    expect(await openLinks(person.userId)).toEqual([]);
  });

  it('stays valid after a refused password, and the error names the field', async () => {
    const { email } = await registerPerson();
    const token = await mailedResetToken(email);
    for (const weak of ['short', 'Password123', 'p'.repeat(73), email, ' '.repeat(10)]) {
      expectInvalid(await reset(token, weak), 'password');
    }
    expect(await signInStatus(email, PASSWORD)).toBe(200);
    expect((await reset(token)).status).toBe(204);
  });

  it('is checked before the password', async () => {
    expect((await reset('made-up', 'short')).json).toMatchObject(invalidToken);
  });
});

const actionsOf = async (person: TestPerson) => (await auditOf(person.userId)).map(({ action }) => action);

describe('resetting the password', () => {
  it('replaces it: the new password signs in, the old one does not', async () => {
    const { email } = await registerPerson();
    expect(await reset(await mailedResetToken(email))).toMatchObject({ status: 204, text: '', cookies: [] });
    expect(await signInStatus(email, PASSWORD)).toBe(401);
    expect(await signInStatus(email, NEW_PASSWORD)).toBe(200);
  });

  it('closes and audits every session of that person only', async () => {
    const person = await registerPerson();
    const other = await registerPerson();
    const again = await signInAgain(person);
    await reset(await mailedResetToken(person.email));
    expect(await isSignedIn(person)).toBe(false);
    expect(await isSignedIn(again)).toBe(false);
    expect(await isSignedIn(other)).toBe(true);
    const rows = await select(
      `SELECT 1 FROM audit_log a JOIN sessions s ON s.id = a.target_id
       WHERE a.action = 'session.closed' AND s.user_id = $1 AND a.actor_id = $1 AND a.ip_address = $2`,
      person.userId,
      TEST_ADDRESS,
    );
    expect(rows).toHaveLength(2);
    expect((await queuedMails(person.email)).at(-1)?.subject).toBe('Your password was reset');
  });

  it('ends a lockout immediately and clears the count', async () => {
    const { email } = await registerPerson();
    const token = await mailedResetToken(email);
    for (let failure = 0; failure < 5; failure++) expect(await signInStatus(email, 'a wrong guess')).toBe(401);
    expect(await signInStatus(email, PASSWORD)).toBe(423);
    expect((await reset(token)).status).toBe(204);
    for (let failure = 0; failure < 4; failure++) expect(await signInStatus(email, 'a wrong guess')).toBe(401);
    expect(await signInStatus(email, NEW_PASSWORD)).toBe(200);
  });

  it('lets the person sign in although somebody has used up the sign-ins of the minute', async () => {
    const { email } = await registerPerson();
    const token = await mailedResetToken(email);
    expect(await signInStatus(email, 'a wrong guess')).toBe(401);
    await run('UPDATE rate_limits SET points = 1000000 WHERE key = $1', storedRateLimitKey(attemptsOn(email)));
    expect(await signInStatus(email, PASSWORD)).toBe(429);
    expect((await reset(token)).status).toBe(204);
    expect(await signInStatus(email, NEW_PASSWORD)).toBe(200);
  });

  it('verifies the address, since the link was mailed to it', async () => {
    const person = await registerPerson();
    await reset(await mailedResetToken(person.email));
    await run('UPDATE sessions SET closed_at = NULL WHERE user_id = $1', person.userId);
    expect((await call<Me>('GET', '/api/v1/auth/me', asPerson(person))).json.user.emailVerified).toBe(true);
    expect(await actionsOf(person)).toEqual(['account.registered', 'account.password_reset', 'account.email_verified']);
  });

  it('sets the first password of an account without one', async () => {
    const person = await registerPerson();
    await run('UPDATE users SET password_hash = NULL, email_verified_at = created_at WHERE id = $1', person.userId);
    expect((await reset(await mailedResetToken(person.email))).status).toBe(204);
    expect(await actionsOf(person)).toEqual(['account.registered', 'account.password_added']);
    expect((await queuedMails(person.email)).at(-1)?.subject).toBe('A password was added to your account');
    expect(await signInStatus(person.email, NEW_PASSWORD)).toBe(200);
    expect((await signInAgain(person, NEW_PASSWORD)).userId).toBe(person.userId);
  });
});

describe('a reset', () => {
  it('closes the sessions of concurrent sign-ins with the old password', async () => {
    for (let round = 0; round < 5; round++) {
      const { userId, email } = await registerPerson();
      const token = await mailedResetToken(email);
      const signIns = Array.from({ length: 6 }, () => signInStatus(email, PASSWORD));
      const [response] = await Promise.all([reset(token), ...signIns]);
      expect(response.status).toBe(204);
      expect(await select('SELECT 1 FROM sessions WHERE user_id = $1 AND closed_at IS NULL', userId)).toEqual([]);
    }
  });

  it('never deadlocks with requests for new links', async () => {
    const { email } = await registerPerson();
    const token = await mailedResetToken(email);
    const [response] = await Promise.all([reset(token), mailedResetToken(email), mailedResetToken(email)]);
    expect([204, 400]).toContain(response.status);
  });
});
