import { randomInt } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { settleBackground } from '@/lib/platform/background';
import { type Config, config } from '@/lib/platform/config/config';
import { setOnce } from '@/lib/platform/globals';
import { HASH_THREADS, takeTurn } from '@/lib/platform/hashing/hash-turns';
import { knownOwnerOf } from '@/lib/platform/known-owners';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { approve, DEVICE, startDevice } from '@/tests/fixtures/device-codes';
import { queuedMails } from '@/tests/fixtures/mails';
import { asPerson, freshEmail, PASSWORD, registerPerson } from '@/tests/fixtures/people';
import { passTime, retryAfterOf, tryLogin } from '@/tests/fixtures/sign-in-limits';
import { call, expectProblem } from '@/tests/http/api-request';

useDatabase();

const WRONG = 'a wrong password';
let defaults: Config;

beforeEach(async () => {
  defaults ??= config();
  setOnce('config', defaults);
  await run('TRUNCATE rate_limits');
});

const setVariables = (variables: Partial<Config>) => setOnce('config', { ...defaults, ...variables });

async function statusesOf(email: string, passwords: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const password of passwords) statuses.push((await tryLogin(email, password)).status);
  return statuses;
}

/** Retry-After, tolerant of the seconds that a slow machine takes. */
const aboutSecondsOf = (response: Parameters<typeof retryAfterOf>[0]) => Math.ceil(retryAfterOf(response) / 20) * 20;

const wrong = (times: number): string[] => Array(times).fill(WRONG);

describe('the lockout', () => {
  it('begins after the fifth failure, which still gets 401, and sends Retry-After', async () => {
    const { email } = await registerPerson();
    expect(await statusesOf(email, wrong(5))).toEqual([401, 401, 401, 401, 401]);
    const locked = await tryLogin(email, WRONG);
    expectProblem(locked, 423, 'account_locked');
    expect(aboutSecondsOf(locked)).toBe(60);
    expect(locked.cookies).toEqual([]);
  });

  it('refuses the right password too, and does not affect other addresses', async () => {
    const locked = await registerPerson();
    const other = await registerPerson();
    expect(await statusesOf(locked.email, [...wrong(5), PASSWORD])).toEqual([401, 401, 401, 401, 401, 423]);
    expect(await statusesOf(other.email, [PASSWORD])).toEqual([200]);
  });
});

