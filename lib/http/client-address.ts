import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Makes a function that tells who a request came from (CONTRACT 7, TRUSTED_PROXIES).
 *
 * X-Forwarded-For is walked from its right end, where the nearest proxy wrote, for as long as the address before it is
 * trusted; what stands further left is the client's own claim and never believed.
 *
 * @param trusted addresses or CIDRs, already checked by the configuration
 */
export function clientAddressResolver(
  trusted: readonly string[],
): (socketAddress: string | undefined, forwardedFor: string | undefined) => string {
  const ranges = trusted.map(toRange);
  const peer = remembering(normalize);
  const isTrusted = (address: string) => {
    const parsed = ipaddr.process(address);
    return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
  };
  return (socketAddress, forwardedFor) => {
    let address = peer(socketAddress) ?? 'unknown';
    const hops = (forwardedFor ?? '').split(',').map((hop) => hop.trim());
    while (hops.length > 0 && address !== 'unknown' && isTrusted(address)) {
      const next = normalize(hops.pop());
      if (next === null) break;
      address = next;
    }
    return address;
  };
}

/** Beyond it everything is forgotten. */
const MAX_REMEMBERED = 1_000;

/** Remembers results: a connection sends many requests, and parsing its address is a twentieth of the work of a small one. */
function remembering<T>(make: (text: string | undefined) => T): (text: string | undefined) => T {
  const made = new Map<string | undefined, T>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known;
    if (made.size >= MAX_REMEMBERED) made.clear();
    const value = make(text);
    made.set(text, value);
    return value;
  };
}

function toRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text) as Range;
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** The plain form of an address (a v4-mapped one as IPv4, no zone, and no port, which some proxies add); null for what is none. */
function normalize(address: string | undefined): string | null {
  const withoutPort = address?.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  const bare = withoutPort?.replace(/%.*$/, '') ?? '';
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : null;
}
