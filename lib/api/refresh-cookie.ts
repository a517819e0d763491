import type { IssuedRefreshToken } from '@/lib/auth/sessions';
import { readCookie } from '@/lib/http/cookies';
import { config } from '@/lib/platform/config/config';

const NAME = 'refresh_token';
const VALUE = /^[A-Za-z0-9_-]*$/;

/** The Set-Cookie value that hands a browser its refresh token, out of reach of scripts and of other sites (spec 4). */
export function refreshCookie({ token, maxAgeSeconds }: IssuedRefreshToken): string {
  return cookieOf(token, maxAgeSeconds);
}

/** The Set-Cookie value that takes the refresh token away. */
export function clearedRefreshCookie(): string {
  return cookieOf('', 0);
}

/**
 * The refresh token in a Cookie header; null when the header has no such cookie. A value that cannot be one of ours is
 * still a cookie that is present, and comes back as it is: it must be refused, not passed over for the body.
 */
export function readRefreshCookie(cookieHeader: string | null): string | null {
  return readCookie(cookieHeader, NAME);
}

function cookieOf(value: string, maxAgeSeconds: number): string {
  if (!VALUE.test(value)) throw new Error('a refresh token with characters a cookie cannot hold');
  const secure = config().baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${NAME}=${value}; Path=/api/v1/auth; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}
