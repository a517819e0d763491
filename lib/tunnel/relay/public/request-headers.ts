import type { HeaderPairs } from '@/lib/tunnel/protocol/heads';
import { withoutHopHeaders } from './hop-headers';
import { isOurCredential, withoutOurCookies } from './our-credentials';

interface RequestHeaderRules {
  clientAddress: string;
  /** The host that the public asked for; undefined for HTTP/1.0. */
  host: string | undefined;
  /** 'http' or 'https', as the public sees it. */
  protocol: string;
  /** Whether tunnels have an origin of their own: else a browser adds credentials of the dashboard. */
  isOwnOrigin: boolean;
  /** Whether Authorization opens the tunnel itself. */
  hasBasicAuth: boolean;
}

/** Set here, or true of this connection only. */
const REPLACED = new Set([
  ...['host', 'expect', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-real-ip'],
  // Credentials of this service.
  'x-platform-admin-token',
]);

/** Returns the headers of a public request as the local server gets them: without our credentials, and with X-Forwarded-*. */
export function toLocalHeaders(headers: HeaderPairs, rules: RequestHeaderRules): HeaderPairs {
  const kept = withoutHopHeaders(headers).flatMap(([name, value]): HeaderPairs => {
    const lower = name.toLowerCase();
    if (REPLACED.has(lower) || lower.startsWith('x-eds-') || lower.startsWith('tunnel-peer-')) return [];
    if (lower === 'cookie') {
      const cookies = withoutOurCookies(value);
      return cookies === null ? [] : [[name, cookies]];
    }
    if (lower === 'authorization') return mayPass(value, rules) ? [[name, value]] : [];
    return lower === 'x-api-key' && isOurCredential(value) ? [] : [[name, value]];
  });
  kept.push(['X-Forwarded-For', rules.clientAddress]);
  if (rules.host !== undefined) kept.push(['X-Forwarded-Host', rules.host]);
  kept.push(['X-Forwarded-Proto', rules.protocol]);
  return kept;
}

function mayPass(authorization: string, { isOwnOrigin, hasBasicAuth }: RequestHeaderRules): boolean {
  return isOwnOrigin && !hasBasicAuth && !isOurCredential(authorization);
}
