import { signingKeys } from '@/lib/auth/signing-keys';
import { isWellFormedKey } from '@/lib/keys/key-format';

/**
 * Cookies of the dashboard: of the session (lib/api/refresh-cookie.ts) and of the provider sign-in (lib/idp/check-cookies.ts). One
 * expression for all of a header: it may have thousands of cookies, and splitting those takes milliseconds.
 */
const OUR_COOKIES = /(?:^|;)\s*(?:__Host-|__Secure-)?(?:refresh_token\s*(?=[=;]|$)|eds_|next-auth\.)[^;]*/gi;
/** A longer header of a JWT is not ours, and is not parsed. */
const MAX_JWT_HEADER_CHARS = 1_024;

/** Returns a Cookie header without the cookies of the dashboard; null when nothing is left. */
export function withoutOurCookies(header: string): string | null {
  const kept = header.replace(OUR_COOKIES, '').replace(/^[;\s]+/, '');
  return kept === '' ? null : kept;
}

/** Whether a value of Authorization or X-API-Key is an API key or an access token of this service. */
export function isOurCredential(value: string): boolean {
  const bare = value.replace(/^Bearer +/i, '').trim();
  return isWellFormedKey(bare) || signingKeys().some(({ kid }) => kid === keyIdOf(bare));
}

/** @returns the id of the key that signed a JWT; null for anything else */
function keyIdOf(token: string): string | null {
  const [header = '', ...rest] = token.split('.', 4);
  if (rest.length !== 2 || header.length > MAX_JWT_HEADER_CHARS) return null;
  try {
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as { kid?: unknown };
    return typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}
