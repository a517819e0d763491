import { expect, it } from 'vitest';
import { settleBackground } from '@/lib/platform/background';
import { type Config, config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { useDatabase } from '@/tests/database/use-database';
import { approve, DEVICE, startDevice } from '@/tests/fixtures/device-codes';
import { queuedMails } from '@/tests/fixtures/mails';
import { freshEmail, PASSWORD, registerPerson } from '@/tests/fixtures/people';
import { passTime, tryLogin } from '@/tests/fixtures/sign-in-limits';
import { call } from '@/tests/http/api-request';

useDatabase();

const setVariables = (variables: Partial<Config>) => setOnce('config', { ...config(), ...variables });

const register = (email = freshEmail()) =>
  call('POST', '/api/v1/auth/register', { body: { email, password: PASSWORD } });
const forgot = (email: string) => call('POST', '/api/v1/auth/forgot-password', { body: { email } });

it('limits registrations per IP address, with Retry-After', async () => {
  setVariables({ AUTH_RATE_LIMIT_REGISTER_PER_MINUTE: 3 });
  for (const _ of [1, 2, 3]) expect((await register()).status).toBe(201);
  const refused = await register();
  expect(refused.json).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  await passTime(60);
  expect((await register()).status).toBe(201);
  setVariables({ AUTH_RATE_LIMIT_REGISTER_PER_MINUTE: 100_000 });
});

it('does not count requests refused for their IP address against the email address', async () => {
  setVariables({ AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: 4, AUTH_LOCKOUT_ENABLED: false });
  const victim = await registerPerson();
  for (let tries = 0; tries < 20; tries++)
    await tryLogin(tries < 4 ? freshEmail() : victim.email, 'a guess', '203.0.113.66');
  expect((await tryLogin(victim.email, PASSWORD, '203.0.113.67')).status).toBe(200);
  setVariables({ AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: 100_000, AUTH_LOCKOUT_ENABLED: true });
});

it('forgot-password gets 429 by IP address only, so that responses reveal nothing about an address', async () => {
  const { email } = await registerPerson();
  const responses = await Promise.all(Array.from({ length: 310 }, () => forgot(freshEmail())));
  await settleBackground();
  expect(responses.filter(({ status }) => status === 202)).toHaveLength(300);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(10);
  expect((await forgot(email)).json.code).toBe('rate_limited');
  await passTime(600);
  expect((await forgot(email)).status).toBe(202);
  await settleBackground();
  expect((await queuedMails(email)).filter(({ subject }) => /Reset/.test(subject))).toHaveLength(1);
});

it('mails ten verification links an hour to an address that is registered and erased repeatedly', async () => {
  const email = freshEmail();
  for (let round = 0; round < 12; round++) {
    const response = await call<{ accessToken: string }>('POST', '/api/v1/auth/register', {
      body: { email, password: PASSWORD },
    });
    expect(response.status).toBe(201);
    await database().query(`UPDATE outbox SET user_id = NULL WHERE kind = 'MAIL'`);
    expect((await call('DELETE', '/api/v1/auth/me', { bearer: response.json.accessToken })).status).toBe(204);
  }
  expect(await queuedMails(email)).toHaveLength(10);
});

it('mails at most twenty notices an hour to an address, whatever happens to its account', async () => {
  const person = await registerPerson();
  for (let round = 0; round < 23; round++)
    expect((await approve(person, (await startDevice()).userCode)).status).toBe(204);
  expect(await queuedMails(person.email)).toHaveLength(21);
});

it('denies the device codes that a stolen session approved when the theft is detected', async () => {
  const person = await registerPerson();
  const { userCode, deviceCode } = await startDevice();
  expect((await approve(person, userCode)).status).toBe(204);
  await call('POST', '/api/v1/auth/refresh', { body: { refreshToken: person.refreshToken } });
  await database().query(
    `UPDATE refresh_tokens SET spent_at = spent_at - interval '11 seconds' WHERE spent_at IS NOT NULL`,
  );
  await call('POST', '/api/v1/auth/refresh', { body: { refreshToken: person.refreshToken } });
  const poll = await call('POST', `${DEVICE}/token`, { body: { deviceCode } });
  expect(poll.json).toMatchObject({ status: 400, code: 'access_denied' });
});
