import { describe, expect, it } from 'vitest';
import type { Session } from '@/lib/auth/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails } from '@/tests/fixtures/mails';
import { PASSWORD, registerPerson, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { useAdapters } from '@/tests/http/adapters';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase();
const adapters = useAdapters();

const SESSIONS = '/api/v1/auth/sessions';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0';

const list = async (person: TestPerson, query = '') => {
  const path = `${SESSIONS}${query}`;
  return (await call<{ data: Session[]; nextCursor: string | null }>('GET', path, { bearer: person.accessToken })).json;
};
const sessionIdOf = async (person: TestPerson) => (await list(person)).data.find(({ current }) => current)?.id ?? '';
const close = (person: TestPerson, path: string) => call('DELETE', path, { bearer: person.accessToken });

async function expectEnded(person: TestPerson): Promise<void> {
  const me = await call('GET', '/api/v1/auth/me', { bearer: person.accessToken });
  expect(me.json).toMatchObject({ status: 401, code: 'unauthenticated' });
  const body = { refreshToken: person.refreshToken };
  expect((await call('POST', '/api/v1/auth/refresh', { body })).json.code).toBe('invalid_refresh_token');
}

async function expectAlive(person: TestPerson): Promise<void> {
  expect((await call('GET', '/api/v1/auth/me', { bearer: person.accessToken })).status).toBe(200);
}

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

  it('shows any user agent, cut to 512 characters', async () => {
    const person = await registerPerson();
    const body = { email: person.email, password: PASSWORD };
    const odd = [`Mozilla/5.0 ${'('.repeat(2000)}`, 'a\0b', '\uD800', '/', 'curl/8.5'];
    for (const userAgent of odd) {
      const headers = { 'user-agent': userAgent };
      expect((await call('POST', '/api/v1/auth/login', { body, headers })).status).toBe(200);
    }
    const { data } = await list(person);
    expect(data.map(({ device }) => device)).toEqual(['curl', ...Array(5).fill('Unknown device')]);
    expect(Math.max(...data.map(({ userAgent }) => userAgent?.length ?? 0))).toBe(512);
  });

  it('shows only the caller’s open sessions', async () => {
    const [person, stranger] = [await registerPerson(), await registerPerson()];
    const [closed, expired] = [await signInAgain(person), await signInAgain(person)];
    const ids = [await sessionIdOf(closed), await sessionIdOf(expired)];
    await database().query('UPDATE sessions SET closed_at = now() WHERE id = $1', [ids[0]]);
    await database().query('UPDATE sessions SET expires_at = now() WHERE id = $1', [ids[1]]);
    expect((await list(person)).data).toEqual([expect.objectContaining({ current: true })]);
    expect((await list(stranger)).data).toHaveLength(1);
  });

  it('is paged like every list', async () => {
    const person = await registerPerson();
    await Promise.all([1, 2, 3, 4].map(() => signInAgain(person)));
    const all = (await list(person)).data.map(({ id }) => id);
    expect(all).toEqual([...all].sort().reverse());
    const first = await list(person, '?limit=3');
    const second = await list(person, `?limit=3&cursor=${first.nextCursor}`);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(all);
    expect(second.nextCursor).toBeNull();
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
      expect((await close(person, `${SESSIONS}/${gone}`)).json).toMatchObject({ status: 404, code: 'not_found' });
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

  it('changes nothing and mails nobody with keepCurrent=true and no other session', async () => {
    const person = await registerPerson();
    expect((await close(person, `${SESSIONS}?keepCurrent=true`)).status).toBe(204);
    await expectAlive(person);
    expect((await queuedMails(person.email)).filter(({ subject }) => /sessions were closed/i.test(subject))).toEqual(
      [],
    );
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

describe.each(adapters)('the cookie, %s', (_name, send) => {
  const CLEARED = [
    expect.stringMatching(/^refresh_token=; Path=\/api\/v1\/auth; HttpOnly; SameSite=Strict; Max-Age=0/),
    expect.stringMatching(/^eds_session=; Path=\/; SameSite=Lax; Max-Age=0/),
  ];

  it('is cleared when the current session or all are closed, and kept when another one is', async () => {
    const [first, second] = await twoSessions();
    const third = await signInAgain(first);
    const other = await send('DELETE', `${SESSIONS}/${await sessionIdOf(second)}`, { bearer: first.accessToken });
    expect(other).toMatchObject({ status: 204, cookies: [] });
    const own = (await sessionIdOf(first)).toUpperCase();
    const current = await send('DELETE', `${SESSIONS}/${own}`, { bearer: first.accessToken });
    expect(current).toMatchObject({ status: 204, cookies: CLEARED, text: '' });
    const kept = await send('DELETE', `${SESSIONS}?keepCurrent=true`, { bearer: third.accessToken });
    expect(kept).toMatchObject({ status: 204, cookies: [] });
    const all = await send('DELETE', SESSIONS, { bearer: third.accessToken });
    expect(all).toMatchObject({ status: 204, cookies: CLEARED });
    await expectEnded(third);
  });
});

async function twoSessions(): Promise<[TestPerson, TestPerson]> {
  const person = await registerPerson();
  return [person, await signInAgain(person)];
}
