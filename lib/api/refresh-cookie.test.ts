import { describe, expect, it } from 'vitest';
import { setTestConfig } from '@/tests/setup/variables';
import { clearedRefreshCookie, readRefreshCookie, refreshCookie } from './refresh-cookie';

describe('the refresh cookie', () => {
  it('is hidden from scripts, other paths and other sites, and expires with the token', () => {
    setTestConfig({ APP_BASE_URL: 'https://events.example.com' });
    expect(refreshCookie({ token: 'abc-_9', maxAgeSeconds: 86_400 })).toBe(
      'refresh_token=abc-_9; Path=/api/v1/auth; HttpOnly; SameSite=Strict; Max-Age=86400; Secure',
    );
    expect(clearedRefreshCookie()).toBe(
      'refresh_token=; Path=/api/v1/auth; HttpOnly; SameSite=Strict; Max-Age=0; Secure',
    );
  });

  it('is sent over plain HTTP only if the deployment uses it', () => {
    setTestConfig({ APP_BASE_URL: 'http://localhost:3000' });
    expect(refreshCookie({ token: 'abc', maxAgeSeconds: 60 })).not.toContain('Secure');
  });

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
