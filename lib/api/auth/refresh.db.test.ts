import { describe, expect, it } from 'vitest';
import type { SignedIn } from '@/lib/auth/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { queuedMails } from '@/tests/fixtures/mails';
import { refreshTokenOf, registerPerson } from '@/tests/fixtures/people';
import { age, byBody, byCookie, isAlive, refresh, refused } from '@/tests/fixtures/refreshes';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase();

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
    const [inCookie, inBody] = [await registerPerson(), await registerPerson()];
    const both = { ...byCookie(inCookie.refreshToken), ...byBody(inBody.refreshToken) };
    expect((await refresh(both)).json.user.id).toBe(inCookie.userId);
    for (const cookie of ['refresh_token=bad', 'refresh_token=', 'theme=dark; refresh_token="x"']) {
      const response = await refused({ cookie, ...byBody(inBody.refreshToken) });
      expect(response.json).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
    }
    expect((await refresh(byBody(inBody.refreshToken))).status).toBe(200);
  });

  it('keeps the session and updates lastUsedAt', async () => {
    const person = await registerPerson();
    await database().query(`UPDATE sessions SET last_used_at = now() - interval '1 hour' WHERE user_id = $1`, [
      person.userId,
    ]);
    await refresh(byCookie(person.refreshToken));
    const { rows } = await database().query(
      `SELECT last_used_at > now() - interval '1 minute' AS is_fresh FROM sessions WHERE user_id = $1`,
      [person.userId],
    );
    expect(rows).toEqual([{ is_fresh: true }]);
  });

  it('moves the session out of an organization that the person has left', async () => {
    const [owner, person] = [await registerPerson(), await registerPerson()];
    await database().query('UPDATE sessions SET organization_id = $2 WHERE user_id = $1', [
      person.userId,
      owner.organizationId,
    ]);
    const response = await refresh(byCookie(person.refreshToken));
    expect(response.json.organization?.id).toBe(person.organizationId);
  });

  it('never moves the end of the session: exactly 30 days after sign-in', async () => {
    const person = await registerPerson();
    await database().query(
      `UPDATE sessions SET created_at = created_at - interval '10 days', expires_at = expires_at - interval '10 days'
       WHERE user_id = $1`,
      [person.userId],
    );
    let token: string | undefined = person.refreshToken;
    for (let round = 0; round < 3; round++) token = refreshTokenOf(await refresh(byCookie(token)));
    const { rows } = await database().query(
      `SELECT round(extract(epoch FROM expires_at - created_at))::int AS seconds FROM sessions WHERE user_id = $1`,
      [person.userId],
    );
    expect(rows).toEqual([{ seconds: 30 * 24 * 60 * 60 }]);
  });

  it('gives a token that expires no later than its session', async () => {
    const person = await registerPerson();
    await database().query(`UPDATE sessions SET expires_at = now() + interval '90 seconds' WHERE user_id = $1`, [
      person.userId,
    ]);
    const response = await refresh(byCookie(person.refreshToken));
    const maxAge = Number(/Max-Age=(\d+)/.exec(response.cookies[0] ?? '')?.[1]);
    expect(maxAge).toBeGreaterThan(60);
    expect(maxAge).toBeLessThanOrEqual(90);
    await database().query('UPDATE sessions SET expires_at = now() WHERE user_id = $1', [person.userId]);
    const late = await refused(byCookie(refreshTokenOf(response)));
    expect(late.json).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
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
      expect(loser.json).toMatchObject({ status: 401, code: 'refresh_superseded' });
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
    expect(again.json).toMatchObject({ status: 401, code: 'refresh_superseded' });
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

  it('closes no other session when it was stolen', async () => {
    const person = await registerPerson();
    const body = { email: person.email, password: 'correct horse battery' };
    const other = await call<SignedIn>('POST', '/api/v1/auth/login', { body });
    await refresh(byCookie(person.refreshToken));
    await age(person, `spent_at = spent_at - interval '11 seconds'`);
    await refused(byCookie(person.refreshToken));
    expect(await isAlive(person.accessToken)).toBe(false);
    expect(await isAlive(other.json.accessToken)).toBe(true);
  });
});
