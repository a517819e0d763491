import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Config, config } from '@/lib/platform/config/config';
import { isLoopbackHost } from '@/lib/platform/config/variables';
import {
  GLOBAL_UNICAST_V6,
  LOCAL_METADATA_RANGES,
  LOCAL_RANGES,
  SPECIAL_PURPOSE_RANGES,
} from './special-purpose-ranges';

/** Whether a connection to this IP address (never a name) may be made. */
export type AddressPolicy = (address: string) => boolean;

type Range = ReturnType<typeof ipaddr.parseCIDR>;

const SPECIAL = SPECIAL_PURPOSE_RANGES.map((cidr) => ipaddr.parseCIDR(cidr));
const GLOBAL_V6 = ipaddr.parseCIDR(GLOBAL_UNICAST_V6);
const METADATA = LOCAL_METADATA_RANGES.map((cidr) => ipaddr.parseCIDR(cidr));

/** What DELIVERY_ALLOWED_CIDRS means for this deployment (CONTRACT 5): unset and set but empty differ. */
export function addressPolicy(settings: Pick<Config, 'DELIVERY_ALLOWED_CIDRS' | 'baseUrl'> = config()): AddressPolicy {
  const listed = settings.DELIVERY_ALLOWED_CIDRS;
  if (listed !== undefined) return makeAddressPolicy(listed);
  if (!isLoopbackHost(new URL(settings.baseUrl).hostname)) return makeAddressPolicy([]);
  const local = makeAddressPolicy(LOCAL_RANGES);
  return (address) => local(address) && !lies(address, METADATA);
}

/**
 * Public addresses, and those in `allowedCidrs`. A v4-mapped IPv6 address is judged as the IPv6 address it is, so it is
 * never public and a list of IPv4 ranges does not allow it.
 *
 * @throws Error naming DELIVERY_ALLOWED_CIDRS when an entry is no CIDR
 */
export function makeAddressPolicy(allowedCidrs: readonly string[]): AddressPolicy {
  const allowed = allowedCidrs.map((cidr) => {
    if (!ipaddr.isValidCIDR(cidr)) throw new Error(`DELIVERY_ALLOWED_CIDRS: ${cidr} is not a CIDR`);
    return ipaddr.parseCIDR(cidr);
  });
  return (address) => isPublic(address) || lies(address, allowed);
}

function isPublic(address: string): boolean {
  if (isIP(address) === 0 || lies(address, SPECIAL)) return false;
  return isIP(address) === 4 || lies(address, [GLOBAL_V6]);
}

function lies(address: string, ranges: readonly Range[]): boolean {
  // The check comes first: ipaddr.js also reads "0x7f.1" and the like, which no socket ever reports.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
}
