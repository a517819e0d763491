/**
 * Ranges outside the public internet: the IANA special-purpose address registries for IPv4 and IPv6 (RFC 6890 and its
 * updates), multicast, and reserved or deprecated ranges. Refused even if a registry says "globally reachable": NAT64, 6to4
 * and Teredo addresses contain an IPv4 address, which would bypass the IPv4 ranges.
 */
export const SPECIAL_PURPOSE_RANGES = [
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
export const GLOBAL_UNICAST_V6 = '2000::/3';

/** Ranges that deliveries may reach by default while APP_BASE_URL is a loopback address. */
export const LOCAL_RANGES = [
  '127.0.0.0/8',
  '::1/128',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
] as const;

/** Metadata services inside LOCAL_RANGES: allowed only if a deployment lists them itself. */
export const LOCAL_METADATA_RANGES = ['fd00:ec2::/32', 'fd20:ce::254/128'] as const;
