import { expect, it } from 'vitest';
import { isFamiliar, noteFailedSignIn } from '@/lib/platform/familiar-networks';
import { setOnce } from '@/lib/platform/globals';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { PASSWORD, registerPerson } from '@/tests/fixtures/people';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';
import { readFamiliarNetworks } from './read-familiar-networks';

useDatabase();

const signIn = (email: string, password: string) =>
  call('POST', '/api/v1/auth/login', { body: { email, password } }).then(({ status }) => status);

it('a network is familiar once somebody has signed in there, and not by registering or by guessing', async () => {
  const person = await registerPerson();
  expect(await signIn(person.email, 'wrong password')).toBe(401);
  expect(isFamiliar(TEST_ADDRESS)).toBe(false);
  expect(await signIn(person.email, PASSWORD)).toBe(200);
  expect(isFamiliar(TEST_ADDRESS)).toBe(true);
  for (let guess = 0; guess < 5; guess += 1) expect(await signIn(`${guess}${person.email}`, PASSWORD)).toBe(401);
  expect(isFamiliar(TEST_ADDRESS)).toBe(false);
  expect(await signIn(person.email, PASSWORD)).toBe(200);
  expect(isFamiliar(TEST_ADDRESS)).toBe(true);
});

it('a process learns the networks of sessions from the database, of people who have been here for an hour', async () => {
  const [old, fresh] = [await registerPerson(), await registerPerson()];
  await run(`UPDATE sessions SET ip_address = '192.0.2.10' WHERE user_id = $1`, old.userId);
  await run(`UPDATE sessions SET ip_address = '192.0.2.20' WHERE user_id = $1`, fresh.userId);
  await run(`UPDATE users SET created_at = now() - interval '2 hours' WHERE id = $1`, old.userId);
  setOnce('familiar-networks', undefined);
  await readFamiliarNetworks();
  expect([isFamiliar('192.0.2.10'), isFamiliar('192.0.2.20')]).toEqual([true, false]);
  for (let failures = 0; failures < 5; failures += 1) noteFailedSignIn('192.0.2.10');
  await readFamiliarNetworks();
  expect(isFamiliar('192.0.2.10')).toBe(false);
});
