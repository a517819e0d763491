import ipaddr from 'ipaddr.js';

/** Maps an IPv6 address to its /64, from which a client can usually choose addresses freely. Other text is unchanged. */
export function clientNetwork(address: string): string {
  return toPrefix(address, 64);
}

/**
 * Maps an IPv6 address to its /48, the most that one site gets (RFC 6177): it has 65,536 networks. For what clients share fairly, where
 * sharing with neighbors costs little. Other text is unchanged.
 */
export function clientSite(address: string): string {
  return toPrefix(address, 48);
}

function toPrefix(address: string, bits: number): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${bits}`)}/${bits}`;
}

/** Returns an address in the form in which those of clients are stored; null for what is not an address. */
export function storedAddress(text: string): string | null {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return isAddress ? ipaddr.process(text.replace(/%.*$/, '')).toString() : null;
}
