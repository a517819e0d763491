import { randomInt } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { freshEmail, PASSWORD, registerPerson } from '@/tests/fixtures/people';
import { retryAfterOf, tryLogin } from '@/tests/fixtures/sign-in-limits';

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

describe('an invalid request', () => {
  it('does not count without an address or a password', async () => {
    const ip = freshIp();
    for (let tries = 0; tries < 20; tries++) expect((await tryLogin('no address', PASSWORD, ip)).status).toBe(400);
    expect((await tryLogin(freshEmail(), PASSWORD, ip)).status).toBe(401);
  });
});
