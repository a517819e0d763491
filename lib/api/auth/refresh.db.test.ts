import { describe, expect, it } from 'vitest';
import type { RestoredSession } from '@/lib/auth/schema';
import { storedRateLimitKey } from '@/lib/platform/count-in-transaction';
import { setOnce } from '@/lib/platform/globals';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails } from '@/tests/fixtures/mails';
import { asPerson, refreshTokenOf, registerPerson, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { age, byBody, byCookie, isAlive, refresh, refused } from '@/tests/fixtures/refreshes';
import { passTime } from '@/tests/fixtures/sign-in-limits';
import { type CallOptions, call, expectInvalid, expectProblem, TEST_ADDRESS } from '@/tests/http/api-request';
import { setTestConfig } from '@/tests/setup/variables';

const ENCRYPTION_KEY = Buffer.alloc(32, 1).toString('base64');
const OLD = 'o'.repeat(40);
const NEW = 'n'.repeat(40);
const db = useDatabase({ ENCRYPTION_KEY, AUTH_SECRET: OLD });

describe('a refresh', () => {
  it('gets the response of a sign-in, with a new cookie and no refresh token in the body', async () => {
    const person = await registerPerson();
    const response = await refresh(byCookie(person.refreshToken));
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({ tokenType: 'Bearer', user: { id: person.userId } });
    expect(response.json.organization?.id).toBe(person.organizationId);
    expect(response.json).not.toHaveProperty('refreshToken');
    const next = refreshTokenOf(response);
    expect(next).toHaveLength(43);
    expect(next).not.toBe(person.refreshToken);
    expect(await isAlive(response.json.accessToken)).toBe(true);
    expect((await refresh(byCookie(next))).status).toBe(200);
  });

  it('with a token in the body gets the next one in the body', async () => {
    const person = await registerPerson();
    const response = await refresh(byBody(person.refreshToken));
    expect(response.status).toBe(200);
    expect(response.json.refreshToken).toBe(refreshTokenOf(response));
    expect((await refresh(byBody(response.json.refreshToken))).status).toBe(200);
  });

  it('reads the cookie before the body, and does not try the body after a bad cookie', async () => {
    const inCookie = await registerPerson();
    const inBody = await registerPerson();
    const both = { ...byCookie(inCookie.refreshToken), ...byBody(inBody.refreshToken) };
    expect((await refresh(both)).json.user.id).toBe(inCookie.userId);
    for (const cookie of ['refresh_token=bad', 'refresh_token=', 'theme=dark; refresh_token="x"']) {
      expectProblem(await refused({ cookie, ...byBody(inBody.refreshToken) }), 401, 'invalid_refresh_token');
    }
    expect((await refresh(byBody(inBody.refreshToken))).status).toBe(200);
  });

  it('keeps the session and updates lastUsedAt', async () => {
    const person = await registerPerson();
    await run(`UPDATE sessions SET last_used_at = now() - interval '1 hour' WHERE user_id = $1`, person.userId);
    await refresh(byCookie(person.refreshToken));
    const rows = await select(
      `SELECT last_used_at > now() - interval '1 minute' AS is_fresh FROM sessions WHERE user_id = $1`,
      person.userId,
    );
    expect(rows).toEqual([{ is_fresh: true }]);
  });

  it('moves the session out of an organization that the person has left', async () => {
    const owner = await registerPerson();
    const person = await registerPerson();
    await run('UPDATE sessions SET organization_id = $2 WHERE user_id = $1', person.userId, owner.organizationId);
    expect((await refresh(byCookie(person.refreshToken))).json.organization?.id).toBe(person.organizationId);
  });

  it('never moves the end of the session: exactly 30 days after sign-in', async () => {
    const person = await registerPerson();
    await run(
      `UPDATE sessions SET created_at = created_at - interval '10 days', expires_at = expires_at - interval '10 days'
       WHERE user_id = $1`,
      person.userId,
    );
    let token: string | undefined = person.refreshToken;
    for (let round = 0; round < 3; round++) token = refreshTokenOf(await refresh(byCookie(token)));
    const rows = await select(
      `SELECT round(extract(epoch FROM expires_at - created_at))::int AS seconds FROM sessions WHERE user_id = $1`,
      person.userId,
    );
    expect(rows).toEqual([{ seconds: 30 * 24 * 60 * 60 }]);
  });

  it('gives a token that expires no later than its session', async () => {
    const person = await registerPerson();
    await run(`UPDATE sessions SET expires_at = now() + interval '90 seconds' WHERE user_id = $1`, person.userId);
    const response = await refresh(byCookie(person.refreshToken));
    const maxAge = Number(/Max-Age=(\d+)/.exec(response.cookies[0] ?? '')?.[1]);
    expect(maxAge).toBeGreaterThan(60);
    expect(maxAge).toBeLessThanOrEqual(90);
    await run('UPDATE sessions SET expires_at = now() WHERE user_id = $1', person.userId);
    expectProblem(await refused(byCookie(refreshTokenOf(response))), 401, 'invalid_refresh_token');
    expect(await isAlive(response.json.accessToken)).toBe(false);
  });
});

describe('a refresh token works once', () => {
  it('succeeds once when twenty requests use it; the others keep the cookie, and the winner stays signed in', async () => {
    const person = await registerPerson();
    const responses = await Promise.all(Array.from({ length: 20 }, () => refresh(byCookie(person.refreshToken))));
    const winners = responses.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    for (const loser of responses.filter(({ status }) => status !== 200)) {
      expectProblem(loser, 401, 'refresh_superseded');
      expect(loser.cookies).toEqual([]);
    }
    const winner = winners[0];
    expect(await isAlive(winner?.json.accessToken ?? '')).toBe(true);
    expect((await refresh(byCookie(winner && refreshTokenOf(winner)))).status).toBe(200);
  });

  it('is refused without closing the session when it was spent less than 10 s ago', async () => {
    const person = await registerPerson();
    const next = await refresh(byCookie(person.refreshToken));
    await age(person, `spent_at = spent_at - interval '8 seconds'`);
    const again = await refused(byCookie(person.refreshToken));
    expectProblem(again, 401, 'refresh_superseded');
    expect(again.cookies).toEqual([]);
    expect(await isAlive(next.json.accessToken)).toBe(true);
  });

  it('closes the session as stolen, once, when it was spent more than 10 s ago', async () => {
    const person = await registerPerson();
    const next = await refresh(byCookie(person.refreshToken));
    await age(person, `spent_at = spent_at - interval '11 seconds'`);
    const replays = await Promise.all([1, 2, 3].map(() => refused(byCookie(person.refreshToken))));
    expect(replays.map(({ json }) => json.status)).toEqual([401, 401, 401]);
    expect(replays.map(({ json }) => json.code)).toContain('refresh_superseded');
    expect(await isAlive(next.json.accessToken)).toBe(false);
    expect(await isAlive(person.accessToken)).toBe(false);
    expect((await refused(byCookie(refreshTokenOf(next)))).json.code).toBe('invalid_refresh_token');
    const thefts = (await auditOf(person.organizationId)).filter(({ action }) => action === 'session.theft_detected');
    expect(thefts).toHaveLength(1);
    expect(thefts[0]).toMatchObject({ actor_id: person.userId, ip_address: TEST_ADDRESS });
    const notices = (await queuedMails(person.email)).filter(({ subject }) =>
      /closed one of your sessions/.test(subject),
    );
    expect(notices).toHaveLength(1);
  });

  it('closes the session when it is replayed while its successor is refreshed, in either order', async () => {
    const person = await registerPerson();
    const next = refreshTokenOf(await refresh(byCookie(person.refreshToken)));
    await age(person, `spent_at = spent_at - interval '11 seconds'`);
    const [rightful] = await Promise.all([refresh(byCookie(next)), refused(byCookie(person.refreshToken))]);
    expect(await isAlive(person.accessToken)).toBe(false);
    if (rightful.status === 200) expect(await isAlive(rightful.json.accessToken)).toBe(false);
  });
});

describe('beyond 1,000 refreshes of a person in an hour', () => {
  /** Refreshes once, and counts as many more. */
  async function refreshOften(person: TestPerson, more: number): Promise<string | undefined> {
    const next = refreshTokenOf(await refresh(byCookie(person.refreshToken)));
    const key = storedRateLimitKey({ name: 'refresh', key: person.userId });
    await run('UPDATE rate_limits SET points = points + $2 WHERE key = $1', key, more);
    return next;
  }

  it('the next gets 429 without spending its token, in all sessions of that person only', async () => {
    const person = await registerPerson();
    const again = await signInAgain(person);
    const other = await registerPerson();
    const last = refreshTokenOf(await refresh(byCookie(await refreshOften(person, 998))));
    for (const token of [last, again.refreshToken]) {
      const response = await refused(byCookie(token));
      expectProblem(response, 429, 'rate_limited');
      expect(response.headers['retry-after']).toBe('60');
      expect(response.cookies).toEqual([]);
    }
    expect((await refresh(byCookie(other.refreshToken))).status).toBe(200);
    await passTime(3_601);
    expect((await refresh(byCookie(last))).status).toBe(200);
  });

  it('a replay is noticed, and refused ones do not count', async () => {
    const person = await registerPerson();
    const next = await refreshOften(person, 999);
    await refused(byCookie(next));
    await age(person, `spent_at = spent_at - interval '11 seconds'`);
    expectProblem(await refused(byCookie(person.refreshToken)), 401, 'refresh_superseded');
    expect(await isAlive(person.accessToken)).toBe(false);
    const key = storedRateLimitKey({ name: 'refresh', key: person.userId });
    expect(await select('SELECT points FROM rate_limits WHERE key = $1', key)).toEqual([{ points: 1_000 }]);
  });
});

describe('refuses to refresh', () => {
  it.each([
    ['no token at all', {}],
    ['an unknown token', byCookie('A'.repeat(43))],
    ['an access token', byBody('a.b.c')],
  ])('%s', async (_what, options) => {
    expectProblem(await refused(options), 401, 'invalid_refresh_token');
  });

  it('an expired token, and clears its cookie', async () => {
    const person = await registerPerson();
    await age(person, 'expires_at = now()');
    const response = await refused(byCookie(person.refreshToken));
    expectProblem(response, 401, 'invalid_refresh_token');
    expect(response.cookies).toEqual([
      expect.stringMatching(/^refresh_token=; .*Max-Age=0/),
      expect.stringMatching(/^eds_session=; .*Max-Age=0/),
    ]);
    expect((await refused(byBody(person.refreshToken))).cookies).toEqual([]);
  });

  it('a token of a closed session, or of an erased person', async () => {
    const closed = await registerPerson();
    const erased = await registerPerson();
    await run('UPDATE sessions SET closed_at = now() WHERE user_id = $1', closed.userId);
    await run('UPDATE users SET erased_at = now() WHERE id = $1', erased.userId);
    for (const { refreshToken } of [closed, erased]) {
      expect((await refused(byCookie(refreshToken))).json.code).toBe('invalid_refresh_token');
    }
  });

  it('a spent token of an erased person, and sends no mail', async () => {
    const person = await registerPerson();
    await refresh(byCookie(person.refreshToken));
    await age(person, `spent_at = spent_at - interval '11 seconds'`);
    await run('UPDATE users SET erased_at = now() WHERE id = $1', person.userId);
    expect((await refused(byCookie(person.refreshToken))).json.code).toBe('invalid_refresh_token');
    expect(
      (await queuedMails(person.email)).filter(({ subject }) => /closed one of your sessions/.test(subject)),
    ).toEqual([]);
  });

  const FOREIGN: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  it.each(FOREIGN)('a request from another site with %j, before the token is spent', async (headers) => {
    const person = await registerPerson();
    for (const body of [{}, '{"broken']) {
      expectProblem(await refused({ ...byCookie(person.refreshToken), headers, body }), 403, 'cross_site_request');
    }
    const own = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' };
    expect((await refresh({ ...byCookie(person.refreshToken), headers: own })).status).toBe(200);
  });

  it('a body with an unknown field or another type', async () => {
    expectInvalid(await refused({ body: { refresh_token: 'x' } }), 'refresh_token');
    expect((await refused({ body: { refreshToken: 7 } })).status).toBe(400);
    expect((await refused({ body: 'x', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  });
});

const restore = (options: CallOptions = {}) => call<RestoredSession>('POST', '/api/v1/auth/restore', options);

const CLEARED = [expect.stringMatching(/^refresh_token=; /), expect.stringMatching(/^eds_session=; /)];

async function changeSessions(person: TestPerson, set: string): Promise<void> {
  await run(`UPDATE sessions SET ${set} WHERE user_id = $1`, person.userId);
}

describe('restoring the session of a browser', () => {
  it('gets new tokens for an open session, and spends the cookie once', async () => {
    const person = await registerPerson();
    const response = await restore(byCookie(person.refreshToken));
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({ session: { user: { id: person.userId } }, ended: null });
    expect(response.json.session).not.toHaveProperty('refreshToken');
    const next = refreshTokenOf(response);
    expect(next).not.toBe(person.refreshToken);
    const bearer = response.json.session?.accessToken ?? '';
    expect((await call('GET', '/api/v1/auth/me', { bearer })).status).toBe(200);
    expect((await restore(byCookie(person.refreshToken))).json).toMatchObject({ code: 'refresh_superseded' });
    expect((await restore(byCookie(next))).json.session?.user.id).toBe(person.userId);
  });

  it('says that the session was closed on another device, and clears the cookies', async () => {
    const person = await registerPerson();
    const other = await signInAgain(person);
    const path = '/api/v1/auth/sessions?keepCurrent=true';
    expect((await call('DELETE', path, asPerson(other))).status).toBe(204);
    const response = await restore(byCookie(person.refreshToken));
    expect(response).toMatchObject({ status: 200, json: { session: null, ended: 'closed' } });
    expect(response.cookies).toEqual(CLEARED);
    expect((await restore(byCookie(other.refreshToken))).json.session?.user.id).toBe(person.userId);
  });

  it('says expired for an old session and for a token that nobody knows', async () => {
    const person = await registerPerson();
    await changeSessions(person, 'expires_at = now()');
    for (const token of [person.refreshToken, 'A'.repeat(43), '']) {
      const response = await restore(byCookie(token));
      expect(response).toMatchObject({ status: 200, json: { session: null, ended: 'expired' } });
      expect(response.cookies).toEqual(CLEARED);
    }
  });

  it('says nothing to a browser without a cookie', async () => {
    expect((await restore()).json).toEqual({ session: null, ended: null });
  });

  it('is refused to a page of another site, and the token is not spent', async () => {
    const person = await registerPerson();
    const foreign = await restore({ ...byCookie(person.refreshToken), headers: { origin: 'https://evil.example' } });
    expectProblem(foreign, 403, 'cross_site_request');
    expect((await restore(byCookie(person.refreshToken))).json.session?.user.id).toBe(person.userId);
  });
});

/** Simulates a restart with these secrets. */
function restartWith(AUTH_SECRET: string): void {
  setTestConfig({ DATABASE_URL: db.url, ENCRYPTION_KEY, AUTH_SECRET });
  setOnce('signing-keys', undefined);
}

const me = (bearer: string) => call('GET', '/api/v1/auth/me', { bearer });

it('adding a new first secret signs nobody out; removing the old one invalidates its access tokens, and a refresh replaces them', async () => {
  restartWith(OLD);
  const person = await registerPerson();

  restartWith(`${NEW},${OLD}`);
  expect((await me(person.accessToken)).status).toBe(200);
  const renewed = await refresh(byBody(person.refreshToken));
  expect((await me(renewed.json.accessToken)).status).toBe(200);

  restartWith(NEW);
  expect((await me(renewed.json.accessToken)).status).toBe(200);
  expectProblem(await me(person.accessToken), 401, 'unauthenticated');
  const next = await refresh(byBody(renewed.json.refreshToken));
  expect(next.status).toBe(200);
  expect((await me(next.json.accessToken)).status).toBe(200);
});
