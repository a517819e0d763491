import { describe, expect, it } from 'vitest';
import { checkCookieNames } from '@/lib/idp/check-cookies';
import { withoutOurCookies } from '@/lib/tunnel/relay/public/request-headers';
import { setTestConfig } from '@/tests/setup/variables';
import { clearedSessionCookies, readRefreshCookie, sessionCookies } from './refresh-cookie';

describe('the cookies of a session', () => {
  it('hide the token from scripts, other paths and other sites, and expire with it', () => {
    setTestConfig({ APP_BASE_URL: 'https://events.example.com' });
    expect(sessionCookies({ token: 'abc-_9', maxAgeSeconds: 86_400 })).toEqual([
      'refresh_token=abc-_9; Path=/api/v1/auth; HttpOnly; SameSite=Strict; Max-Age=86400; Secure',
      'eds_session=1; Path=/; SameSite=Lax; Max-Age=86400; Secure',
    ]);
    expect(clearedSessionCookies()).toEqual([
      'refresh_token=; Path=/api/v1/auth; HttpOnly; SameSite=Strict; Max-Age=0; Secure',
      'eds_session=; Path=/; SameSite=Lax; Max-Age=0; Secure',
    ]);
  });

  it('are sent over plain HTTP only if the deployment uses it', () => {
    setTestConfig({ APP_BASE_URL: 'http://localhost:3000' });
    expect(sessionCookies({ token: 'abc', maxAgeSeconds: 60 }).join()).not.toContain('Secure');
  });
});

describe('the refresh cookie', () => {
  it.each([
    [null, null],
    ['', null],
    ['theme=dark', null],
    ['xrefresh_token=a', null],
    ['refresh_token=abc', 'abc'],
    ['theme=dark; refresh_token=abc; other=1', 'abc'],
    ['refresh_token=', ''],
    ['refresh_token', ''],
    ['refresh_token=a=b', 'a=b'],
    ['refresh_token=same; refresh_token=same', 'same'],
    // Another host of the domain may have set one of them: an invalid cookie, which is refused.
    ['refresh_token=first; refresh_token=second', ''],
  ])('%j holds %j', (header, token) => {
    expect(readRefreshCookie(header)).toBe(token);
  });
});

it.each(['http://localhost:3000', 'https://app.example'])(
  'no cookie of the dashboard at %s passes through a tunnel',
  (origin) => {
    setTestConfig({ APP_BASE_URL: origin });
    const names = sessionCookies({ token: 'x', maxAgeSeconds: 1 }).map((cookie) => cookie.split('=')[0] ?? '');
    const ours = [...names, ...checkCookieNames().flatMap((check) => [check, `${check}.slot`])];
    expect(ours).toHaveLength(8);
    for (const cookie of ours) expect(withoutOurCookies(`a=1; ${cookie}=2; b=3`), cookie).toBe('a=1; b=3');
    expect(withoutOurCookies(`${names[0]}=1; ${names[1]}=1`)).toBeNull();
  },
);
