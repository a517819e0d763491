import { describe, expect, it } from 'vitest';
import { settleBackground } from '@/lib/platform/background';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import { freshEmail, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { useAdapters } from '@/tests/http/adapters';
import { type Call, call, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase();

const forgot = (email: unknown, headers: Record<string, string> = {}, over: Call = call) =>
  over('POST', '/api/v1/auth/forgot-password', { body: { email }, headers });

/** The reset mails to an address, after all of them are queued. */
async function resetMails(email: string) {
  await settleBackground();
  return (await queuedMails(email)).filter(({ text }) => text.includes('/reset-password?token='));
}

async function erase(person: TestPerson): Promise<void> {
  await database().query('UPDATE users SET erased_at = now() WHERE id = $1', [person.userId]);
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
    const [known, erased, unknown] = [await registerPerson(), await registerPerson(), freshEmail()];
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
    const links = () =>
      database().query(`SELECT 1 FROM user_tokens WHERE user_id = $1 AND purpose = 'RESET_PASSWORD'`, [userId]);
    await forgot(email);
    expect((await links()).rowCount).toBe(0);
    await settleBackground();
    expect((await links()).rowCount).toBe(1);
  });

  it('offers to add a password to an account without one', async () => {
    const person = await registerPerson();
    await database().query('UPDATE users SET password_hash = NULL WHERE id = $1', [person.userId]);
    await forgot(person.email);
    const mails = await resetMails(person.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Add a password to your account']);
    expect(tokenIn(mails[0])).toHaveLength(43);
  });

  it('mails a link that works for 30 minutes, and stores no part of it in plain text', async () => {
    const { userId, email } = await registerPerson();
    await forgot(email);
    const token = tokenIn((await resetMails(email))[0]);
    const { rows } = await database().query(
      `SELECT round(extract(epoch FROM expires_at - created_at))::int AS seconds, t::text AS stored
       FROM user_tokens t WHERE user_id = $1 AND purpose = 'RESET_PASSWORD'`,
      [userId],
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

describe('five links an hour per address', () => {
  it('are mailed when twenty are requested at once, and no response reveals it', async () => {
    const [{ email }, other] = [await registerPerson(), await registerPerson()];
    const responses = await Promise.all(Array.from({ length: 20 }, () => forgot(email)));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(202));
    expect(await resetMails(email)).toHaveLength(5);
    await forgot(other.email);
    expect(await resetMails(other.email)).toHaveLength(1);
  });

  it('only leave the newest one valid', async () => {
    const { userId, email } = await registerPerson();
    await Promise.all(Array.from({ length: 5 }, () => forgot(email)));
    await settleBackground();
    const { rowCount } = await database().query(
      `SELECT 1 FROM user_tokens WHERE user_id = $1 AND purpose = 'RESET_PASSWORD' AND used_at IS NULL`,
      [userId],
    );
    expect(rowCount).toBe(1);
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
