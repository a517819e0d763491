import { type HeaderPairs, withoutHopByHopHeaders } from '@/lib/platform/net/header-pairs';
import { isInternalHeader } from '@/lib/platform/net/via';
import { redactOwnCredentials } from '@/lib/portal/own-credentials';

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
      return cookies === null ? [] : [[name, redactOwnCredentials(cookies)]];
    }
    if (lower === 'authorization') return mayPass(value, rules) ? [[name, value]] : [];
    const redacted = redactOwnCredentials(value);
    return lower === 'x-api-key' && redacted !== value ? [] : [[name, redacted]];
  });
  const { clientAddress, publicUrl } = rules;
  kept.push(['X-Forwarded-For', clientAddress], ['X-Forwarded-Host', publicUrl.host]);
  kept.push(['X-Forwarded-Proto', publicUrl.protocol.slice(0, -1)]);
  return kept;
}

function mayPass(authorization: string, { isOwnOrigin, hasBasicAuth }: RequestHeaderRules): boolean {
  return isOwnOrigin && !hasBasicAuth && redactOwnCredentials(authorization) === authorization;
}

/**
 * Cookies of the dashboard: of the session (lib/api/refresh-cookie.ts) and of the provider sign-in (lib/idp/check-cookies.ts). One
 * expression for all of a header: it may have thousands of cookies, and splitting those takes milliseconds.
 */
const OUR_COOKIES = /(?:^|;)\s*(?:__Host-|__Secure-)?(?:refresh_token\s*(?=[=;]|$)|eds_|next-auth\.)[^;]*/gi;

/** Returns a Cookie header without the cookies of the dashboard; null when nothing is left. */
export function withoutOurCookies(header: string): string | null {
  const kept = header.replace(OUR_COOKIES, '').replace(/^[;\s]+/, '');
  return kept === '' ? null : kept;
}
