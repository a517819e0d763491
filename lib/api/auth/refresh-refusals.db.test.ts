import { describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { queuedMails } from '@/tests/fixtures/mails';
import { registerPerson } from '@/tests/fixtures/people';
import { age, byBody, byCookie, refresh, refused } from '@/tests/fixtures/refreshes';

useDatabase();

describe('refuses to refresh', () => {
  it.each([
    ['no token at all', {}],
    ['an unknown token', byCookie('A'.repeat(43))],
    ['an access token', byBody('a.b.c')],
  ])('%s', async (_what, options) => {
    expect((await refused(options)).json).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
  });

  it('an expired token, and clears its cookie', async () => {
    const person = await registerPerson();
    await age(person, 'expires_at = now()');
    const response = await refused(byCookie(person.refreshToken));
    expect(response.json).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
    expect(response.cookies).toEqual([
      expect.stringMatching(/^refresh_token=; .*Max-Age=0/),
      expect.stringMatching(/^eds_session=; .*Max-Age=0/),
    ]);
    expect((await refused(byBody(person.refreshToken))).cookies).toEqual([]);
  });

  it('a token of a closed session, or of an erased person', async () => {
    const [closed, erased] = [await registerPerson(), await registerPerson()];
    await database().query('UPDATE sessions SET closed_at = now() WHERE user_id = $1', [closed.userId]);
    await database().query('UPDATE users SET erased_at = now() WHERE id = $1', [erased.userId]);
    for (const { refreshToken } of [closed, erased]) {
      expect((await refused(byCookie(refreshToken))).json.code).toBe('invalid_refresh_token');
    }
  });

  it('a spent token of an erased person, and sends no mail', async () => {
    const person = await registerPerson();
    await refresh(byCookie(person.refreshToken));
    await age(person, `spent_at = spent_at - interval '11 seconds'`);
    await database().query('UPDATE users SET erased_at = now() WHERE id = $1', [person.userId]);
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
      const response = await refused({ ...byCookie(person.refreshToken), headers, body });
      expect(response.json).toMatchObject({ status: 403, code: 'cross_site_request' });
    }
    const own = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' };
    expect((await refresh({ ...byCookie(person.refreshToken), headers: own })).status).toBe(200);
  });

  it('a body with an unknown field or another type', async () => {
    expect((await refused({ body: { refresh_token: 'x' } })).json).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'refresh_token' }],
    });
    expect((await refused({ body: { refreshToken: 7 } })).status).toBe(400);
    expect((await refused({ body: 'x', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  });
});
