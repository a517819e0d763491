import type { HeaderPairs } from '@/lib/delivery/header-pairs';

/** Headers of one connection (RFC 9110 section 7.6.1), and those that the client sets itself. */
const OF_THE_CONNECTION = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['host', 'content-length', 'expect', 'accept-encoding', 'accept', 'range', 'http2-settings'],
];
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
const CREDENTIALS = ['authorization', 'proxy-authorization', 'proxy-authenticate', 'cookie'];
const NOT_FORWARDED = new Set([...OF_THE_CONNECTION, ...OF_PROXIES, ...CREDENTIALS]);
const NOT_FORWARDED_PREFIXES = ['x-forwarded-', 'cf-', 'x-eds-'];

/**
 * Returns the headers of an incoming event that go to its destinations, by lower-case name. Repeated ones are joined with ", ", which
 * means the same (RFC 9110 section 5.3).
 */
export function forwardedHeaders(pairs: HeaderPairs): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (!isForwarded(name)) continue;
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
