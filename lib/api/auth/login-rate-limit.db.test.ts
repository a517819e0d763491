import { randomInt } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { freshEmail, PASSWORD, registerPerson } from '@/tests/fixtures/people';
import { passTime, retryAfterOf, tryLogin } from '@/tests/fixtures/sign-in-limits';

// The default limits. Lockout is off: it would send 423 before an address has had ten attempts.
useDatabase({ AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: '10', AUTH_LOCKOUT_ENABLED: 'false' });

const freshIp = () => `198.51.${randomInt(256)}.${randomInt(256)}`;

beforeEach(() => database().query('TRUNCATE rate_limits'));

describe('sign-in attempts per IP address', () => {
  it('pass ten times a minute, for any email addresses; the eleventh gets 429', async () => {
    const ip = freshIp();
    for (let tries = 0; tries < 10; tries++) expect((await tryLogin(freshEmail(), PASSWORD, ip)).status).toBe(401);
    const refused = await tryLogin(freshEmail(), PASSWORD, ip);
    expect(refused.json).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(retryAfterOf(refused)).toBeGreaterThan(50);
    expect(retryAfterOf(refused)).toBeLessThanOrEqual(60);
    expect((await tryLogin(freshEmail(), PASSWORD, freshIp())).status).toBe(401);
  });

  it('are refused even with the right password, and accepted from another IP address', async () => {
    const [person, ip] = [await registerPerson(), freshIp()];
    for (let tries = 0; tries < 10; tries++) await tryLogin(freshEmail(), PASSWORD, ip);
    expect((await tryLogin(person.email, PASSWORD, ip)).status).toBe(429);
    expect((await tryLogin(person.email, PASSWORD, freshIp())).status).toBe(200);
  });

  it('count when they succeed', async () => {
    const [person, ip] = [await registerPerson(), freshIp()];
    for (let tries = 0; tries < 10; tries++) expect((await tryLogin(person.email, PASSWORD, ip)).status).toBe(200);
    expect((await tryLogin(person.email, PASSWORD, ip)).status).toBe(429);
  });

  it('count per IPv6 /64 network', async () => {
    for (let host = 1; host <= 10; host++) await tryLogin(freshEmail(), PASSWORD, `2001:db8:5:6::${host}`);
    expect((await tryLogin(freshEmail(), PASSWORD, '2001:db8:5:6:aaaa::1')).status).toBe(429);
    expect((await tryLogin(freshEmail(), PASSWORD, '2001:db8:5:7::1')).status).toBe(401);
  });
});

describe('sign-in attempts per email address', () => {
  it('pass ten times a minute, from any IP addresses; the eleventh gets 429', async () => {
    const email = freshEmail();
    for (let tries = 0; tries < 10; tries++) expect((await tryLogin(email, PASSWORD, freshIp())).status).toBe(401);
    const refused = await tryLogin(email, PASSWORD, freshIp());
    expect(refused.json).toMatchObject({ status: 429, code: 'rate_limited' });
    expect((await tryLogin(freshEmail(), PASSWORD, freshIp())).status).toBe(401);
  });

  it('count for all spellings of the address', async () => {
    const local = freshEmail().split('@')[0];
    const spellings = [`${local}@example.com`, `${local?.toUpperCase()}@Example.COM`, `  ${local}@example.com\n`];
    spellings.push(`\u00a0${local}@ｅｘａｍｐｌｅ.com`);
    for (let tries = 0; tries < 10; tries++) {
      expect((await tryLogin(spellings[tries % 4] ?? '', PASSWORD, freshIp())).status).toBe(401);
    }
    for (const spelling of spellings) expect((await tryLogin(spelling, PASSWORD, freshIp())).status).toBe(429);
  });

  it('are refused alike for known and unknown addresses', async () => {
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

describe('Retry-After', () => {
  it('is exact: an attempt a second before it ends is refused, one at its end passes', async () => {
    const [person, ip] = [await registerPerson(), freshIp()];
    for (let tries = 0; tries < 10; tries++) await tryLogin(freshEmail(), PASSWORD, ip);
    // Reset: otherwise the last second would lack the time that the attempts took.
    await database().query('UPDATE rate_limits SET expire = $1', [Date.now() + 60_000]);
    const waitSeconds = retryAfterOf(await tryLogin(person.email, PASSWORD, ip));
    await passTime(waitSeconds - 1);
    const sooner = await tryLogin(person.email, PASSWORD, ip);
    expect([sooner.status, retryAfterOf(sooner)]).toEqual([429, 1]);
    await passTime(1);
    expect((await tryLogin(person.email, PASSWORD, ip)).status).toBe(200);
  });

  it('is the longer of both when IP and email address are over the limit', async () => {
    const [email, ip] = [freshEmail(), freshIp()];
    for (let tries = 0; tries < 10; tries++) await tryLogin(email, PASSWORD, freshIp());
    await passTime(20);
    for (let tries = 0; tries < 10; tries++) await tryLogin(freshEmail(), PASSWORD, ip);
    expect(retryAfterOf(await tryLogin(email, PASSWORD, freshIp()))).toBeLessThanOrEqual(40);
    expect(retryAfterOf(await tryLogin(email, PASSWORD, ip))).toBeGreaterThan(50);
  });

  it('is not prolonged by attempts made meanwhile', async () => {
    const ip = freshIp();
    for (let tries = 0; tries < 30; tries++) await tryLogin(freshEmail(), PASSWORD, ip);
    await passTime(60);
    expect((await tryLogin(freshEmail(), PASSWORD, ip)).status).toBe(401);
  });
});

describe('parallel attempts', () => {
  it('are checked exactly ten times when one client makes 50', async () => {
    const ip = freshIp();
    const responses = await Promise.all(Array.from({ length: 50 }, () => tryLogin(freshEmail(), PASSWORD, ip)));
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(40).fill(429)]);
    for (const response of responses.filter(({ status }) => status === 429)) {
      expect(response.headers['retry-after']).toMatch(/^[1-9]\d?$/);
    }
  });
});

describe('an invalid request', () => {
  it('does not count without an address or a password', async () => {
    const ip = freshIp();
    for (let tries = 0; tries < 20; tries++) expect((await tryLogin('no address', PASSWORD, ip)).status).toBe(400);
    expect((await tryLogin(freshEmail(), PASSWORD, ip)).status).toBe(401);
  });
});