describe('failures', () => {
  it('count for all spellings of the address', async () => {
    const local = freshEmail().split('@')[0];
    const spellings = [`${local?.toUpperCase()}@EXAMPLE.com`, ` ${local}@example.com`, `${local}@ｅｘａｍｐｌｅ.com`];
    for (let failure = 0; failure < 5; failure++) await tryLogin(spellings[failure % 3] ?? '', WRONG);
    for (const spelling of [...spellings, `${local}@example.com`]) {
      expect((await tryLogin(spelling, WRONG)).status).toBe(423);
    }
  });

  it('count alike for an address without an account, without a password, or erased', async () => {
    const known = await registerPerson();
    const without = await registerPerson();
    const erased = await registerPerson();
    await run('UPDATE users SET password_hash = NULL WHERE id = $1', without.userId);
    await run('UPDATE users SET erased_at = now() WHERE id = $1', erased.userId);
    const histories: string[] = [];
    for (const email of [known.email, without.email, erased.email, freshEmail()]) {
      const statuses: string[] = [];
      for (let tries = 0; tries < 7; tries++) {
        const response = await tryLogin(email, WRONG);
        const wait = 'retry-after' in response.headers ? aboutSecondsOf(response) : 'no wait';
        statuses.push([response.status, wait, response.text.replace(/"requestId":"[^"]*"/, '')].join(' '));
      }
      histories.push(statuses.join('\n'));
    }
    expect(histories[0]).toMatch(/^401 no wait .*\n423 60 /s);
    expect(new Set(histories).size).toBe(1);
  });
});

describe('parallel guesses', () => {
  it('are checked up to the threshold when 50 come at once; the right one after them opens no session', async () => {
    const { email, userId } = await registerPerson();
    const guesses = await Promise.all(wrong(50).map((password) => tryLogin(email, password)));
    expect(guesses.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(401), ...Array(45).fill(423)]);
    const right = await Promise.all(Array.from({ length: 20 }, () => tryLogin(email, PASSWORD)));
    expect(new Set(right.map(({ status }) => status))).toEqual(new Set([423]));
    const rows = await select('SELECT count(*)::int AS sessions FROM sessions WHERE user_id = $1', userId);
    expect(rows[0].sessions).toBe(1);
  });

  it('sign in when the one that reaches the threshold is right, and clear the count', async () => {
    const { email } = await registerPerson();
    expect(await statusesOf(email, [...wrong(4), PASSWORD, ...wrong(4), PASSWORD])).toEqual([
      401, 401, 401, 401, 200, 401, 401, 401, 401, 200,
    ]);
  });

  it('may all be right, up to the threshold, and all sign in', async () => {
    const { email } = await registerPerson();
    for (let round = 0; round < 3; round++) {
      const statuses = await Promise.all(Array.from({ length: 5 }, () => tryLogin(email, PASSWORD)));
      expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    }
  });
});

describe('a guess that is never checked does not count', () => {
  it('when too many passwords are being hashed: 503, and five failures remain', async () => {
    const { email } = await registerPerson();
    setVariables({ AUTH_BCRYPT_COST: 8 });
    const crowd = keepHashing();
    for (let tries = 0; tries < 8; tries++) {
      const response = await tryLogin(email, WRONG);
      expectProblem(response, 503, 'overloaded');
      expect(retryAfterOf(response)).toBeGreaterThanOrEqual(1);
    }
    await crowd.stop();
    setOnce('config', defaults);
    expect(await statusesOf(email, wrong(6))).toEqual([401, 401, 401, 401, 401, 423]);
  });

  it('when the database fails between counting and checking', async () => {
    const { email } = await registerPerson();
    await statusesOf(email, wrong(4));
    await run('ALTER TABLE users RENAME TO users_away');
    expect(await statusesOf(email, wrong(8))).toEqual(Array(8).fill(500));
    await run('ALTER TABLE users_away RENAME TO users');
    expect(await statusesOf(email, [PASSWORD])).toEqual([200]);
  });
});

describe('rate limit and lockout together', () => {
  it('the rate limit comes first, and attempts that get 423 count for it too', async () => {
    setVariables({ AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: 7 });
    const { email } = await registerPerson();
    expect(await statusesOf(email, wrong(9))).toEqual([401, 401, 401, 401, 401, 423, 423, 429, 429]);
    await passTime(60);
    expect(await statusesOf(email, [PASSWORD])).toEqual([200]);
  });

  it('an attempt that gets 429 is not a failure', async () => {
    setVariables({ AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: 4 });
    const { email } = await registerPerson();
    expect(await statusesOf(email, wrong(20))).toEqual([401, 401, 401, 401, ...Array(16).fill(429)]);
    await passTime(60);
    expect(await statusesOf(email, [PASSWORD])).toEqual([200]);
  });
});

/** Occupies every hashing thread and fills the queue from many clients, until stopped. */
function keepHashing(): { stop(): Promise<void> } {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const jobs = Promise.allSettled(
    Array.from({ length: HASH_THREADS * 50 }, (_, index) =>
      takeTurn(
        'known',
        { client: `client-${index}`, isFamiliar: true, signal: new AbortController().signal },
        () => released,
      ),
    ),
  );
  return {
    async stop() {
      release();
      await jobs;
    },
  };
}

describe('the rate limit of sign-ins', () => {
  const freshIp = () => `198.51.${randomInt(256)}.${randomInt(256)}`;

  // Lockout is off: it would send 423 before an address has had ten attempts.
  beforeEach(() => setVariables({ AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: 10, AUTH_LOCKOUT_ENABLED: false }));

  describe('sign-in attempts per IP address', () => {
    it('pass ten times a minute, for any email addresses; the eleventh gets 429', async () => {
      const ip = freshIp();
      for (let tries = 0; tries < 10; tries++) expect((await tryLogin(freshEmail(), PASSWORD, ip)).status).toBe(401);
      const refused = await tryLogin(freshEmail(), PASSWORD, ip);
      expectProblem(refused, 429, 'rate_limited');
      expect(retryAfterOf(refused)).toBeGreaterThan(50);
      expect(retryAfterOf(refused)).toBeLessThanOrEqual(60);
      expect((await tryLogin(freshEmail(), PASSWORD, freshIp())).status).toBe(401);
    });
  });

  describe('an invalid request', () => {
    it('does not count without an address or a password', async () => {
      const ip = freshIp();
      for (let tries = 0; tries < 20; tries++) expect((await tryLogin('no address', PASSWORD, ip)).status).toBe(400);
      expect((await tryLogin(freshEmail(), PASSWORD, ip)).status).toBe(401);
    });
  });
});

const register = (email = freshEmail()) =>
  call('POST', '/api/v1/auth/register', { body: { email, password: PASSWORD } });
const forgot = (email: string) => call('POST', '/api/v1/auth/forgot-password', { body: { email } });

it('limits registrations per IP address, with Retry-After', async () => {
  setVariables({ AUTH_RATE_LIMIT_REGISTER_PER_MINUTE: 3 });
  for (const _ of [1, 2, 3]) expect((await register()).status).toBe(201);
  const refused = await register();
  expectProblem(refused, 429, 'rate_limited');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  await passTime(60);
  expect((await register()).status).toBe(201);
});

it('does not count requests refused for their IP address against the email address', async () => {
  setVariables({ AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: 4, AUTH_LOCKOUT_ENABLED: false });
  const victim = await registerPerson();
  for (let tries = 0; tries < 20; tries++)
    await tryLogin(tries < 4 ? freshEmail() : victim.email, 'a guess', '203.0.113.66');
  expect((await tryLogin(victim.email, PASSWORD, '203.0.113.67')).status).toBe(200);
});

it('the first request with a new access token takes its turn with those of people, not of strangers', async () => {
  const { accessToken, userId } = await registerPerson();
  expect(knownOwnerOf(null, `Bearer ${accessToken}`)).toBe(userId);
});

it('forgot-password gets 429 by IP address only, so that responses reveal nothing about an address', async () => {
  const { email } = await registerPerson();
  const responses = await Promise.all(Array.from({ length: 70 }, () => forgot(freshEmail())));
  await settleBackground();
  expect(responses.filter(({ status }) => status === 202)).toHaveLength(60);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(10);
  expect((await forgot(email)).json.code).toBe('rate_limited');
  await passTime(60);
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
    await run('UPDATE mails SET user_id = NULL');
    expect((await call('DELETE', '/api/v1/auth/me', asPerson(response.json))).status).toBe(204);
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
  await run(`UPDATE refresh_tokens SET spent_at = spent_at - interval '11 seconds' WHERE spent_at IS NOT NULL`);
  await call('POST', '/api/v1/auth/refresh', { body: { refreshToken: person.refreshToken } });
  expectProblem(await call('POST', `${DEVICE}/token`, { body: { deviceCode } }), 400, 'access_denied');
});
