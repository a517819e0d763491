/**
 * Headers as pairs of name and value, in order, with repeats kept apart. Each character is a byte (latin1), as in node:http.
 */
export type HeaderPairs = [name: string, value: string][];

/** Returns the pairs of `rawHeaders` of node:http, which alternates names and values. */
export function toHeaderPairs(rawHeaders: readonly string[]): HeaderPairs {
  const pairs: HeaderPairs = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    pairs.push([rawHeaders[at] as string, rawHeaders[at + 1] as string]);
  }
  return pairs;
}

/** Parses header pairs that are stored as JSON; null if the text is damaged. */
export function parseHeaderPairs(text: string): HeaderPairs | null {
  try {
    const pairs: unknown = JSON.parse(text);
    return isHeaderPairs(pairs) ? pairs : null;
  } catch {
    return null;
  }
}

/** Whether a value, such as parsed JSON, has the shape of header pairs. */
export function isHeaderPairs(value: unknown): value is HeaderPairs {
  return Array.isArray(value) && value.every(isPair);
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}

/** Names of headers that belong to one connection (RFC 9110 section 7.6.1), in lower case. */
export const HOP_BY_HOP_HEADERS: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-authentication-info',
  'http2-settings',
];
const KNOWN = new Set(HOP_BY_HOP_HEADERS);

/** Returns the headers without those that belong to one connection: the known ones, and those that Connection names. */
export function withoutHopByHopHeaders(headers: HeaderPairs): HeaderPairs {
  const named = new Set(
    headers.flatMap(([name, value]) => (name.toLowerCase() === 'connection' ? namesIn(value) : [])),
  );
  return headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !KNOWN.has(lower) && !named.has(lower);
  });
}

/** Names of headers in which proxies say who has sent a request, in lower case. */
const OF_PROXIES: readonly string[] = [
  'forwarded',
  'x-real-ip',
  'true-client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
];

/**
 * Whether proxies say in a header who has sent a request: a receiver that trusts the sender believes it. CGI and what follows it, such as
 * WSGI and PHP, give `x_real_ip` and `x-real-ip` the same name.
 * @param name in any case
 */
export function isSetByProxies(name: string): boolean {
  const canonical = name.toLowerCase().replaceAll('_', '-');
  return OF_PROXIES.includes(canonical) || canonical.startsWith('x-forwarded-');
}

function namesIn(value: string): string[] {
  return value.split(',').map((name) => name.trim().toLowerCase());
}
