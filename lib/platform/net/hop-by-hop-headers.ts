import type { HeaderPairs } from './header-pairs';

/** Names of headers that belong to one connection (RFC 9110 section 7.6.1), in lower case. */
export const HOP_BY_HOP_HEADERS: readonly string[] = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authorization', 'proxy-authentication-info', 'http2-settings'],
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

function namesIn(value: string): string[] {
  return value.split(',').map((name) => name.trim().toLowerCase());
}
