import { expect, it } from 'vitest';
import type { SignedIn } from '@/lib/auth/schema';
import { setOnce } from '@/lib/platform/globals';
import { useDatabase } from '@/tests/database/use-database';
import { registerPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import { setTestConfig } from '@/tests/setup/variables';

const ENCRYPTION_KEY = Buffer.alloc(32, 1).toString('base64');
const [OLD, NEW] = ['o'.repeat(40), 'n'.repeat(40)];
const db = useDatabase({ ENCRYPTION_KEY, AUTH_SECRET: OLD });

/** Simulates a restart with these secrets. */
function restartWith(AUTH_SECRET: string): void {
  setTestConfig({ DATABASE_URL: db.url, ENCRYPTION_KEY, AUTH_SECRET });
  setOnce('signing-keys', undefined);
}

const me = (bearer: string) => call('GET', '/api/v1/auth/me', { bearer });
const refresh = (refreshToken: string | undefined) =>
  call<SignedIn>('POST', '/api/v1/auth/refresh', { body: { refreshToken } });

it('adding a new first secret signs nobody out; removing the old one invalidates its access tokens, and a refresh replaces them', async () => {
  restartWith(OLD);
  const person = await registerPerson();

  restartWith(`${NEW},${OLD}`);
  expect((await me(person.accessToken)).status).toBe(200);
  const renewed = await refresh(person.refreshToken);
  expect((await me(renewed.json.accessToken)).status).toBe(200);

  restartWith(NEW);
  expect((await me(renewed.json.accessToken)).status).toBe(200);
  const refused = await me(person.accessToken);
  expect(refused.json).toMatchObject({ status: 401, code: 'unauthenticated' });
  const next = await refresh(renewed.json.refreshToken);
  expect(next.status).toBe(200);
  expect((await me(next.json.accessToken)).status).toBe(200);
});
