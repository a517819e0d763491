import { describe, expect, it } from 'vitest';
import type { Me } from '@/lib/auth/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import { isSignedIn, mailedResetToken, NEW_PASSWORD, reset, signInStatus } from '@/tests/fixtures/passwords';
import { PASSWORD, registerPerson, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase();
const actionsOf = async (person: TestPerson) => (await auditOf(person.userId)).map(({ action }) => action);

describe('resetting the password', () => {
  it('replaces it: the new password signs in, the old one does not', async () => {
    const { email } = await registerPerson();
    const response = await reset(await mailedResetToken(email));
    expect(response).toMatchObject({ status: 204, text: '', cookies: [] });
    expect(await signInStatus(email, PASSWORD)).toBe(401);
    expect(await signInStatus(email, NEW_PASSWORD)).toBe(200);
  });

  it('closes and audits every session of that person only', async () => {
    const [person, other] = [await registerPerson(), await registerPerson()];
    const again = await signInAgain(person);
    await reset(await mailedResetToken(person.email));
    expect(await isSignedIn(person)).toBe(false);
    expect(await isSignedIn(again)).toBe(false);
    expect(await isSignedIn(other)).toBe(true);
    const { rows } = await database().query(
      `SELECT 1 FROM audit_log a JOIN sessions s ON s.id = a.target_id
       WHERE a.action = 'session.closed' AND s.user_id = $1 AND a.actor_id = $1 AND a.ip_address = $2`,
      [person.userId, TEST_ADDRESS],
    );
    expect(rows).toHaveLength(2);
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

  it('verifies the address, since the link was mailed to it', async () => {
    const person = await registerPerson();
    await reset(await mailedResetToken(person.email));
    await database().query('UPDATE sessions SET closed_at = NULL WHERE user_id = $1', [person.userId]);
    const me = await call<Me>('GET', '/api/v1/auth/me', { bearer: person.accessToken });
    expect(me.json.user.emailVerified).toBe(true);
    expect(await actionsOf(person)).toEqual(['account.registered', 'account.password_reset', 'account.email_verified']);
  });

  it('sets the first password of an account without one', async () => {
    const person = await registerPerson();
    await database().query('UPDATE users SET password_hash = NULL, email_verified_at = created_at WHERE id = $1', [
      person.userId,
    ]);
    expect((await reset(await mailedResetToken(person.email))).status).toBe(204);
    expect(await actionsOf(person)).toEqual(['account.registered', 'account.password_added']);
    expect((await queuedMails(person.email)).at(-1)?.subject).toBe('A password was added to your account');
    expect(await signInStatus(person.email, NEW_PASSWORD)).toBe(200);
    expect((await signInAgain(person, NEW_PASSWORD)).userId).toBe(person.userId);
  });

  it('mails a notice with the time and the IP address, and without a token or a secret', async () => {
    const person = await registerPerson();
    const token = await mailedResetToken(person.email);
    await reset(token);
    const mail = (await queuedMails(person.email)).at(-1);
    expect(mail?.subject).toBe('Your password was reset');
    expect(mail?.text).toContain(TEST_ADDRESS);
    expect(mail?.text).toMatch(/When: \d{1,2} \w+ \d{4}, \d\d:\d\d:\d\d UTC/);
    expect(tokenIn(mail)).toBe('');
    for (const secret of [token, NEW_PASSWORD, PASSWORD]) expect(mail?.text).not.toContain(secret);
  });

  it('keeps the address and secrets out of the audit log', async () => {
    const person = await registerPerson();
    const token = await mailedResetToken(person.email);
    await reset(token);
    const { rows } = await database().query('SELECT a::text AS entry FROM audit_log a WHERE actor_id = $1', [
      person.userId,
    ]);
    expect(rows.length).toBeGreaterThan(3);
    for (const secret of [person.email, token, NEW_PASSWORD]) expect(JSON.stringify(rows)).not.toContain(secret);
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
      const { rows } = await database().query('SELECT 1 FROM sessions WHERE user_id = $1 AND closed_at IS NULL', [
        userId,
      ]);
      expect(rows).toEqual([]);
    }
  });

  it('never deadlocks with requests for new links', async () => {
    const { email } = await registerPerson();
    const token = await mailedResetToken(email);
    const [response] = await Promise.all([reset(token), mailedResetToken(email), mailedResetToken(email)]);
    expect([204, 400]).toContain(response.status);
  });
});
