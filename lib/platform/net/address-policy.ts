import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { type Config, config } from '@/lib/platform/config/config';
import { isLoopbackHost } from '@/lib/platform/config/variable-types';

/** Whether a connection to this IP address (never a name) may be made. */
export type AddressPolicy = (address: string) => boolean;

/**
 * Ranges outside the public internet: the IANA special-purpose address registries for IPv4 and IPv6 (RFC 6890 and its
 * updates), multicast, and reserved or deprecated ranges. Refused even if a registry says "globally reachable": NAT64, 6to4
 * and Teredo addresses contain an IPv4 address, which would bypass the IPv4 ranges.
 */
const SPECIAL_PURPOSE_RANGES = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, instance metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // automatic multicast tunnelling
  '192.88.99.0/24', // 6to4 relay anycast, deprecated
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, limited broadcast
  '168.63.129.16/32', // a cloud's host agent: public by number, reachable only from inside
  '2001::/23', // IETF protocol assignments: Teredo, benchmarking, ORCHID, DRIP
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
] as const;

/**
 * The part of IPv6 that is assigned to the public internet. Everything outside is refused without being listed:
 * unspecified, loopback, v4-mapped and v4-compatible, NAT64, discard-only, segment routing, unique local, link-local,
 * site-local, multicast, and what IANA has not assigned yet.
 */
const GLOBAL_UNICAST_V6 = '2000::/3';

/** Ranges that deliveries may reach by default while APP_BASE_URL is a loopback address. */
const LOCAL_RANGES = ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'] as const;

/** Metadata services inside LOCAL_RANGES: allowed only if a deployment lists them itself. */
const LOCAL_METADATA_RANGES = ['fd00:ec2::/32', 'fd20:ce::254/128'] as const;

type Range = ReturnType<typeof ipaddr.parseCIDR>;

const SPECIAL = SPECIAL_PURPOSE_RANGES.map((cidr) => ipaddr.parseCIDR(cidr));
const GLOBAL_V6 = ipaddr.parseCIDR(GLOBAL_UNICAST_V6);
const LOCAL = LOCAL_RANGES.map((cidr) => ipaddr.parseCIDR(cidr));
const METADATA = LOCAL_METADATA_RANGES.map((cidr) => ipaddr.parseCIDR(cidr));

/** Returns the policy of DELIVERY_ALLOWED_CIDRS: unset allows local ranges on a local stack, empty allows none. */
export function addressPolicy(settings: Pick<Config, 'DELIVERY_ALLOWED_CIDRS' | 'baseUrl'> = config()): AddressPolicy {
  const listed = settings.DELIVERY_ALLOWED_CIDRS;
  if (listed !== undefined) return makeAddressPolicy(listed);
  return isLoopbackHost(new URL(settings.baseUrl).hostname) ? localAddressPolicy() : makeAddressPolicy([]);
}

/** Allows public, loopback and private addresses, without those of metadata services. */
export function localAddressPolicy(): AddressPolicy {
  return policyOf(LOCAL, METADATA);
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
  return policyOf(allowed, []);
}

function policyOf(allowed: readonly Range[], refused: readonly Range[]): AddressPolicy {
  return (address) => {
    // Checked first: ipaddr.js also parses forms such as "0x7f.1", which no socket reports.
    if (isIP(address) === 0) return false;
    const parsed = ipaddr.parse(address);
    return (isPublic(parsed) || isInside(parsed, allowed)) && !isInside(parsed, refused);
  };
}

type Address = ReturnType<typeof ipaddr.parse>;

const isPublic = (address: Address) =>
  !isInside(address, SPECIAL) && (address.kind() === 'ipv4' || isInside(address, [GLOBAL_V6]));

function isInside(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

type Interfaces = ReturnType<typeof networkInterfaces>;

/**
 * Returns a warning for a deployment on a network that is configured as a local one, so that its deliveries may go to
 * loopback and private addresses; null without a reason to warn.
 */
export function privateNetworkWarning(
  { APP_BASE_URL, DELIVERY_ALLOWED_CIDRS }: Pick<Config, 'APP_BASE_URL' | 'DELIVERY_ALLOWED_CIDRS'>,
  interfaces: Interfaces = networkInterfaces(),
): string | null {
  if (APP_BASE_URL !== undefined || DELIVERY_ALLOWED_CIDRS !== undefined) return null;
  const isOnNetwork = Object.values(interfaces).some((addresses) => addresses?.some(({ internal }) => !internal));
  if (!isOnNetwork) return null;
  return (
    'APP_BASE_URL is unset, and this machine is on a network: deliveries may reach loopback and private addresses. ' +
    'Set APP_BASE_URL, or DELIVERY_ALLOWED_CIDRS= to allow none.'
  );
}
