import type { IssuedRefreshToken } from '@/lib/auth/sessions';
import { readCookie } from '@/lib/http/cookies';
import { config } from '@/lib/platform/config/config';

const NAME = 'refresh_token';
const VALUE = /^[A-Za-z0-9_-]*$/;

/** Formats the Set-Cookie value that gives a browser its refresh token, which scripts and other sites cannot read. */
export function refreshCookie({ token, maxAgeSeconds }: IssuedRefreshToken): string {
  return cookieOf(token, maxAgeSeconds);
}

/** Formats the Set-Cookie value that removes the refresh token. */
export function clearedRefreshCookie(): string {
  return cookieOf('', 0);
}

/**
 * Reads the refresh token from a Cookie header; null without the cookie. A malformed value is returned too: the request
 * must be refused and not fall back to the token in the body.
 */
export function readRefreshCookie(cookieHeader: string | null): string | null {
  return readCookie(cookieHeader, NAME);
}

function cookieOf(value: string, maxAgeSeconds: number): string {
  if (!VALUE.test(value)) throw new Error('the refresh token has characters that a cookie cannot hold');
  const secure = config().baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${NAME}=${value}; Path=/api/v1/auth; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}
