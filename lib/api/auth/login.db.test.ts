import { describe, expect, it } from 'vitest';
import type { SignedIn } from '@/lib/auth/schema';
import { database } from '@/lib/platform/db';
import { untilLockWait } from '@/tests/database/lock-waits';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import {
  asPerson,
  freshEmail,
  PASSWORD,
  refreshTokenOf,
  registerPerson,
  signInAgain,
  type TestPerson,
} from '@/tests/fixtures/people';
import { passTime, tryLogin } from '@/tests/fixtures/sign-in-limits';
import { call, expectInvalid, expectProblem, TEST_ADDRESS } from '@/tests/http/api-request';
import { setTestConfig } from '@/tests/setup/variables';
import { measureCpuTime } from '@/tests/time/cpu-time';

/** Kept through every change of the configuration, so that queued mails can be read. */
const KEYS = { AUTH_SECRET: 'k'.repeat(64), ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
const db = useDatabase(KEYS);

const login = (email: string, password: string) => call('POST', '/api/v1/auth/login', { body: { email, password } });

describe('signing in', () => {
  it('returns an access token, the person and their organization; the refresh token is only in the cookie', async () => {
    const person = await registerPerson({ name: 'Ada' });
    const body = { email: person.email.toUpperCase(), password: PASSWORD };
    const response = await call<SignedIn>('POST', '/api/v1/auth/login', { body });
    expect(response.status).toBe(200);
    expect(response.json).toEqual({
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 900,
      user: {
        id: person.userId,
        email: person.email,
        name: 'Ada',
        emailVerified: false,
        hasPassword: true,
        timeZone: 'LOCAL',
      },
      organization: { id: person.organizationId, name: "Ada's organization", role: 'OWNER' },
    });
    const token = refreshTokenOf(response);
    expect(token).toHaveLength(43);
    expect(response.text).not.toContain(token);
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('opens a session each time, with its method, IP address and user agent', async () => {
    const person = await registerPerson();
    await call('POST', '/api/v1/auth/login', {
      body: { email: person.email, password: PASSWORD },
      headers: { 'User-Agent': `Mozilla/5.0 ${'x'.repeat(600)}\0` },
    });
    const rows = await select(
      `SELECT method, ip_address, user_agent, expires_at - created_at = interval '30 days' AS is_month
       FROM sessions WHERE user_id = $1 ORDER BY id`,
      person.userId,
    );
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({ method: 'PASSWORD', ip_address: TEST_ADDRESS, is_month: true });
    expect(rows[1].user_agent).toMatch(/^Mozilla\/5\.0 x+$/);
    const actions = (await auditOf(person.organizationId)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'session.created')).toHaveLength(2);
  });

  it('never continues the session of a cookie, which an attacker may have planted', async () => {
    const victim = await registerPerson();
    const attacker = await registerPerson();
    const body = { email: victim.email, password: PASSWORD };
    const planted = [`refresh_token=${attacker.refreshToken}`, `refresh_token=${victim.refreshToken}`];
    for (const cookie of planted) {
      const response = await call<SignedIn>('POST', '/api/v1/auth/login', { body, cookie });
      expect(response.json.user.id).toBe(victim.userId);
      expect([attacker.refreshToken, victim.refreshToken]).not.toContain(refreshTokenOf(response));
    }
    const own = await call<SignedIn>('POST', '/api/v1/auth/refresh', { cookie: planted[0] });
    expect(own.json.user.id).toBe(attacker.userId);
  });

  it('starts in the last organization of the person', async () => {
    const owner = await registerPerson();
    const person = await registerPerson();
    await run(
      `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'VIEWER')`,
      owner.organizationId,
      person.userId,
    );
    const switched = await call('POST', '/api/v1/auth/switch-organization', {
      bearer: person.accessToken,
      body: { organizationId: owner.organizationId },
    });
    expect(switched.status).toBe(200);
    expect((await signInAgain(person)).organizationId).toBe(owner.organizationId);
    await run(
      'DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2',
      owner.organizationId,
      person.userId,
    );
    expect((await signInAgain(person)).organizationId).toBe(person.organizationId);
  });
});

describe('a failed sign-in reveals nothing about the account', () => {
  it('an unknown address, a wrong password, no password and an erased account get the same response', async () => {
    const known = await registerPerson();
    const without = await registerPerson();
    const erased = await registerPerson();
    await run('UPDATE users SET password_hash = NULL WHERE id = $1', without.userId);
    await run('UPDATE users SET erased_at = now() WHERE id = $1', erased.userId);
    const responses = await Promise.all([
      login(freshEmail(), PASSWORD),
      login(known.email, 'not the right password'),
      login(without.email, PASSWORD),
      login(erased.email, PASSWORD),
      login(known.email, `${PASSWORD} `),
      login(known.email, 'p'.repeat(5000)),
    ]);
    const texts = responses.map(({ text }) => text.replace(/"requestId":"[^"]*"/, ''));
    expect(new Set(texts).size).toBe(1);
    expect(responses[0]?.json).toMatchObject({ status: 401, code: 'invalid_credentials' });
    for (const response of responses) expect(response.cookies).toEqual([]);
    expect((await login(known.email, PASSWORD)).status).toBe(200);
  });

  it('an unknown address takes as much processor time as a wrong password', async () => {
    setTestConfig({ DATABASE_URL: db.url, ...KEYS, AUTH_BCRYPT_COST: '9', AUTH_LOCKOUT_ENABLED: 'false' });
    const person = await registerPerson();
    const times: Record<'unknown' | 'wrong', number[]> = { unknown: [], wrong: [] };
    for (let round = 0; round < 7; round++) {
      times.unknown.push(await measureCpuTime(() => login(freshEmail(), 'a wrong password')));
      times.wrong.push(await measureCpuTime(() => login(person.email, 'a wrong password')));
    }
    setTestConfig({ DATABASE_URL: db.url, ...KEYS });
    const ratio = median(times.unknown) / median(times.wrong);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});

describe('a password hash that changes during a sign-in', () => {
  it('is rehashed at the configured cost', async () => {
    const person = await registerPerson();
    setTestConfig({ DATABASE_URL: db.url, ...KEYS, AUTH_BCRYPT_COST: '5' });
    expect((await login(person.email, PASSWORD)).status).toBe(200);
    const rows = await select('SELECT password_hash FROM users WHERE id = $1', person.userId);
    expect(rows[0].password_hash).toMatch(/^\$2b\$05\$/);
    expect((await login(person.email, PASSWORD)).status).toBe(200);
    setTestConfig({ DATABASE_URL: db.url, ...KEYS });
  });

  it('opens no session for the old password once the new one is set', async () => {
    const person = await registerPerson();
    const client = await database().connect();
    await client.query('BEGIN');
    await client.query(`UPDATE users SET password_hash = 'new' WHERE id = $1`, [person.userId]);
    const underWay = login(person.email, PASSWORD);
    await untilLockWait(underWay);
    await client.query('COMMIT');
    client.release();
    expect((await underWay).status).toBe(401);
  });
});

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** A person whose password somebody else may have set before the address was verified (account pre-hijacking). */
async function registerUnconfirmed(): Promise<TestPerson> {
  const person = await registerPerson();
  await run('UPDATE users SET password_confirmed = false WHERE id = $1', person.userId);
  return person;
}

const confirmationsTo = async (email: string) =>
  (await queuedMails(email)).filter(({ subject }) => subject === 'Confirm your password');

async function countSessions(userId: string): Promise<number> {
  const rows = await select('SELECT count(*)::int AS count FROM sessions WHERE user_id = $1', userId);
  return rows[0].count;
}

describe('an unconfirmed password', () => {
  it('gets 403 although it is right, opens no session, and mails the link again', async () => {
    const { email, userId } = await registerUnconfirmed();
    const response = await tryLogin(email, PASSWORD);
    expectProblem(response, 403, 'password_unconfirmed');
    expect(response.cookies).toEqual([]);
    expect(await countSessions(userId)).toBe(1);
    const mails = await confirmationsTo(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(`/verify-email?token=${tokenIn(mails[0])}`);
  });

  it('gets the ordinary 401 when it is wrong, and mails nothing', async () => {
    const { email } = await registerUnconfirmed();
    expectProblem(await tryLogin(email, 'a wrong password'), 401, 'invalid_credentials');
    expect(await confirmationsTo(email)).toEqual([]);
  });

  it('does not count as a failure', async () => {
    const { email } = await registerUnconfirmed();
    for (let tries = 0; tries < 8; tries++) expect((await tryLogin(email, PASSWORD)).status).toBe(403);
  });

  it('is refused like any other while the address is locked', async () => {
    const { email } = await registerUnconfirmed();
    for (let tries = 0; tries < 5; tries++) await tryLogin(email, 'a wrong password');
    expect((await tryLogin(email, PASSWORD)).status).toBe(423);
    expect(await confirmationsTo(email)).toEqual([]);
  });

  it('mails at most five links an hour, however often it is used', async () => {
    const { email } = await registerUnconfirmed();
    for (let tries = 0; tries < 8; tries++) await tryLogin(email, PASSWORD);
    expect(await confirmationsTo(email)).toHaveLength(5);
    await passTime(60 * 60);
    await tryLogin(email, PASSWORD);
    expect(await confirmationsTo(email)).toHaveLength(6);
  });
});

const register = (body: unknown) => call<SignedIn>('POST', '/api/v1/auth/register', { body });

const refused = (body: unknown) => call('POST', '/api/v1/auth/register', { body });

describe('registering', () => {
  it('creates an account with an organization, and signs in', async () => {
    const email = freshEmail();
    const response = await register({ email: ` ${email.toUpperCase()} `, password: PASSWORD, name: 'Ada Lovelace' });
    expect(response.status).toBe(201);
    expect(response.json).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenType: 'Bearer',
      expiresIn: 900,
      user: {
        id: expect.any(String),
        email,
        name: 'Ada Lovelace',
        emailVerified: false,
        hasPassword: true,
        timeZone: 'LOCAL',
      },
      organization: { id: expect.any(String), name: "Ada's organization", role: 'OWNER' },
    });
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.cookies).toHaveLength(2);
    expect(response.cookies[0]).toMatch(
      /^refresh_token=[\w-]{43}; Path=\/api\/v1\/auth; HttpOnly; SameSite=Strict; Max-Age=86400$/,
    );
    expect(response.cookies[1]).toBe('eds_session=1; Path=/; SameSite=Lax; Max-Age=86400');
    expect((await call('GET', '/api/v1/auth/me', asPerson(response.json))).status).toBe(200);
  });

  it('names the organization as requested', async () => {
    const response = await register({
      email: freshEmail(),
      password: PASSWORD,
      organizationName: 'Analytical Engines',
    });
    expect(response.json.organization?.name).toBe('Analytical Engines');
  });

  it('mails one link, and stores neither its token nor the password in plain text', async () => {
    const person = await registerPerson();
    const mails = await queuedMails(person.email);
    expect(mails).toHaveLength(1);
    const token = tokenIn(mails[0]);
    expect(mails[0]?.text).toContain(`http://localhost:3000/verify-email?token=${token}`);
    expect(token).toHaveLength(43);
    const stored = await everythingStored();
    expect(stored).toContain(person.userId);
    for (const secret of [token, person.refreshToken, person.accessToken, PASSWORD]) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
});

describe('an address has one account', () => {
  it('a taken address is refused, in any case', async () => {
    const { email } = await registerPerson();
    const again = await refused({ email: email.toUpperCase(), password: 'another long password' });
    expect(again.status).toBe(409);
    expect(again.json.code).toBe('email_taken');
    expect(again.cookies).toEqual([]);
  });

  it('one of ten simultaneous registrations succeeds, and nothing remains of the others', async () => {
    const email = freshEmail();
    const before = await countOrganizations();
    const responses = await Promise.all(Array.from({ length: 10 }, () => refused({ email, password: PASSWORD })));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
    expect(await countOrganizations()).toBe(before + 1);
    expect(await queuedMails(email)).toHaveLength(1);
  });
});

describe('refuses', () => {
  it.each([
    ['no address', { password: PASSWORD }, 'email'],
    ['a bad address', { email: 'ada', password: PASSWORD }, 'email'],
    ['an address that is not a string', { email: 1, password: PASSWORD }, 'email'],
    ['a short password', { email: freshEmail(), password: 'short' }, 'password'],
    ['a common password', { email: freshEmail(), password: 'Password123' }, 'password'],
    ['a password longer than bcrypt reads', { email: freshEmail(), password: 'p'.repeat(73) }, 'password'],
    ['an empty name', { email: freshEmail(), password: PASSWORD, name: ' ' }, 'name'],
    ['a name of two lines', { email: freshEmail(), password: PASSWORD, name: 'a\nb' }, 'name'],
    ['an unknown field', { email: freshEmail(), password: PASSWORD, role: 'OWNER' }, 'role'],
  ])('%s', async (_what, body, path) => {
    const response = await refused(body);
    expect(response.status).toBe(400);
    expectInvalid(response, path);
  });
});

async function countOrganizations(): Promise<number> {
  const rows = await select('SELECT count(*)::int AS count FROM organizations');
  return rows[0].count;
}

/** Every row of the tables about people, as text. */
async function everythingStored(): Promise<string> {
  const tables = ['users', 'sessions', 'refresh_tokens', 'user_tokens', 'mails', 'audit_log', 'organizations'];
  const rows = await Promise.all(tables.map((table) => run(`SELECT t::text AS row FROM ${table} t`)));
  return rows.flatMap((result) => result.rows.map(({ row }) => row)).join('\n');
}
