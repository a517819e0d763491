import { expect, it } from 'vitest';
import { database, inTransaction } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database';
import { registerPerson } from '@/tests/people';
import { issueUserToken, useUserToken } from './user-token';

useDatabase();

const issue = (userId: string) => inTransaction((tx) => issueUserToken(tx, userId, 'RESET_PASSWORD', 60));
const use = (token: string) => inTransaction((tx) => useUserToken(tx, token, 'RESET_PASSWORD'));

it('of tokens made at once one is good', async () => {
  const { userId } = await registerPerson();
  const tokens = await Promise.all(Array.from({ length: 8 }, () => issue(userId)));
  const uses = await Promise.allSettled(tokens.map(use));
  expect(uses.filter(({ status }) => status === 'fulfilled')).toEqual([{ status: 'fulfilled', value: userId }]);
});

it('a new token ends those of its purpose alone, and of its person alone', async () => {
  const [person, other] = [await registerPerson(), await registerPerson()];
  const [first, ofOther] = [await issue(person.userId), await issue(other.userId)];
  await issue(person.userId);
  await expect(use(first)).rejects.toMatchObject({ code: 'invalid_token' });
  await expect(use(ofOther)).resolves.toBe(other.userId);
  const { rows } = await database().query(
    `SELECT used_at FROM user_tokens WHERE user_id = $1 AND purpose = 'VERIFY_EMAIL'`,
    [person.userId],
  );
  expect(rows).toEqual([{ used_at: null }]);
});

it('a use that is rolled back leaves the token good', async () => {
  const { userId } = await registerPerson();
  const token = await issue(userId);
  const refused = inTransaction(async (tx) => {
    await useUserToken(tx, token, 'RESET_PASSWORD');
    throw new Error('the new password is refused');
  });
  await expect(refused).rejects.toThrow('refused');
  await expect(use(token)).resolves.toBe(userId);
});
