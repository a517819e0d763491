import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { PASSWORD } from '@/e2e/support/api';
import { cookieOf, newClientAddress } from '@/e2e/support/attacker';
import { TokenForger } from '@/e2e/support/forge-token';
import { APP_BASE_URL, useTarget } from '@/e2e/support/target';

// One product for all tests, with the default limits. Each attack uses its own client address.
test.describe.configure({ mode: 'default' });

const target = useTarget();

test.describe('an access token', () => {
  test('is refused unless the deployment signed it', async () => {
    const victim = await target.makeVictim();
    const forger = new TokenForger(victim.token, target.authSecret);
    expect((await target.whoAmI(forger.signed())).status).toBe(200);
    const forged = {
      'alg none': forger.unsigned('none'),
      'alg None': forger.unsigned('None'),
      'no signature': forger.unsigned('EdDSA'),
      'edited person': forger.edited({ sub: randomUUID() }),
      'edited role and organization': forger.edited({ role: 'OWNER', org: randomUUID() }),
      'edited expiry': forger.edited({ exp: 4_102_444_800 }),
      'a key of the attacker': forger.foreign(),
      'an embedded key': forger.foreign((jwk) => ({ jwk })),
      'an embedded key that has the right kid': forger.foreign((jwk) => ({ jwk: { ...jwk, kid: forger.header.kid } })),
      'a key at an address': forger.foreign(() => ({
        jku: 'https://evil.example/jwks.json',
        x5u: 'https://evil.example',
      })),
      'no kid': forger.foreign(() => ({ kid: undefined })),
      'a kid that is a path': forger.foreign(() => ({ kid: '../../../dev/null' })),
      'a kid that is SQL': forger.foreign(() => ({ kid: "' OR 1=1 --" })),
      'a kid that is __proto__': forger.foreign(() => ({ kid: '__proto__' })),
      'a critical header': forger.signed({}, { crit: ['exp'] }),
    };
    for (const [name, token] of [...Object.entries(forged), ...forger.symmetric().map((t) => ['HS256', t] as const)]) {
      const response = await target.whoAmI(token);
      expect(response.json, name).toMatchObject({ status: 401, code: 'unauthenticated' });
    }
  });

  test('is refused with wrong claims, even with a valid signature', async () => {
    const victim = await target.makeVictim();
    const forger = new TokenForger(victim.token, target.authSecret);
    const now = Math.floor(Date.now() / 1000);
    const past = await target.whoAmI(forger.signed({ iat: now - 1000, exp: now - 100 }));
    expect(past.json).toMatchObject({ status: 401, code: 'token_expired' });
    const wrong = {
      'another issuer': { iss: 'https://other.example.com' },
      'another audience': { aud: 'another-service' },
      'no expiry': { exp: undefined },
      'no session': { sid: undefined },
      'an unknown session': { sid: randomUUID() },
      'a session of another person': { sub: (await target.makeVictim()).userId },
      'a session that is an object': { sid: { $ne: null } },
      'an unknown role': { role: 'ROOT' },
    };
    for (const [name, claims] of Object.entries(wrong)) {
      expect((await target.whoAmI(forger.signed(claims))).json, name).toMatchObject({
        status: 401,
        code: 'unauthenticated',
      });
    }
    expect((await target.whoAmI(forger.signed({ iat: now, exp: now + 60 }))).status).toBe(200);
  });

  test('with a higher role or another organization has the permissions of the current membership', async () => {
    const [victim, attacker] = [await target.makeVictim(), await target.makeVictim()];
    const forger = new TokenForger(attacker.token, target.authSecret);
    const elsewhere = forger.signed({ org: victim.organizationId, role: 'OWNER' });
    expect((await target.send('GET', `/orgs/${victim.organizationId}`, { token: elsewhere })).status).toBe(404);
    expect((await target.send('GET', `/orgs/${attacker.organizationId}`, { token: elsewhere })).status).toBe(200);
  });

  test('cannot be used as a refresh token, nor the reverse', async () => {
    const victim = await target.makeVictim();
    const refreshToken = victim.cookie.replace('refresh_token=', '');
    expect((await target.whoAmI(refreshToken)).status).toBe(401);
    expect((await target.refresh(`refresh_token=${victim.token}`)).json.code).toBe('invalid_refresh_token');
    expect((await target.refresh(victim.cookie)).status).toBe(200);
  });
});

