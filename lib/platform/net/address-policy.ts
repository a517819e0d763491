import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Config, config } from '@/lib/platform/config/config';
import { isLoopbackHost } from '@/lib/platform/config/variable-types';
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

/** Returns the policy of DELIVERY_ALLOWED_CIDRS: unset allows local ranges on a local stack, empty allows none. */
export function addressPolicy(settings: Pick<Config, 'DELIVERY_ALLOWED_CIDRS' | 'baseUrl'> = config()): AddressPolicy {
  const listed = settings.DELIVERY_ALLOWED_CIDRS;
  if (listed !== undefined) return makeAddressPolicy(listed);
  return isLoopbackHost(new URL(settings.baseUrl).hostname) ? localAddressPolicy() : makeAddressPolicy([]);
}

/** Allows public, loopback and private addresses, without those of metadata services. */
export function localAddressPolicy(): AddressPolicy {
  const local = makeAddressPolicy(LOCAL_RANGES);
  return (address) => local(address) && !lies(address, METADATA);
}

/**
 * Allows public addresses and those in `allowedCidrs`. A v4-mapped IPv6 address counts as IPv6, so it is never public, and
 * IPv4 ranges do not allow it.
 *
 * @throws Error that names DELIVERY_ALLOWED_CIDRS when an entry is not a CIDR
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
  // Checked first: ipaddr.js also parses forms such as "0x7f.1", which no socket reports.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
}
