import { describe, expect, it } from 'vitest';
import type { Session } from '@/lib/auth/schema';
import { newId } from '@/lib/platform/ids';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails } from '@/tests/fixtures/mails';
import { asPerson, PASSWORD, registerPerson, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { useAdapters } from '@/tests/http/adapters';
import { type CallOptions, call, expectProblem, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase();

async function expectAlive(person: TestPerson): Promise<void> {
  expect((await call('GET', '/api/v1/auth/me', asPerson(person))).status).toBe(200);
}

const SESSIONS = '/api/v1/auth/sessions';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0';

const list = async (person: TestPerson, query = '') => {
  const path = `${SESSIONS}${query}`;
  return (await call<{ data: Session[]; nextCursor: string | null }>('GET', path, asPerson(person))).json;
};

const sessionIdOf = async (person: TestPerson) => (await list(person)).data.find(({ current }) => current)?.id ?? '';

const close = (person: TestPerson, path: string) => call('DELETE', path, asPerson(person));

const closings = async (person: TestPerson) =>
  (await auditOf(person.organizationId)).filter(({ action }) => action === 'session.closed');

describe('the list of sessions', () => {
  it('shows each sign-in, newest first, with method, times, IP address and device, and marks the current one', async () => {
    const person = await registerPerson();
    const body = { email: person.email, password: PASSWORD };
    await call('POST', '/api/v1/auth/login', { body, headers: { 'user-agent': FIREFOX } });
    const { data, nextCursor } = await list(person);
    expect(nextCursor).toBeNull();
    expect(data).toEqual([
      {
        id: expect.any(String),
        method: 'PASSWORD',
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        lastUsedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        ipAddress: TEST_ADDRESS,
        userAgent: FIREFOX,
        device: 'Firefox on Windows',
        current: false,
      },
      expect.objectContaining({ userAgent: null, device: 'Unknown device', current: true }),
    ]);
  });

  it('shows only the caller’s open sessions', async () => {
    const person = await registerPerson();
    const stranger = await registerPerson();
    const closed = await signInAgain(person);
    const expired = await signInAgain(person);
    const ids = [await sessionIdOf(closed), await sessionIdOf(expired)];
    await run('UPDATE sessions SET closed_at = now() WHERE id = $1', ids[0]);
    await run('UPDATE sessions SET expires_at = now() WHERE id = $1', ids[1]);
    expect((await list(person)).data).toEqual([expect.objectContaining({ current: true })]);
    expect((await list(stranger)).data).toHaveLength(1);
  });
});

describe('closing one session', () => {
  it('ends its tokens immediately and keeps the other sessions', async () => {
    const [person, other] = await twoSessions();
    const id = await sessionIdOf(other);
    const response = await close(person, `${SESSIONS}/${id}`);
    expect(response.status).toBe(204);
    expect(response.cookies).toEqual([]);
    await expectEnded(other);
    await expectAlive(person);
    const [entry, ...more] = await closings(person);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ actor_id: person.userId, target_id: id, ip_address: TEST_ADDRESS });
  });

  it('again, of another person, or with an unknown id gets 404 and closes nothing', async () => {
    const [person, other] = await twoSessions();
    const stranger = await registerPerson();
    const id = await sessionIdOf(other);
    await close(person, `${SESSIONS}/${id}`);
    const foreign = await sessionIdOf(stranger);
    for (const gone of [id, foreign, newId(), 'x']) {
      expectProblem(await close(person, `${SESSIONS}/${gone}`), 404, 'not_found');
    }
    await expectAlive(stranger);
    expect(await closings(person)).toHaveLength(1);
  });

  it('by twenty requests at once gives one 204, nineteen 404 and one audit entry', async () => {
    const [person, other] = await twoSessions();
    const id = await sessionIdOf(other);
    const responses = await Promise.all(Array.from({ length: 20 }, () => close(person, `${SESSIONS}/${id}`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(404)]);
    expect(await closings(person)).toHaveLength(1);
  });

  it('needs an access token: the refresh cookie alone closes nothing', async () => {
    const person = await registerPerson();
    const cookie = `refresh_token=${person.refreshToken}`;
    expect((await call('DELETE', `${SESSIONS}/${await sessionIdOf(person)}`, { cookie })).status).toBe(401);
    expect((await call('DELETE', SESSIONS, { cookie })).status).toBe(401);
    await expectAlive(person);
  });
});

describe('closing all sessions', () => {
  it('ends and audits every one, and mails a notice', async () => {
    const [person, other] = await twoSessions();
    const stranger = await registerPerson();
    expect((await close(person, SESSIONS)).status).toBe(204);
    await expectEnded(person);
    await expectEnded(other);
    await expectAlive(stranger);
    expect(await closings(person)).toHaveLength(2);
    const notices = (await queuedMails(person.email)).filter(({ subject }) => /sessions were closed/i.test(subject));
    expect(notices).toHaveLength(1);
    expect(notices[0]?.text).toContain(TEST_ADDRESS);
  });

  it('keeps the current one with keepCurrent=true', async () => {
    const [person, other] = await twoSessions();
    const response = await close(person, `${SESSIONS}?keepCurrent=true`);
    expect(response.status).toBe(204);
    expect(response.cookies).toEqual([]);
    await expectEnded(other);
    await expectAlive(person);
    expect(await closings(person)).toHaveLength(1);
  });

  it('closes all with keepCurrent=false; any other value is refused and closes nothing', async () => {
    const person = await registerPerson();
    for (const query of ['?keepCurrent=1', '?keepCurrent=', '?keepcurrent=true']) {
      expect((await close(person, `${SESSIONS}${query}`)).json.code).toBe('validation_failed');
    }
    await expectAlive(person);
    expect((await close(person, `${SESSIONS}?keepCurrent=false`)).status).toBe(204);
    await expectEnded(person);
  });
});

describe.each(useAdapters())('the cookie, %s', (_name, send) => {
  const CLEARED = [
    expect.stringMatching(/^refresh_token=; Path=\/api\/v1\/auth; HttpOnly; SameSite=Strict; Max-Age=0/),
    expect.stringMatching(/^eds_session=; Path=\/; SameSite=Lax; Max-Age=0/),
  ];

  it('is cleared when the current session or all are closed, and kept when another one is', async () => {
    const [first, second] = await twoSessions();
    const third = await signInAgain(first);
    const other = await send('DELETE', `${SESSIONS}/${await sessionIdOf(second)}`, asPerson(first));
    expect(other).toMatchObject({ status: 204, cookies: [] });
    const own = (await sessionIdOf(first)).toUpperCase();
    const current = await send('DELETE', `${SESSIONS}/${own}`, asPerson(first));
    expect(current).toMatchObject({ status: 204, cookies: CLEARED, text: '' });
    const kept = await send('DELETE', `${SESSIONS}?keepCurrent=true`, asPerson(third));
    expect(kept).toMatchObject({ status: 204, cookies: [] });
    expect(await send('DELETE', SESSIONS, asPerson(third))).toMatchObject({ status: 204, cookies: CLEARED });
    await expectEnded(third);
  });
});

async function twoSessions(): Promise<[TestPerson, TestPerson]> {
  const person = await registerPerson();
  return [person, await signInAgain(person)];
}

const logout = (options: CallOptions) => call('POST', '/api/v1/auth/logout', options);

const byCookie = (person: TestPerson) => ({ cookie: `refresh_token=${person.refreshToken}` });

async function expectEnded(person: TestPerson): Promise<void> {
  expectProblem(await call('GET', '/api/v1/auth/me', asPerson(person)), 401, 'unauthenticated');
  expectProblem(await call('POST', '/api/v1/auth/refresh', byCookie(person)), 401, 'invalid_refresh_token');
}

describe('logging out ends both tokens immediately', () => {
  it.each([
    ['the access token', (person: TestPerson) => asPerson(person)],
    ['the cookie', byCookie],
    ['the refresh token in the body', (person: TestPerson) => ({ body: { refreshToken: person.refreshToken } })],
    ['both', (person: TestPerson) => ({ bearer: person.accessToken, ...byCookie(person) })],
  ])('by %s', async (_what, credentials) => {
    const person = await registerPerson();
    const other = await signInAgain(person);
    const response = await logout(credentials(person));
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    expect(response.cookies).toEqual([
      expect.stringMatching(/^refresh_token=; Path=\/api\/v1\/auth; .*Max-Age=0/),
      expect.stringMatching(/^eds_session=; Path=\/; .*Max-Age=0/),
    ]);
    await expectEnded(person);
    await expectAlive(other);
    const closings = (await auditOf(person.organizationId)).filter(({ action }) => action === 'session.closed');
    expect(closings).toHaveLength(1);
    expect(closings[0]).toMatchObject({ actor_id: person.userId });
  });

  it('ends both sessions when the credentials name two', async () => {
    const first = await registerPerson();
    const second = await signInAgain(first);
    expect((await logout({ bearer: first.accessToken, ...byCookie(second) })).status).toBe(204);
    await expectEnded(first);
    await expectEnded(second);
  });

  it('never deadlocks when two requests end the same two sessions in different order', async () => {
    for (let round = 0; round < 10; round++) {
      const first = await registerPerson();
      const second = await signInAgain(first);
      const responses = await Promise.all(
        Array.from({ length: 4 }, () => [
          logout({ bearer: first.accessToken, ...byCookie(second) }),
          logout({ bearer: second.accessToken, ...byCookie(first) }),
        ]).flat(),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(204));
      await expectEnded(first);
      await expectEnded(second);
    }
  });

  it('accepts a spent refresh token', async () => {
    const person = await registerPerson();
    await call('POST', '/api/v1/auth/refresh', byCookie(person));
    await logout(byCookie(person));
    expect((await call('GET', '/api/v1/auth/me', asPerson(person))).status).toBe(401);
  });
});

describe('logging out without a live session', () => {
  it('gets 204 again, with dead tokens or none', async () => {
    const person = await registerPerson();
    await logout(byCookie(person));
    for (const options of [byCookie(person), asPerson(person), { bearer: 'x.y.z' }, {}]) {
      const response = await logout(options);
      expect(response.status).toBe(204);
      expect(response.cookies).toHaveLength(2);
    }
  });

  it('is refused from a page of another site', async () => {
    const person = await registerPerson();
    const response = await logout({ ...byCookie(person), headers: { origin: 'https://evil.example' } });
    expect(response.json.code).toBe('cross_site_request');
    await expectAlive(person);
  });

  it('is refused with two kinds of credential', async () => {
    const person = await registerPerson();
    expectProblem(await logout({ bearer: person.accessToken, apiKey: 'eds_x' }), 400, 'ambiguous_credentials');
  });
});
