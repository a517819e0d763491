import type { HeaderPairs } from '@/lib/tunnel/protocol/heads';

/** Headers that belong to one connection (RFC 9110 section 7.6.1). */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authorization', 'proxy-authentication-info', 'http2-settings'],
]);

/** Returns the headers without those that belong to one connection: the known ones, and those that Connection names. */
export function withoutHopHeaders(headers: HeaderPairs): HeaderPairs {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((each) => each.trim().toLowerCase()));
  const dropped = new Set([...HOP_BY_HOP, ...named]);
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}
