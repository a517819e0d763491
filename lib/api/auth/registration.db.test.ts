import { afterEach, beforeEach, expect, it } from 'vitest';
import { whoMayRegister } from '@/lib/auth/registration';
import type { Registration } from '@/lib/auth/registration-policy';
import { signInWithIdp } from '@/lib/idp/sign-in-with-idp';
import type { IdpFailure } from '@/lib/idp/types';
import { systemClock } from '@/lib/platform/clock';
import { newId } from '@/lib/platform/ids';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { invitationToken, invite } from '@/tests/fixtures/members';
import { freshEmail, PASSWORD, registerPerson, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';
import { setTestConfig } from '@/tests/setup/variables';

const KEYS = { AUTH_SECRET: 'k'.repeat(64), ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
const db = useDatabase(KEYS);
const allow = (registration: Registration) =>
  setTestConfig({ DATABASE_URL: db.url, ...KEYS, REGISTRATION: registration });

let owner: TestPerson;
beforeEach(async () => {
  owner = await registerPerson();
});
afterEach(() => allow('open'));

const register = async (email: string, invitation?: string) => {
  const body = { email, password: PASSWORD, ...(invitation === undefined ? {} : { invitationToken: invitation }) };
  const { status, json } = await call<{ code?: string }>('POST', '/api/v1/auth/register', { body });
  return json.code ?? status;
};
/** Signs in with a provider for the first time. @returns why it is refused, null when it is not */
const enter = async (email: string): Promise<IdpFailure | null> => {
  const caller = { type: 'anonymous', client: { ipAddress: TEST_ADDRESS, userAgent: 'test' } } as const;
  const person = {
    issuer: 'https://idp.example.com',
    subject: newId(),
    verifiedEmail: email,
    name: null,
    hostedDomain: null,
  };
  const outcome = await signInWithIdp(caller, { person, returnTo: '/' }, systemClock);
  return typeof outcome === 'string' ? outcome : null;
};
const invited = async () => {
  const email = freshEmail();
  await invite(owner, owner.organizationId, email);
  return { email, token: await invitationToken(email) };
};
const accounts = async () => (await select('SELECT email FROM users')).length;

it('invited: an account needs an invitation to its address, with a password and with a provider', async () => {
  const [first, second, other] = [await invited(), await invited(), freshEmail()];
  allow('invited');
  const before = await accounts();
  expect(await register(other)).toBe('registration_closed');
  expect(await register(other, first.token)).toBe('registration_closed');
  expect(await register(first.email)).toBe('registration_closed');
  expect(await enter(other)).toBe('registration_closed');
  // An address with an account looks like any other.
  expect(await register(owner.email)).toBe('registration_closed');
  expect(await accounts()).toBe(before);
  expect(await register(first.email, first.token)).toBe(201);
  expect(await enter(second.email)).toBeNull();
});

it('closed: nobody gets an account, also with an invitation, and everybody who has one signs in', async () => {
  const { email, token } = await invited();
  allow('closed');
  expect(await register(email, token)).toBe('registration_closed');
  expect(await enter(email)).toBe('registration_closed');
  expect((await signInAgain(owner)).userId).toBe(owner.userId);
  expect(await enter(owner.email)).toBeNull();
});

it.each(['invited', 'closed'] as const)('%s: the first person registers, one of twenty at once', async (mode) => {
  await run('UPDATE users SET erased_at = now()');
  allow(mode);
  expect(await whoMayRegister()).toBe('open');
  const results = await Promise.all(Array.from({ length: 20 }, () => register(freshEmail())));
  expect(results.filter((result) => result === 201)).toHaveLength(1);
  expect(results.filter((result) => result === 'registration_closed')).toHaveLength(19);
  expect(await whoMayRegister()).toBe(mode);
});
