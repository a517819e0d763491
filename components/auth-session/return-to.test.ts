import { describe, expect, it } from 'vitest';
import { loginPath, safeReturnTo, signedOutPath } from './return-to';

describe('safeReturnTo', () => {
  it.each([null, undefined, '', 'projects/1', 'https://evil.example'])('falls back to / for %j', (value) => {
    expect(safeReturnTo(value)).toBe('/');
  });

  it.each(['/login', '/login?returnTo=/x', '/register', '/api/v1/auth/logout'])('never leads back to %s', (value) => {
    expect(safeReturnTo(value)).toBe('/');
  });
});

describe('loginPath', () => {
  it('carries the return path', () => {
    expect(loginPath('/projects/1/keys?x=1')).toBe('/login?returnTo=%2Fprojects%2F1%2Fkeys%3Fx%3D1');
  });

  it('adds nothing when the return path is /', () => {
    expect(loginPath('/')).toBe('/login');
    expect(loginPath('//evil.example', '/register')).toBe('/register');
  });
});

describe('signedOutPath', () => {
  it('returns after an ended session, but not after a sign-out', () => {
    expect(signedOutPath('ended', '/account?x=1', false)).toBe('/login?returnTo=%2Faccount%3Fx%3D1');
    expect(signedOutPath('signed-out', '/account', false)).toBe('/login');
  });

  it('keeps the return path for another person when the page asks for it', () => {
    expect(signedOutPath('signed-out', '/device?userCode=BCDF-GHJK', true)).toBe(
      '/login?returnTo=%2Fdevice%3FuserCode%3DBCDF-GHJK',
    );
  });

  it('returns after a sign-out in another tab, and says so', () => {
    expect(signedOutPath('elsewhere', '/account', false)).toBe(
      '/login?returnTo=%2Faccount&notice=signed-out-elsewhere',
    );
  });

  it('says why the server ended the session', () => {
    expect(signedOutPath('closed', '/account', false)).toBe('/login?returnTo=%2Faccount&notice=closed-elsewhere');
    expect(signedOutPath('expired', '/', false)).toBe('/login?notice=session-expired');
  });

  it('keeps no return path for a deleted account', () => {
    expect(signedOutPath('account-deleted', '/device', true)).toBe('/login?notice=account-deleted');
  });
});
