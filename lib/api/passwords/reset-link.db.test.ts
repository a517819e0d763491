import { describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { mailedResetToken, NEW_PASSWORD, openLinks, reset, signInStatus } from '@/tests/fixtures/passwords';
import { PASSWORD, registerPerson } from '@/tests/fixtures/people';

useDatabase();
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
    const [first, second] = [await mailedResetToken(person.email), await mailedResetToken(person.email)];
    // As if the first had not been superseded.
    await database().query('UPDATE user_tokens SET used_at = NULL WHERE user_id = $1', [person.userId]);
    expect((await reset(second)).status).toBe(204);
    expect((await reset(first)).json).toMatchObject(invalidToken);
    expect(await openLinks(person.userId)).toEqual([]);
  });

  it('ends after 30 minutes', async () => {
    const person = await registerPerson();
    const token = await mailedResetToken(person.email);
    const age = (interval: string) =>
      database().query(
        `UPDATE user_tokens SET expires_at = expires_at - $2::interval WHERE user_id = $1 AND purpose = 'RESET_PASSWORD'`,
        [person.userId, interval],
      );
    await age('30 minutes');
    expect((await reset(token)).json).toMatchObject(invalidToken);
    await age('-1 minute');
    expect((await reset(token)).status).toBe(204);
  });

  it('stays valid after a refused password, and the error names the field', async () => {
    const { email } = await registerPerson();
    const token = await mailedResetToken(email);
    for (const weak of ['short', 'Password123', 'p'.repeat(73), email, ' '.repeat(10)]) {
      const response = await reset(token, weak);
      expect(response.json).toMatchObject({ code: 'validation_failed', errors: [{ path: 'password' }] });
    }
    expect(await signInStatus(email, PASSWORD)).toBe(200);
    expect((await reset(token)).status).toBe(204);
  });

  it('is checked before the password', async () => {
    expect((await reset('made-up', 'short')).json).toMatchObject(invalidToken);
  });
});
