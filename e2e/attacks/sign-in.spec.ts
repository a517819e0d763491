import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { PASSWORD } from '@/e2e/support/api';
import { type AttackRequest, type AttackResponse, median, newClientAddress, spread } from '@/e2e/support/attacker';
import { APP_BASE_URL, useTarget, type Victim } from '@/e2e/support/target';

// One product for all tests, with the default limits. Each attack uses its own client address.
test.describe.configure({ mode: 'default' });

const target = useTarget();

/** Registers victims one after the other, since simultaneous registrations exceed the limit of password hashes. */
async function makeVictims(count: number): Promise<Victim[]> {
  const victims: Victim[] = [];
  for (let index = 0; index < count; index++) victims.push(await target.makeVictim());
  return victims;
}

test.describe('guessing passwords', () => {
  test('is limited to ten attempts a minute per client address, whatever the headers say', async () => {
    const [from, responses] = [newClientAddress(), [] as AttackResponse[]];
    for (let index = 0; index < 12; index++) {
      const claimed = `203.0.113.${index}`;
      const headers = {
        'x-forwarded-for': claimed,
        'x-real-ip': claimed,
        forwarded: `for=${claimed}`,
        'cf-connecting-ip': claimed,
        'x-client-ip': claimed,
        'true-client-ip': claimed,
      };
      responses.push(await target.logIn(`nobody-${randomUUID()}@example.com`, 'a wrong password', from, headers));
    }
    expect(responses.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429, 429]);
    expect(Number(responses[10]?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const victim = await target.makeVictim();
    expect((await target.logIn(victim.email, PASSWORD, from)).json.code).toBe('rate_limited');
    expect((await target.logIn(victim.email, PASSWORD, newClientAddress())).status).toBe(200);
  });

  test('of one person from fifty client addresses at once is evaluated at most five times', async () => {
    const victim = await target.makeVictim();
    const spellings = [victim.email, victim.email.toUpperCase(), ` ${victim.email} `, victim.email.replace('v', 'ｖ')];
    const guess = (index: number) =>
      target.logIn(spellings[index % 4] ?? '', `guess number ${index}`, newClientAddress());
    const responses = await Promise.all(Array.from({ length: 50 }, (_, index) => guess(index)));
    const counted = (status: number) => responses.filter((response) => response.status === status).length;
    expect(counted(401)).toBeLessThanOrEqual(5);
    expect(counted(401) + counted(423) + counted(429)).toBe(50);
    expect([423, 429]).toContain((await target.logIn(victim.email, PASSWORD, newClientAddress())).status);
  });
});

/**
 * Sends one request for each of 50 known and 50 unknown addresses, from a new client each.
 * @returns the distinct responses, and how far the median times lie apart, next to the spread of all times
 */
async function compareKnownWithUnknown(send: (email: string, from: string) => Promise<AttackResponse>) {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const responses = new Set<string>();
  for (const victim of await makeVictims(50)) {
    for (const kind of ['known', 'unknown'] as const) {
      const email = kind === 'known' ? victim.email : `victim-${randomUUID()}@example.com`;
      const from = newClientAddress();
      const started = performance.now();
      const response = await send(email, from);
      times[kind].push(performance.now() - started);
      responses.add(`${response.status} ${response.text.replace(/"requestId":"[^"]*"/, '')}`);
    }
  }
  return {
    responses: [...responses],
    differenceMs: Math.abs(median(times.known) - median(times.unknown)),
    spreadMs: spread([...times.known, ...times.unknown]),
  };
}

test.describe('whether an address has an account', () => {
  test('is not revealed by the body, status or time of a failed sign-in', async () => {
    const { responses, differenceMs, spreadMs } = await compareKnownWithUnknown((email, from) =>
      target.logIn(email, 'a wrong password', from),
    );
    expect(responses).toHaveLength(1);
    expect(differenceMs).toBeLessThan(spreadMs);
  });

  test('is not revealed by the body, status or time of forgot-password', async () => {
    const { responses, differenceMs, spreadMs } = await compareKnownWithUnknown((email, from) =>
      target.send('POST', '/auth/forgot-password', { body: { email }, from }),
    );
    expect(responses).toEqual(['202 ']);
    expect(differenceMs).toBeLessThan(spreadMs);
  });

  test('is not revealed by a lockout', async () => {
    const victim = await target.makeVictim();
    const lock = async (email: string) => {
      const responses: AttackResponse[] = [];
      for (let index = 0; index < 6; index++)
        responses.push(await target.logIn(email, 'a wrong password', newClientAddress()));
      return responses.map(({ status, json }) => `${status} ${json.code}`);
    };
    const known = await lock(victim.email);
    expect(known).toEqual([...Array(5).fill('401 invalid_credentials'), '423 account_locked']);
    expect(await lock(`nobody-${randomUUID()}@example.com`)).toEqual(known);
  });
});

test('a link in an email uses APP_BASE_URL, whatever the Host header of the request', async () => {
  const victim = await target.makeVictim();
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
  const response = await target.send('POST', '/auth/forgot-password', { body: { email: victim.email }, headers });
  expect(response.status).toBe(202);
  const mailsTo = () => {
    const folder = path.join(target.product.dataDir, 'mail');
    const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
    return files
      .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
      .filter((m) => m.includes(victim.email));
  };
  // After the emails of all earlier registrations.
  await expect.poll(() => mailsTo().length, { timeout: 60_000 }).toBe(2);
  const mails = mailsTo().join('\n').replaceAll('=\r\n', '');
  expect(mails).not.toContain('evil.example');
  expect(mails).toContain(`${APP_BASE_URL}/reset-password?token=`);
});

test('user codes cannot be guessed', async () => {
  const [victim, attacker] = [await target.makeVictim(), await target.makeVictim()];
  const { userCode, deviceCode } = (await target.send('POST', '/auth/device/code', { body: { clientName: 'laptop' } }))
    .json;
  const codes = Array.from({ length: 30 }, (_, index) => `BCDF-GH${'BCDFGHJKLMNPQRSTVWXZ'[index % 20]}J`);
  const responses: AttackResponse[] = [];
  for (const code of codes.filter((code) => code !== userCode)) {
    responses.push(
      await target.send('POST', '/auth/device/approve', { token: attacker.token, body: { userCode: code } }),
    );
  }
  expect(responses[0]?.status).toBe(404);
  expect(responses.at(-1)?.json).toMatchObject({ status: 429, code: 'rate_limited' });
  const denied = await target.send('POST', '/auth/device/approve', { token: attacker.token, body: { userCode } });
  expect(denied.status).toBe(429);
  expect((await target.send('POST', '/auth/device/approve', { body: { userCode } })).status).toBe(401);
  const from = newClientAddress();
  const approved = await target.send('POST', '/auth/device/approve', { token: victim.token, body: { userCode }, from });
  expect(approved.status).toBe(204);
  const polls = await Promise.all(
    Array.from({ length: 10 }, () => target.send('POST', '/auth/device/token', { body: { deviceCode } })),
  );
  expect(polls.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('unusual and oversized bodies get a client error, never a server error', async () => {
  const odd: [string, AttackRequest][] = [
    ['nothing', {}],
    ['null', { raw: 'null' }],
    ['an array', { raw: '[]' }],
    ['a number', { raw: '1e999' }],
    ['half a document', { raw: '{"email":"a@b.co"' }],
    ['two documents', { raw: '{}{}' }],
    ['deep nesting', { raw: '['.repeat(100_000) }],
    ['2 MB', { raw: JSON.stringify({ email: 'a@b.co', password: 'p'.repeat(2_000_000) }) }],
    ['invalid UTF-8', { raw: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) }],
    ['UTF-16', { raw: Buffer.from('{"email":"a@b.co","password":"x"}', 'utf16le') }],
    ['a lone surrogate', { raw: '{"email":"a@b.co","password":"\\ud800"}' }],
    ['null characters', { body: { email: 'a\0@b.co', password: 'a\0b' } }],
    ['__proto__', { raw: '{"__proto__":{"admin":true},"email":"a@b.co","password":"x"}' }],
    ['an operator', { body: { email: { $gt: '' }, password: { $gt: '' } } }],
    ['a long address', { body: { email: `${'a'.repeat(100_000)}@b.co`, password: 'x' } }],
    ['a header in the address', { body: { email: 'a@b.co\r\nBcc: e@evil.example', password: 'x' } }],
    ['a form', { raw: 'email=a&password=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['compressed', { raw: '{}', headers: { 'content-encoding': 'gzip' } }],
  ];
  const paths = ['login', 'register', 'refresh', 'forgot-password', 'reset-password', 'verify-email', 'device/token'];
  for (const name of paths) {
    for (const [what, options] of odd) {
      const response = await target.send('POST', `/auth/${name}`, { ...options, from: newClientAddress() });
      expect(
        [400, 401, 413, 415].includes(response.status) || (name === 'refresh' && response.status < 500),
        `${name}: ${what}: ${response.status}`,
      ).toBe(true);
      expect(response.headers['content-type'], `${name}: ${what}`).toContain('application/problem+json');
    }
  }
  expect((await target.whoAmI((await target.makeVictim()).token)).status).toBe(200);
});

test('the log contains no password, token, cookie, key, email address or name', async () => {
  const victim = await target.makeVictim();
  await target.logIn(victim.email, 'a wrong password', newClientAddress());
  await target.send('GET', `/auth/me?token=${victim.token}&email=${victim.email}`, { cookie: victim.cookie });
  await target.send('POST', '/auth/reset-password', { body: { token: 'stolen-reset-token', password: PASSWORD } });
  const log = fs.readFileSync(target.logFile, 'utf8');
  expect(log.length).toBeGreaterThan(0);
  const secrets = [PASSWORD, 'a wrong password', victim.email, 'victim-', victim.token, 'Viola', 'stolen-reset-token'];
  for (const secret of [...secrets, victim.cookie.replace('refresh_token=', ''), target.authSecret]) {
    expect(log.includes(secret), secret).toBe(false);
  }
  expect(log).not.toMatch(/eyJ[\w-]+\.eyJ/);
});
