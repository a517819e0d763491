import { describe, expect, it } from 'vitest';
import type { RestoredSession } from '@/lib/auth/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { refreshTokenOf, registerPerson, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { type CallOptions, call } from '@/tests/http/api-request';

useDatabase();

const restore = (options: CallOptions = {}) => call<RestoredSession>('POST', '/api/v1/auth/restore', options);
const byCookie = (token: string | undefined) => ({ cookie: `refresh_token=${token}` });
const CLEARED = [expect.stringMatching(/^refresh_token=; /), expect.stringMatching(/^eds_session=; /)];

async function changeSessions(person: TestPerson, set: string): Promise<void> {
  await database().query(`UPDATE sessions SET ${set} WHERE user_id = $1`, [person.userId]);
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
    expect((await call('DELETE', path, { bearer: other.accessToken })).status).toBe(204);
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
    expect(foreign.json).toMatchObject({ status: 403, code: 'cross_site_request' });
    expect((await restore(byCookie(person.refreshToken))).json.session?.user.id).toBe(person.userId);
  });

  it('closes the session when a token is replayed late', async () => {
    const person = await registerPerson();
    const next = refreshTokenOf(await restore(byCookie(person.refreshToken)));
    await database().query(
      `UPDATE refresh_tokens SET spent_at = now() - interval '11 seconds' WHERE spent_at IS NOT NULL`,
    );
    expect((await restore(byCookie(person.refreshToken))).json).toMatchObject({ code: 'refresh_superseded' });
    expect((await restore(byCookie(next))).json).toEqual({ session: null, ended: 'closed' });
  });
});
