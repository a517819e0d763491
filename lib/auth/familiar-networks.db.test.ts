import { expect, it, vi } from 'vitest';
import { isFamiliar, noteFailedSignIn } from '@/lib/platform/familiar-networks';
import { setOnce } from '@/lib/platform/globals';
import { Yielder } from '@/lib/platform/yielder';
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

it('lets other work run while it reads many networks', async () => {
  const { userId } = await registerPerson();
  await run(`UPDATE users SET created_at = now() - interval '2 hours' WHERE id = $1`, userId);
  await run(
    `INSERT INTO sessions (id, user_id, method, ip_address, expires_at)
     SELECT gen_random_uuid(), $1, 'PASSWORD', '2001:db8:' || to_hex(n) || '::1', now() FROM generate_series(1, 1000) n`,
    userId,
  );
  setOnce('familiar-networks', undefined);
  const yielded = vi.spyOn(Yielder.prototype, 'yield');
  await readFamiliarNetworks();
  expect(yielded.mock.calls.length).toBeGreaterThanOrEqual(10);
  yielded.mockRestore();
  expect([isFamiliar('2001:db8:1::/48'), isFamiliar('2001:db8:3e8::/48')]).toEqual([true, true]);
});
