import { describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import { PASSWORD, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { passTime, tryLogin } from '@/tests/fixtures/sign-in-limits';

useDatabase();

/** A person whose password somebody else may have set before the address was verified (account pre-hijacking). */
async function registerUnconfirmed(): Promise<TestPerson> {
  const person = await registerPerson();
  await database().query('UPDATE users SET password_confirmed = false WHERE id = $1', [person.userId]);
  return person;
}

const confirmationsTo = async (email: string) =>
  (await queuedMails(email)).filter(({ subject }) => subject === 'Confirm your password');

async function countSessions(userId: string): Promise<number> {
  const { rows } = await database().query('SELECT count(*)::int AS count FROM sessions WHERE user_id = $1', [userId]);
  return rows[0].count;
}

describe('an unconfirmed password', () => {
  it('gets 403 although it is right, opens no session, and mails the link again', async () => {
    const { email, userId } = await registerUnconfirmed();
    const response = await tryLogin(email, PASSWORD);
    expect(response.json).toMatchObject({ status: 403, code: 'password_unconfirmed' });
    expect(response.cookies).toEqual([]);
    expect(await countSessions(userId)).toBe(1);
    const mails = await confirmationsTo(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(`/verify-email?token=${tokenIn(mails[0])}`);
  });

  it('gets the ordinary 401 when it is wrong, and mails nothing', async () => {
    const { email } = await registerUnconfirmed();
    const response = await tryLogin(email, 'a wrong password');
    expect(response.json).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(await confirmationsTo(email)).toEqual([]);
  });

  it('does not count as a failure', async () => {
    const { email } = await registerUnconfirmed();
    for (let tries = 0; tries < 8; tries++) expect((await tryLogin(email, PASSWORD)).status).toBe(403);
  });

  it('is refused like any other while the address is locked', async () => {
    const { email } = await registerUnconfirmed();
    for (let tries = 0; tries < 5; tries++) await tryLogin(email, 'a wrong password');
    expect((await tryLogin(email, PASSWORD)).status).toBe(423);
    expect(await confirmationsTo(email)).toEqual([]);
  });

  it('mails at most five links an hour, however often it is used', async () => {
    const { email } = await registerUnconfirmed();
    for (let tries = 0; tries < 8; tries++) await tryLogin(email, PASSWORD);
    expect(await confirmationsTo(email)).toHaveLength(5);
    await passTime(60 * 60);
    await tryLogin(email, PASSWORD);
    expect(await confirmationsTo(email)).toHaveLength(6);
  });
});
