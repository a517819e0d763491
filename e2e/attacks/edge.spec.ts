import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { PASSWORD } from '@/e2e/support/api';
import { type AttackRequest, createAttacker, newClientAddress } from '@/e2e/support/attacker';
import { fetchChecked } from '@/e2e/support/check-response';
import { useTarget } from '@/e2e/support/target';
import { findFreePort } from '@/lib/platform/free-port';

test.describe.configure({ mode: 'default' });

const target = useTarget();
const encode = (value: unknown) => encodeURIComponent(JSON.stringify(value));

/** Requests a page instead of a path of the API. */
async function visit(place: string, headers: Record<string, string> = {}) {
  const response = await fetchChecked(`${target.product.url}${place}`, { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Returns the IP address in the newest audit entry of an organization. */
async function lastAddressOf(organizationId: string): Promise<string | null> {
  const { rows } = await target.database.query<{ ip_address: string | null }>(
    'SELECT ip_address FROM audit_log WHERE organization_id = $1 ORDER BY id DESC LIMIT 1',
    [organizationId],
  );
  return rows[0]?.ip_address ?? null;
}

test.describe('headers that only the web server may set', () => {
  const ADDRESS_HEADERS = [
    'x-eds-client-address',
    'x-forwarded-for',
    'x-real-ip',
    'cf-connecting-ip',
    'true-client-ip',
  ];
  const claim = (address: string) => Object.fromEntries(ADDRESS_HEADERS.map((name) => [name, address]));
  const FORGED = { ...claim('203.0.113.66'), forwarded: 'for=203.0.113.66', 'x-eds-proof': 'x' };

  test('are ignored from a client: the audit log and limits use its real address', async () => {
    const victim = await target.makeVictim();
    const from = newClientAddress();
    const renamed = await target.send('PATCH', `/orgs/${victim.organizationId}`, {
      token: victim.token,
      body: { name: 'Renamed' },
      headers: FORGED,
      from,
    });
    expect(renamed.status).toBe(200);
    expect(await lastAddressOf(victim.organizationId)).toBe(from);
    const guesses = [];
    for (let guess = 0; guess < 12; guess += 1) {
      const headers = { ...FORGED, ...claim(`203.0.113.${guess}`) };
      guesses.push(await target.logIn(`nobody-${guess}@example.com`, PASSWORD, from, headers));
    }
    expect(guesses.map(({ status }) => status)).toContain(429);
  });

  test('are ignored under `next start`: the address is unknown', async () => {
    const victim = await target.makeVictim();
    const port = await findFreePort();
    const env = {
      ...process.env,
      NODE_ENV: 'production' as const,
      DATABASE_URL: target.product.databaseUrl,
      AUTH_SECRET: target.authSecret,
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      APP_BASE_URL: 'https://events.example.com',
    };
    const next: ChildProcess = spawn(
      process.execPath,
      [path.resolve('node_modules/next/dist/bin/next'), 'start', '-p', String(port)],
      { env, stdio: 'ignore' },
    );
    try {
      const send = createAttacker(`http://localhost:${port}`);
      await expect
        .poll(
          () =>
            send('GET', '/api/health/live').then(
              ({ status }) => status,
              () => 0,
            ),
          { timeout: 30_000 },
        )
        .toBe(200);
      const renamed = await send('PATCH', `/orgs/${victim.organizationId}`, {
        token: victim.token,
        body: { name: 'Renamed by Next' },
        headers: FORGED,
      });
      expect(renamed.status, renamed.text).toBe(200);
      expect(await lastAddressOf(victim.organizationId)).toBeNull();
    } finally {
      next.kill('SIGKILL');
      await once(next, 'exit');
    }
  });
});

test.describe('headers with which Next requests parts of a page', () => {
  const STATES = {
    'without its segments': encode(['']),
    'of a wrong type': encode({ a: 1 }),
    'that is not JSON': '%5B',
    'that is badly encoded': '%E0%A4%A',
    'that is deeply nested': encode(JSON.parse(`${'["",{"children":'.repeat(300)}["",{}]${'}]'.repeat(300)}`)),
  };

  test('cause no server error with a broken router state', async () => {
    for (const [what, state] of Object.entries(STATES)) {
      for (const place of ['/', '/login', '/nope', '/register']) {
        const { status } = await visit(place, { RSC: '1', 'Next-Router-State-Tree': state });
        expect(status, `${place}, ${what}`).toBeLessThan(500);
      }
    }
  });

  test('do not affect the API, whose responses do not vary with them', async () => {
    const victim = await target.makeVictim();
    const headers = { RSC: '1', 'Next-Router-Prefetch': '1', 'Next-Router-State-Tree': STATES['without its segments'] };
    for (const options of [{}, { headers }] as AttackRequest[]) {
      const me = await target.send('GET', '/auth/me', { token: victim.token, ...options });
      expect([me.status, me.json.user?.id ?? me.json.id]).toEqual([200, victim.userId]);
      expect(String(me.headers.vary ?? '')).not.toMatch(/rsc|next/i);
      expect((await target.send('GET', '/nothing', options)).status).toBe(404);
    }
  });
});

test.describe('compression', () => {
  const GZIP = { 'accept-encoding': 'gzip' };

  test('leaves out answers with a token, which Next would compress', async () => {
    const body = { email: `${'a'.repeat(64)}@example.com`, password: PASSWORD };
    const names = { name: 'N'.repeat(100), organizationName: 'O'.repeat(100) };
    const registered = await target.send('POST', '/auth/register', { headers: GZIP, body: { ...body, ...names } });
    const signedIn = await target.send('POST', '/auth/login', { headers: GZIP, body });
    for (const { status, text, headers } of [registered, signedIn]) {
      expect(status, text).toBeLessThan(300);
      expect(Buffer.byteLength(text)).toBeGreaterThan(1_024);
      expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
    }
    expect((await visit('/login', GZIP)).headers.get('content-encoding')).toBe('gzip');
  });

  test('of a list arrives through Next as it was made', async () => {
    const { token, organizationId } = await target.makeVictim();
    const place = `/orgs/${organizationId}/projects`;
    for (let count = 0; count < 10; count += 1) {
      await target.send('POST', place, { token, body: { name: `Project ${count}` } });
    }
    const plain = await target.send('GET', place, { token });
    const coded = await visit(`/api/v1${place}`, { ...GZIP, authorization: `Bearer ${token}` });
    expect(coded.text).toBe(plain.text);
    const read = (headers: Headers) => ['content-encoding', 'vary'].map((name) => headers.get(name));
    expect(read(coded.headers)).toEqual(['gzip', 'Accept-Encoding']);
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
  });
});

test('a page with a name like a file has the headers of a page', async () => {
  for (const place of ['/icon.svgx', '/robots.txtx', '/favicon.icox', '/_next/imagex']) {
    const { status, headers } = await visit(place);
    expect(status, place).toBe(404);
    expect(headers.get('content-security-policy'), place).toMatch(/script-src 'self' '(?:nonce|sha256)-/);
  }
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
