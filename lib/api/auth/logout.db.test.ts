import { describe, expect, it } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { registerPerson, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { type CallOptions, call } from '@/tests/http/api-request';

useDatabase();

const logout = (options: CallOptions) => call('POST', '/api/v1/auth/logout', options);
const byCookie = (person: TestPerson) => ({ cookie: `refresh_token=${person.refreshToken}` });

async function expectEnded(person: TestPerson): Promise<void> {
  const me = await call('GET', '/api/v1/auth/me', { bearer: person.accessToken });
  expect(me.json).toMatchObject({ status: 401, code: 'unauthenticated' });
  const refreshed = await call('POST', '/api/v1/auth/refresh', byCookie(person));
  expect(refreshed.json).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
}

async function expectAlive(person: TestPerson): Promise<void> {
  expect((await call('GET', '/api/v1/auth/me', { bearer: person.accessToken })).status).toBe(200);
}

describe('logging out ends both tokens immediately', () => {
  it.each([
    ['the access token', (person: TestPerson) => ({ bearer: person.accessToken })],
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
    const me = await call('GET', '/api/v1/auth/me', { bearer: person.accessToken });
    expect(me.status).toBe(401);
  });
});

describe('logging out without a live session', () => {
  it('gets 204 again, with dead tokens or none', async () => {
    const person = await registerPerson();
    await logout(byCookie(person));
    for (const options of [byCookie(person), { bearer: person.accessToken }, { bearer: 'x.y.z' }, {}]) {
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
    const response = await logout({ bearer: person.accessToken, apiKey: 'eds_x' });
    expect(response.json).toMatchObject({ status: 400, code: 'ambiguous_credentials' });
  });
});
