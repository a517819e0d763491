import { afterEach, describe, expect, it } from 'vitest';
import { database, type SqlTransaction } from '@/lib/platform/db';
import { untilLockWait } from '@/tests/database/lock-waits';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails } from '@/tests/fixtures/mails';
import { isSignedIn, mailedResetToken, NEW_PASSWORD, signInStatus } from '@/tests/fixtures/passwords';
import { PASSWORD, registerPerson, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { call, expectProblem, type Problem, TEST_ADDRESS, type TestResponse } from '@/tests/http/api-request';
import { setTestConfig } from '@/tests/setup/variables';

/** Kept through every change of the configuration, otherwise earlier tokens would not verify. */
const KEYS = { AUTH_SECRET: 'k'.repeat(64), ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };

const db = useDatabase(KEYS);
afterEach(() => {
  setTestConfig({ DATABASE_URL: db.url, ...KEYS });
});
const change = (person: TestPerson, currentPassword = PASSWORD, newPassword = NEW_PASSWORD) =>
  call('POST', '/api/v1/auth/change-password', {
    bearer: person.accessToken,
    body: { currentPassword, newPassword },
  });
const fault = (path: string) => ({ status: 400, code: 'validation_failed', errors: [{ path }] });

describe('changing the password', () => {
  it('replaces it: the new one signs in and the old one does not', async () => {
    const person = await registerPerson();
    expect(await change(person)).toMatchObject({ status: 204, text: '', cookies: [] });
    expect(await signInStatus(person.email, PASSWORD)).toBe(401);
    expect(await signInStatus(person.email, NEW_PASSWORD)).toBe(200);
  });

  it('closes and audits the other sessions, and keeps the current one', async () => {
    const person = await registerPerson();
    const other = await signInAgain(person);
    const third = await signInAgain(person);
    expect((await change(other)).status).toBe(204);
    expect(await isSignedIn(other)).toBe(true);
    expect(await isSignedIn(person)).toBe(false);
    expect(await isSignedIn(third)).toBe(false);
    const [entry] = (await auditOf(person.userId)).filter(({ action }) => action === 'account.password_changed');
    expect(entry).toMatchObject({ actor_id: person.userId, ip_address: TEST_ADDRESS, details: {} });
    const rows = await select(
      `SELECT 1 FROM audit_log WHERE action = 'session.closed' AND actor_id = $1`,
      person.userId,
    );
    expect(rows).toHaveLength(2);
    expect((await queuedMails(person.email)).at(-1)?.subject).toBe('Your password was changed');
  });

  it('ends open reset links, and needs no confirmation', async () => {
    const person = await registerPerson();
    const token = await mailedResetToken(person.email);
    await run('UPDATE users SET password_confirmed = false WHERE id = $1', person.userId);
    expect(await signInStatus(person.email, PASSWORD)).toBe(403);
    expect((await change(person)).status).toBe(204);
    const body = { token, password: 'yet another password' };
    expect((await call('POST', '/api/v1/auth/reset-password', { body })).json.code).toBe('invalid_token');
    expect(await signInStatus(person.email, NEW_PASSWORD)).toBe(200);
  });

  it('refuses a weak newPassword, names the field, and changes nothing', async () => {
    const person = await registerPerson();
    for (const weak of ['short', 'Password123', 'p'.repeat(73), person.email, 'aaaaaaaaaa']) {
      expect((await change(person, PASSWORD, weak)).json).toMatchObject(fault('newPassword'));
    }
    expect(await signInStatus(person.email, PASSWORD)).toBe(200);
  });

  it('tells a person without a password how to add one', async () => {
    const person = await registerPerson();
    await run('UPDATE users SET password_hash = NULL WHERE id = $1', person.userId);
    const response = await change(person);
    expect(response.json).toMatchObject(fault('currentPassword'));
    expect(response.json.detail).toContain('forgot-password');
  });
});

describe('a wrong current password', () => {
  it('is refused as currentPassword, and changes nothing', async () => {
    const person = await registerPerson();
    const other = await registerPerson();
    const again = await signInAgain(person);
    expect((await change(person, 'a wrong guess')).json).toMatchObject(fault('currentPassword'));
    expect(await signInStatus(person.email, PASSWORD)).toBe(200);
    expect(await isSignedIn(again)).toBe(true);
    expect((await change(other)).status).toBe(204);
  });

  it('counts like a failed sign-in: together they lock both', async () => {
    const person = await registerPerson();
    for (let failure = 0; failure < 3; failure++) expect((await change(person, 'a wrong guess')).status).toBe(400);
    for (let failure = 0; failure < 2; failure++) expect(await signInStatus(person.email, 'a wrong guess')).toBe(401);
    const locked = await change(person);
    expectProblem(locked, 423, 'account_locked');
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0);
    expect(await signInStatus(person.email, PASSWORD)).toBe(423);
  });

  it('counts for the rate limit of sign-ins', async () => {
    const person = await registerPerson();
    setTestConfig({ DATABASE_URL: db.url, ...KEYS, AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: '2' });
    const responses: TestResponse<Problem>[] = [];
    for (let attempt = 0; attempt < 3; attempt++) responses.push(await change(person, 'a wrong guess'));
    const last = responses.at(-1);
    expect(last?.json).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('two simultaneous changes', () => {
  it('by one session: one succeeds, and its password is stored', async () => {
    const person = await registerPerson();
    const passwords = [0, 1, 2, 3].map((index) => `${NEW_PASSWORD} ${index}`);
    const responses = await Promise.all(passwords.map((password) => change(person, PASSWORD, password)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 400, 400, 400]);
    const winner = responses.findIndex(({ status }) => status === 204);
    expect(await signInStatus(person.email, passwords[winner] ?? '')).toBe(200);
  });

  it('by two sessions: one succeeds, and the other session is closed', async () => {
    const person = await registerPerson();
    const other = await signInAgain(person);
    const statuses = (await Promise.all([change(person), change(other)])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.every((status) => [204, 400, 401].includes(status))).toBe(true);
    const open = await Promise.all([isSignedIn(person), isSignedIn(other)]);
    expect(open).toEqual(statuses.map((status) => status === 204));
  });

  it('with a reset: the reset password is stored, and every session is closed', async () => {
    for (let round = 0; round < 4; round++) {
      const person = await registerPerson();
      const body = { token: await mailedResetToken(person.email), password: 'from the mailbox' };
      const [reset, changed] = await Promise.all([
        call('POST', '/api/v1/auth/reset-password', { body }),
        change(person),
      ]);
      // A change that came first ended the link.
      expect([reset.status, changed.status]).toSatisfy(
        ([byLink, bySession]) => (byLink === 204 && bySession !== 204) || (byLink === 400 && bySession === 204),
      );
      const valid = reset.status === 204 ? body.password : NEW_PASSWORD;
      expect(await signInStatus(person.email, valid)).toBe(200);
      expect(await isSignedIn(person)).toBe(reset.status !== 204);
    }
  });
});

describe('a change while the account is', () => {
  /** Starts a change that waits for a row lock of another transaction, lets that commit, and returns the response. */
  async function changeBehind(person: TestPerson, work: (tx: SqlTransaction) => Promise<unknown>) {
    const tx = await database().connect();
    try {
      await tx.query('BEGIN');
      await tx.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [person.userId]);
      await work(tx);
      const response = change(person);
      await untilLockWait(response);
      await tx.query('COMMIT');
      return await response;
    } finally {
      tx.release();
    }
  }

  it('erased is refused, and stores nothing', async () => {
    const person = await registerPerson();
    const response = await changeBehind(person, (tx) =>
      tx.query('UPDATE users SET erased_at = now(), password_hash = NULL WHERE id = $1', [person.userId]),
    );
    expectProblem(response, 401, 'unauthenticated');
    const rows = await select('SELECT password_hash FROM users WHERE id = $1', person.userId);
    expect(rows).toEqual([{ password_hash: null }]);
  });

  it('linked to a provider is refused, since linking closes the session: the password stays unconfirmed', async () => {
    const person = await registerPerson();
    const response = await changeBehind(person, async (tx) => {
      await tx.query('UPDATE users SET password_confirmed = false WHERE id = $1', [person.userId]);
      await tx.query('UPDATE sessions SET closed_at = now() WHERE user_id = $1', [person.userId]);
    });
    expectProblem(response, 401, 'unauthenticated');
    expect(await signInStatus(person.email, PASSWORD)).toBe(403);
  });
});
