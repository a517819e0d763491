import { expect, it } from 'vitest';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { registerPerson } from '@/tests/fixtures/people';
import { consumeUserToken, endUserTokens, issueUserToken, readUserToken } from './user-token';

useDatabase();

const issue = (userId: string) => inSqlTransaction((tx) => issueUserToken(tx, userId, 'RESET_PASSWORD', 60));
const use = async (token: string) =>
  (await inSqlTransaction((tx) => consumeUserToken(tx, token, ['RESET_PASSWORD']))).userId;
const read = (token: string) => readUserToken(database(), token, ['RESET_PASSWORD']);
const invalid = { code: 'invalid_token' };

it('keeps one token valid when several are issued at once', async () => {
  const { userId } = await registerPerson();
  const tokens = await Promise.all(Array.from({ length: 8 }, () => issue(userId)));
  const uses = await Promise.allSettled(tokens.map(use));
  expect(uses.filter(({ status }) => status === 'fulfilled')).toEqual([{ status: 'fulfilled', value: userId }]);
});

it('ends only tokens of the same purpose and person when a new one is issued', async () => {
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

it('keeps a token valid when its use is rolled back', async () => {
  const { userId } = await registerPerson();
  const token = await issue(userId);
  const refused = inSqlTransaction(async (tx) => {
    await consumeUserToken(tx, token, ['RESET_PASSWORD']);
    throw new Error('the new password is refused');
  });
  await expect(refused).rejects.toThrow('refused');
  await expect(use(token)).resolves.toBe(userId);
});

it('returns the person of a token without consuming it', async () => {
  const { userId, email } = await registerPerson();
  const token = await issue(userId);
  await expect(read(token)).resolves.toEqual({ userId, email, purpose: 'RESET_PASSWORD' });
  await expect(use(token)).resolves.toBe(userId);
  await expect(read(token)).rejects.toMatchObject(invalid);
});

it('accepts a token for its own purpose only', async () => {
  const { userId } = await registerPerson();
  const token = await issue(userId);
  const otherwise = ['VERIFY_EMAIL', 'CONFIRM_PASSWORD'] as const;
  await expect(readUserToken(database(), token, otherwise)).rejects.toMatchObject(invalid);
  await expect(inSqlTransaction((tx) => consumeUserToken(tx, token, otherwise))).rejects.toMatchObject(invalid);
  await expect(use(token)).resolves.toBe(userId);
});

it('refuses a token that is expired, superseded or of an erased account', async () => {
  const people = await Promise.all([registerPerson(), registerPerson(), registerPerson(), registerPerson()]);
  const [erased = '', expired = '', ended = '', good = ''] = people.map(({ userId }) => userId);
  const tokens = await Promise.all([erased, expired, ended].map(issue));
  const token = await issue(good);
  await database().query('UPDATE users SET erased_at = now() WHERE id = $1', [erased]);
  await database().query('UPDATE user_tokens SET expires_at = now() WHERE user_id = $1', [expired]);
  await endUserTokens(database(), ended, ['RESET_PASSWORD', 'CONFIRM_PASSWORD']);
  for (const bad of [...tokens, 'unknown']) {
    await expect(read(bad)).rejects.toMatchObject(invalid);
    await expect(use(bad)).rejects.toMatchObject(invalid);
  }
  await expect(use(token)).resolves.toBe(good);
});
