import { describe, expect, it } from 'vitest';
import type { SignedIn } from '@/lib/auth/schema';
import { database } from '@/lib/platform/db';
import { untilLockWait } from '@/tests/database/lock-waits';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { freshEmail, PASSWORD, refreshTokenOf, registerPerson, signInAgain } from '@/tests/fixtures/people';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';
import { setTestConfig } from '@/tests/setup/variables';
import { measureCpuTime } from '@/tests/time/cpu-time';

const db = useDatabase();

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
    const { rows } = await database().query(
      `SELECT method, ip_address, user_agent, expires_at - created_at = interval '30 days' AS is_month
       FROM sessions WHERE user_id = $1 ORDER BY id`,
      [person.userId],
    );
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({ method: 'PASSWORD', ip_address: TEST_ADDRESS, is_month: true });
    expect(rows[1].user_agent).toMatch(/^Mozilla\/5\.0 x+$/);
    const actions = (await auditOf(person.organizationId)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'session.created')).toHaveLength(2);
  });

  it('starts in the last organization of the person', async () => {
    const [owner, person] = [await registerPerson(), await registerPerson()];
    await database().query(`INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'VIEWER')`, [
      owner.organizationId,
      person.userId,
    ]);
    const switched = await call('POST', '/api/v1/auth/switch-organization', {
      bearer: person.accessToken,
      body: { organizationId: owner.organizationId },
    });
    expect(switched.status).toBe(200);
    expect((await signInAgain(person)).organizationId).toBe(owner.organizationId);
    await database().query('DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2', [
      owner.organizationId,
      person.userId,
    ]);
    expect((await signInAgain(person)).organizationId).toBe(person.organizationId);
  });

  it('works for a person who belongs to no organization', async () => {
    const person = await registerPerson();
    await database().query('DELETE FROM memberships WHERE user_id = $1', [person.userId]);
    const body = { email: person.email, password: PASSWORD };
    const response = await call<SignedIn>('POST', '/api/v1/auth/login', { body });
    expect(response.status).toBe(200);
    expect(response.json.organization).toBeNull();
    expect((await call('GET', '/api/v1/auth/me', { bearer: response.json.accessToken })).status).toBe(200);
  });
});

describe('a failed sign-in reveals nothing about the account', () => {
  it('an unknown address, a wrong password, no password and an erased account get the same response', async () => {
    const [known, without, erased] = [await registerPerson(), await registerPerson(), await registerPerson()];
    await database().query('UPDATE users SET password_hash = NULL WHERE id = $1', [without.userId]);
    await database().query('UPDATE users SET erased_at = now() WHERE id = $1', [erased.userId]);
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
    setTestConfig({ DATABASE_URL: db.url, AUTH_BCRYPT_COST: '9', AUTH_LOCKOUT_ENABLED: 'false' });
    const person = await registerPerson();
    const times: Record<'unknown' | 'wrong', number[]> = { unknown: [], wrong: [] };
    for (let round = 0; round < 7; round++) {
      times.unknown.push(await measureCpuTime(() => login(freshEmail(), 'a wrong password')));
      times.wrong.push(await measureCpuTime(() => login(person.email, 'a wrong password')));
    }
    setTestConfig({ DATABASE_URL: db.url });
    const ratio = median(times.unknown) / median(times.wrong);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});

describe('a password hash that changes during a sign-in', () => {
  it('is rehashed at the configured cost', async () => {
    const person = await registerPerson();
    setTestConfig({ DATABASE_URL: db.url, AUTH_BCRYPT_COST: '5' });
    expect((await login(person.email, PASSWORD)).status).toBe(200);
    const { rows } = await database().query('SELECT password_hash FROM users WHERE id = $1', [person.userId]);
    expect(rows[0].password_hash).toMatch(/^\$2b\$05\$/);
    expect((await login(person.email, PASSWORD)).status).toBe(200);
    setTestConfig({ DATABASE_URL: db.url });
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
