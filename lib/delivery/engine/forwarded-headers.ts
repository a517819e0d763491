import { REDACTED } from '@/lib/platform/net/credential-names';
import { type HeaderPairs, HOP_BY_HOP_HEADERS } from '@/lib/platform/net/header-pairs';

/** Headers that our HTTP client sets itself. */
const OF_THE_CLIENT = ['host', 'content-length', 'expect', 'accept-encoding', 'accept', 'range'];
/** What proxies in front of us tell us about the sender. A receiver would believe them about us. */
const OF_PROXIES = [
  ...[
    'forwarded',
    'via',
    'x-real-ip',
    'true-client-ip',
    'cdn-loop',
    'x-request-id',
    'x-client-ip',
    'x-cluster-client-ip',
  ],
  ...['x-original-url', 'x-rewrite-url', 'x-http-method-override', 'x-http-method', 'x-method-override'],
];
const CREDENTIALS = ['authorization', 'cookie'];
const NOT_FORWARDED = new Set([...HOP_BY_HOP_HEADERS, ...OF_THE_CLIENT, ...OF_PROXIES, ...CREDENTIALS]);
const NOT_FORWARDED_PREFIXES = ['x-forwarded-', 'cf-', 'x-eds-'];

/**
 * Returns the headers of an incoming event that go to its destinations, by lower-case name. Repeated ones are joined with ", ", which
 * means the same (RFC 9110 section 5.3).
 */
export function forwardedHeaders(pairs: HeaderPairs): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) {
    // A credential that was not stored.
    if (value === REDACTED || !isForwarded(name)) continue;
    const present = headers.get(name);
    headers.set(name, present === undefined ? value : `${present}, ${value}`);
  }
  return Object.fromEntries(headers);
}

/** CGI and what follows it, such as WSGI and PHP, give `x_shop` and `x-shop` the same name. */
function isForwarded(name: string): boolean {
  const canonical = name.replaceAll('_', '-');
  return !NOT_FORWARDED.has(canonical) && !NOT_FORWARDED_PREFIXES.some((prefix) => canonical.startsWith(prefix));
}
