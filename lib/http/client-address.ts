import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Proxies that a request passes. Each address takes 4 µs, and 32 KiB of headers have room for 3,000. */
const MAX_HOPS = 20;

/**
 * Returns a function that finds the client's address of a request.
 *
 * Reads X-Forwarded-For from the right, where the nearest proxy wrote, while the address found so far is trusted. Entries
 * further left were written by the client and are never believed. After 20 hops, returns the address found so far.
 *
 * @param trusted TRUSTED_PROXIES: valid addresses or CIDRs
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
  return (socketAddress, forwardedFor = '') => {
    let address = peer(socketAddress) ?? 'unknown';
    let end = forwardedFor.length;
    for (let hops = 0; hops < MAX_HOPS && end > 0 && address !== 'unknown' && isTrusted(address); hops++) {
      const comma = forwardedFor.lastIndexOf(',', end - 1);
      const next = normalize(forwardedFor.slice(comma + 1, end).trim());
      if (next === null) break;
      address = next;
      end = comma;
    }
    return address;
  };
}

/** At this size the cache is cleared. */
const MAX_REMEMBERED = 1_000;

/** Caches results: a connection sends many requests, and parsing its address takes 5% of the time of a small one. */
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

/** What precedes an IPv4 address in a v4-mapped one. */
const MAPPED_BITS = 96;

function toRange(text: string): Range {
  if (text.includes('/')) {
    const [network, bits] = ipaddr.parseCIDR(text) as Range;
    // Clients with v4-mapped addresses are known as IPv4.
    const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_BITS;
    return isMapped ? [network.toIPv4Address(), bits - MAPPED_BITS] : [network, bits];
  }
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/**
 * Returns the canonical form of an address: v4-mapped as IPv4, without zone, and without the port that some proxies add.
 * Null for an invalid address.
 */
function normalize(address: string | undefined): string | null {
  const withoutPort = address?.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  const bare = withoutPort?.replace(/%.*$/, '') ?? '';
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : null;
}