test.describe('a refresh token', () => {
  test('works once when used twenty times at once, and the session stays open', async () => {
    const victim = await target.makeVictim();
    const responses = await Promise.all(Array.from({ length: 20 }, () => target.refresh(victim.cookie)));
    const won = responses.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expect(response.json.code).toBe('refresh_superseded');
      expect(response.cookies).toEqual([]);
    }
    expect((await target.whoAmI(won[0]?.json.accessToken)).status).toBe(200);
  });

  test('that is replayed later closes the session and is recorded in the audit log', async () => {
    const victim = await target.makeVictim();
    const next = cookieOf(await target.refresh(victim.cookie));
    await target.database.query(
      `UPDATE refresh_tokens SET spent_at = spent_at - interval '11 seconds' WHERE spent_at IS NOT NULL
       AND session_id IN (SELECT id FROM sessions WHERE user_id = $1)`,
      [victim.userId],
    );
    expect((await target.refresh(victim.cookie)).json.code).toBe('refresh_superseded');
    expect((await target.refresh(next)).json.code).toBe('invalid_refresh_token');
    expect((await target.whoAmI(victim.token)).status).toBe(401);
    const { rows } = await target.database.query(
      `SELECT count(*)::int AS n FROM audit_log WHERE action = 'session.theft_detected' AND actor_id = $1`,
      [victim.userId],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('is refused from another site, but not from our own', async () => {
    const victim = await target.makeVictim();
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: `${APP_BASE_URL}.evil.example` },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: APP_BASE_URL },
    ];
    for (const headers of foreign) {
      expect((await target.refresh(victim.cookie, headers)).json).toMatchObject({
        status: 403,
        code: 'cross_site_request',
      });
      const out = await target.send('POST', '/auth/logout', { cookie: victim.cookie, headers });
      expect(out.json.code).toBe('cross_site_request');
    }
    expect(
      (await target.refresh(victim.cookie, { origin: APP_BASE_URL, 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(200);
  });

  test('is in a cookie hidden from scripts, other sites, other paths and plain http', async () => {
    const victim = await target.makeVictim();
    const from = newClientAddress();
    const set = (await target.logIn(victim.email, PASSWORD, from)).cookies;
    const [refresh = '', presence = ''] = set;
    expect(set).toHaveLength(2);
    // Pages read the other cookie, so it tells nothing but that there may be a session.
    expect(presence).toMatch(/^eds_session=1; Path=\/; SameSite=Lax; Max-Age=\d+; Secure$/);
    const attributes = refresh.split('; ').slice(1).sort();
    expect(attributes).toEqual(['HttpOnly', 'Max-Age=86400', 'Path=/api/v1/auth', 'SameSite=Strict', 'Secure']);
    const cleared = await target.send('POST', '/auth/logout', { cookie: refresh.split(';')[0] ?? '' });
    expect(cleared.cookies[0]).toMatch(/^refresh_token=; .*Max-Age=0/);
    expect(cleared.cookies[1]).toMatch(/^eds_session=; .*Max-Age=0/);
  });
});

test.describe('a session', () => {
  test('is never the one that an attacker planted (fixation)', async () => {
    const [victim, attacker] = [await target.makeVictim(), await target.makeVictim()];
    const planted = await target.logIn(victim.email, PASSWORD, newClientAddress(), { cookie: attacker.cookie });
    expect(planted.json.user.id).toBe(victim.userId);
    expect(cookieOf(planted)).not.toBe(attacker.cookie);
    expect((await target.refresh(attacker.cookie)).json.user.id).toBe(attacker.userId);
    const again = await target.logIn(victim.email, PASSWORD, newClientAddress(), { cookie: cookieOf(planted) });
    expect(cookieOf(again)).not.toBe(cookieOf(planted));
  });

  test('of another person can be neither seen nor closed', async () => {
    const [victim, attacker] = [await target.makeVictim(), await target.makeVictim()];
    const list = (token: string) => target.send('GET', '/auth/sessions', { token });
    const sessionId = (await list(victim.token)).json.data[0].id;
    expect(JSON.stringify((await list(attacker.token)).json)).not.toContain(sessionId);
    const foreign = await target.send('DELETE', `/auth/sessions/${sessionId}`, { token: attacker.token });
    expect(foreign.json).toMatchObject({ status: 404, code: 'not_found' });
    expect((await target.whoAmI(victim.token)).status).toBe(200);
    expect((await target.send('DELETE', `/auth/sessions/${sessionId}`, { token: victim.token })).status).toBe(204);
    expect((await target.whoAmI(victim.token)).status).toBe(401);
  });
});
