import ipaddr from 'ipaddr.js';

/** Maps an IPv6 address to its /64, from which a client can usually choose addresses freely. Other text is unchanged. */
export function clientNetwork(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`)}/64`;
}
