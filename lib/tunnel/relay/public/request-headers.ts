import { signingKeys } from '@/lib/auth/access-token';
import { isWellFormedKey } from '@/lib/keys/key-format';
import { type HeaderPairs, withoutHopByHopHeaders } from '@/lib/platform/net/header-pairs';
import { isInternalHeader } from '@/lib/platform/net/via';
import { isPortalToken } from '@/lib/portal/sessions';

interface RequestHeaderRules {
  clientAddress: string;
  /** Where the public finds tunnels. Host is written by the visitor. */
  publicUrl: URL;
  /** Whether tunnels have an origin of their own: else a browser adds credentials of the dashboard. */
  isOwnOrigin: boolean;
  /** Whether Authorization carries the tunnel's own password. */
  hasBasicAuth: boolean;
}

/** Headers that are set below, or apply to this connection only. */
const REPLACED = new Set([
  'host',
  'expect',
  'forwarded',
  'x-real-ip',
  // Credentials of this service.
  'x-platform-admin-token',
  // CGI programs would take it for their variable HTTP_PROXY.
  'proxy',
]);
const REPLACED_PREFIXES = ['x-forwarded-', 'tunnel-peer-'];

/** Returns the headers of a public request as the local server gets them: without our credentials, and with X-Forwarded-*. */
export function toLocalHeaders(headers: HeaderPairs, rules: RequestHeaderRules): HeaderPairs {
  const kept = withoutHopByHopHeaders(headers).flatMap(([name, value]): HeaderPairs => {
    // Many servers do not tell X_Forwarded_For from X-Forwarded-For.
    const lower = name.toLowerCase().replaceAll('_', '-');
    if (REPLACED.has(lower) || REPLACED_PREFIXES.some((prefix) => lower.startsWith(prefix))) return [];
    if (isInternalHeader(lower)) return [];
    if (lower === 'cookie') {
      const cookies = withoutOurCookies(value);
      return cookies === null ? [] : [[name, cookies]];
    }
    if (lower === 'authorization') return mayPass(value, rules) ? [[name, value]] : [];
    return lower === 'x-api-key' && isOurCredential(value) ? [] : [[name, value]];
  });
  const { clientAddress, publicUrl } = rules;
  kept.push(['X-Forwarded-For', clientAddress], ['X-Forwarded-Host', publicUrl.host]);
  kept.push(['X-Forwarded-Proto', publicUrl.protocol.slice(0, -1)]);
  return kept;
}

function mayPass(authorization: string, { isOwnOrigin, hasBasicAuth }: RequestHeaderRules): boolean {
  return isOwnOrigin && !hasBasicAuth && !isOurCredential(authorization);
}

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

/** Whether a value of Authorization or X-API-Key is an API key, an access token or a portal token of this service. */
function isOurCredential(value: string): boolean {
  const bare = value.replace(/^Bearer +/i, '').trim();
  return isWellFormedKey(bare) || isPortalToken(bare) || signingKeys().some(({ kid }) => kid === keyIdOf(bare));
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
