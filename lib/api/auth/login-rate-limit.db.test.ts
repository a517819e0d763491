import { randomInt } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database';
import { freshEmail, PASSWORD, registerPerson } from '@/tests/people';
import { passTime, retryAfterOf, tryLogin } from '@/tests/sign-in-limits';

// As by default; lockout would answer 423 before an address has had its ten tries.
useDatabase({ AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: '10', AUTH_LOCKOUT_ENABLED: 'false' });

const freshIp = () => `198.51.${randomInt(256)}.${randomInt(256)}`;

beforeEach(() => database().query('TRUNCATE rate_limits'));

describe('sign-in attempts per IP', () => {
  it('ten a minute pass, for whichever addresses; the eleventh is 429', async () => {
    const ip = freshIp();
    for (let tries = 0; tries < 10; tries++) expect((await tryLogin(freshEmail(), PASSWORD, ip)).status).toBe(401);
    const refused = await tryLogin(freshEmail(), PASSWORD, ip);
    expect(refused.json).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(retryAfterOf(refused)).toBeGreaterThan(50);
    expect(retryAfterOf(refused)).toBeLessThanOrEqual(60);
    expect((await tryLogin(freshEmail(), PASSWORD, freshIp())).status).toBe(401);
  });

  it('the right password is refused as well, and accepted from elsewhere', async () => {
    const [person, ip] = [await registerPerson(), freshIp()];
    for (let tries = 0; tries < 10; tries++) await tryLogin(freshEmail(), PASSWORD, ip);
    expect((await tryLogin(person.email, PASSWORD, ip)).status).toBe(429);
    expect((await tryLogin(person.email, PASSWORD, freshIp())).status).toBe(200);
  });

  it('a person’s right sign-ins count too', async () => {
    const [person, ip] = [await registerPerson(), freshIp()];
    for (let tries = 0; tries < 10; tries++) expect((await tryLogin(person.email, PASSWORD, ip)).status).toBe(200);
    expect((await tryLogin(person.email, PASSWORD, ip)).status).toBe(429);
  });

  it('the addresses of one IPv6 network are one client, those of the next are another', async () => {
    for (let host = 1; host <= 10; host++) await tryLogin(freshEmail(), PASSWORD, `2001:db8:5:6::${host}`);
    expect((await tryLogin(freshEmail(), PASSWORD, '2001:db8:5:6:aaaa::1')).status).toBe(429);
    expect((await tryLogin(freshEmail(), PASSWORD, '2001:db8:5:7::1')).status).toBe(401);
  });
});

describe('sign-in attempts per address', () => {
  it('ten a minute pass, from wherever; the eleventh is 429', async () => {
    const email = freshEmail();
    for (let tries = 0; tries < 10; tries++) expect((await tryLogin(email, PASSWORD, freshIp())).status).toBe(401);
    const refused = await tryLogin(email, PASSWORD, freshIp());
    expect(refused.json).toMatchObject({ status: 429, code: 'rate_limited' });
    expect((await tryLogin(freshEmail(), PASSWORD, freshIp())).status).toBe(401);
  });

  it('case, spaces and compatibility forms are one address', async () => {
    const local = freshEmail().split('@')[0];
    const spellings = [`${local}@example.com`, `${local?.toUpperCase()}@Example.COM`, `  ${local}@example.com\n`];
    spellings.push(`\u00a0${local}@ｅｘａｍｐｌｅ.com`);
    for (let tries = 0; tries < 10; tries++) {
      expect((await tryLogin(spellings[tries % 4] ?? '', PASSWORD, freshIp())).status).toBe(401);
    }
    for (const spelling of spellings) expect((await tryLogin(spelling, PASSWORD, freshIp())).status).toBe(429);
  });

  it('known and unknown addresses are refused alike', async () => {
    const texts: string[] = [];
    for (const email of [(await registerPerson()).email, freshEmail()]) {
      for (let tries = 0; tries < 10; tries++) await tryLogin(email, 'a wrong password', freshIp());
      const refused = await tryLogin(email, 'a wrong password', freshIp());
      texts.push(`${refused.status} ${refused.text.replace(/"requestId":"[^"]*"/, '')}`);
    }
    expect(texts[0]).toMatch(/^429 /);
    expect(texts[1]).toBe(texts[0]);
  });
});

describe('the wait', () => {
  it('is exact: a second before its end refuses, its end does not', async () => {
    const [person, ip] = [await registerPerson(), freshIp()];
    for (let tries = 0; tries < 10; tries++) await tryLogin(freshEmail(), PASSWORD, ip);
    // Anew: what the tries took would be missing from the last second.
    await database().query('UPDATE rate_limits SET expire = $1', [Date.now() + 60_000]);
    const waitSeconds = retryAfterOf(await tryLogin(person.email, PASSWORD, ip));
    await passTime(waitSeconds - 1);
    const sooner = await tryLogin(person.email, PASSWORD, ip);
    expect([sooner.status, retryAfterOf(sooner)]).toEqual([429, 1]);
    await passTime(1);
    expect((await tryLogin(person.email, PASSWORD, ip)).status).toBe(200);
  });

  it('is the longer of both, when IP and address are over the limit', async () => {
    const [email, ip] = [freshEmail(), freshIp()];
    for (let tries = 0; tries < 10; tries++) await tryLogin(email, PASSWORD, freshIp());
    await passTime(20);
    for (let tries = 0; tries < 10; tries++) await tryLogin(freshEmail(), PASSWORD, ip);
    expect(retryAfterOf(await tryLogin(email, PASSWORD, freshIp()))).toBeLessThanOrEqual(40);
    expect(retryAfterOf(await tryLogin(email, PASSWORD, ip))).toBeGreaterThan(50);
  });

  it('is not prolonged by tries made during it', async () => {
    const ip = freshIp();
    for (let tries = 0; tries < 30; tries++) await tryLogin(freshEmail(), PASSWORD, ip);
    await passTime(60);
    expect((await tryLogin(freshEmail(), PASSWORD, ip)).status).toBe(401);
  });
});

describe('many at once', () => {
  it('of 50 tries of one client exactly ten are judged', async () => {
    const ip = freshIp();
    const answers = await Promise.all(Array.from({ length: 50 }, () => tryLogin(freshEmail(), PASSWORD, ip)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(40).fill(429)]);
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d?$/);
    }
  });
});

describe('what is no sign-in attempt', () => {
  it('a request that names no address or no password does not count', async () => {
    const ip = freshIp();
    for (let tries = 0; tries < 20; tries++) expect((await tryLogin('no address', PASSWORD, ip)).status).toBe(400);
    expect((await tryLogin(freshEmail(), PASSWORD, ip)).status).toBe(401);
  });
});
