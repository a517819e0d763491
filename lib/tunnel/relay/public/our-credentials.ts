import { signingKeys } from '@/lib/auth/signing-keys';
import { isWellFormedKey } from '@/lib/keys/key-format';

/** Cookies of the dashboard: of the session (lib/api/refresh-cookie.ts) and of the provider sign-in (lib/idp/check-cookies.ts). */
const OUR_COOKIE = /^(?:__Host-|__Secure-)?(?:refresh_token$|eds_|next-auth\.)/i;

/** Returns a Cookie header without the cookies of the dashboard; null when nothing is left. */
export function withoutOurCookies(header: string): string | null {
  const kept = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !OUR_COOKIE.test(pair.split('=')[0]?.trim() ?? ''));
  return kept.length === 0 ? null : kept.join('; ');
}

/** Whether a value of Authorization or X-API-Key is an API key or an access token of this service. */
export function isOurCredential(value: string): boolean {
  const bare = value.replace(/^Bearer +/i, '').trim();
  return isWellFormedKey(bare) || signingKeys().some(({ kid }) => kid === keyIdOf(bare));
}

/** @returns the id of the key that signed a JWT; null for anything else */
function keyIdOf(token: string): string | null {
  const [header = '', ...rest] = token.split('.');
  if (rest.length !== 2) return null;
  try {
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as { kid?: unknown };
    return typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}
