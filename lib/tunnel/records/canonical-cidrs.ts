import ipaddr from 'ipaddr.js';

/**
 * Returns addresses and ranges in canonical form, without duplicates: a range with its network address, a single address as
 * a range of one, and an IPv4-mapped address as IPv4, because client addresses are compared in that form.
 */
export function canonicalCidrs(texts: readonly string[]): string[] {
  return [...new Set(texts.map(canonicalCidr))];
}

function canonicalCidr(text: string): string {
  const [address = '', prefix] = text.split('/');
  const parsed = ipaddr.parse(address);
  const bits = prefix === undefined ? bitsOf(parsed) : Number(prefix);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && bits >= 96) {
    return networkOf(parsed.toIPv4Address(), bits - 96);
  }
  return networkOf(parsed, bits);
}

function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const cidr = `${address.toString()}/${bits}`;
  const network =
    address.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  return `${network.toString()}/${bits}`;
}

function bitsOf(address: ipaddr.IPv4 | ipaddr.IPv6): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}
