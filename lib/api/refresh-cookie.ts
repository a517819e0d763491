import { PRESENCE_COOKIE } from '@/lib/auth/session-cookie-policy';
import type { IssuedRefreshToken } from '@/lib/auth/sessions';
import { readCookie } from '@/lib/http/cookies';
import { config } from '@/lib/platform/config/config';

const NAME = 'refresh_token';
const VALUE = /^[A-Za-z0-9_-]*$/;

/**
 * Formats the Set-Cookie values of a browser's session: the refresh token, which scripts and other sites cannot read, and
 * a mark for pages that it exists.
 */
export function sessionCookies({ token, maxAgeSeconds }: IssuedRefreshToken): string[] {
  return [refreshCookie(token, maxAgeSeconds), presenceCookie('1', maxAgeSeconds)];
}

/** Formats the Set-Cookie values that remove the refresh token and its mark. */
export function clearedSessionCookies(): string[] {
  return [refreshCookie('', 0), presenceCookie('', 0)];
}

/**
 * Reads the refresh token from a Cookie header; null without the cookie. A malformed value is returned too: the request
 * must be refused and not fall back to the token in the body.
 */
export function readRefreshCookie(cookieHeader: string | null): string | null {
  return readCookie(cookieHeader, NAME);
}

function refreshCookie(value: string, maxAgeSeconds: number): string {
  if (!VALUE.test(value)) throw new Error('the refresh token has characters that a cookie cannot hold');
  return `${NAME}=${value}; Path=/api/v1/auth; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure()}`;
}

/** Lax, so that a link in an email opens its page. Readable by scripts, so that they need not ask the server. */
function presenceCookie(value: string, maxAgeSeconds: number): string {
  return `${PRESENCE_COOKIE}=${value}; Path=/; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure()}`;
}

function secure(): string {
  return config().baseUrl.startsWith('https:') ? '; Secure' : '';
}
