import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type Config, config } from '@/lib/platform/config/config';
import { isLoopbackHost } from '@/lib/platform/config/variable-types';
import { fieldError } from '@/lib/platform/errors';
import { addressPolicy, localAddressPolicy } from '@/lib/platform/net/address-policy';
import { isSetByProxies } from '@/lib/platform/net/header-pairs';
import type { Exemption } from '@/lib/platform/net/http-pools';
import { ownerHeader } from '@/lib/platform/net/owner-header';

/** The error of an attempt to this service itself. */
export const OWN_URL_FAULT = 'URL is an address of this service';

type OwnNames = Pick<Config, 'PORTAL_BASE_URL' | 'TUNNEL_BASE_URL' | 'TUNNEL_PEER_URL' | 'baseUrl'>;

/** Whether an origin is this service itself: a name of it, or an address of this machine with the port of the web process. */
export function isOwnOrigin(origin: string, settings: OwnNames & Pick<Config, 'PORT'> = config()): boolean {
  const target = new URL(origin);
  const host = hostOf(target);
  const names = [settings.baseUrl, settings.PORTAL_BASE_URL, settings.TUNNEL_BASE_URL, settings.TUNNEL_PEER_URL];
  const isNamed = names.some((url) => {
    if (url === undefined) return false;
    const own = new URL(url);
    const isSameHost = hostOf(own) === host || (isLocalHost(own.hostname) && isLocalHost(target.hostname));
    return isSameHost && portsOf(own).includes(portOf(target));
  });
  if (isNamed || isOwnAddress(host, portOf(target), settings)) return true;
  return isLocalHost(host) && portOf(target) === settings.PORT;
}

/** Whether the web process of this machine listens at an IP address and port. */
export function isOwnAddress(address: string, port: number, { PORT }: Pick<Config, 'PORT'> = config()): boolean {
  if (port !== PORT || isIP(address) === 0) return false;
  const own = new BlockList();
  for (const [network, bits] of LOOPBACK) own.addSubnet(network, bits, isIPv6(network) ? 'ipv6' : 'ipv4');
  for (const each of Object.values(networkInterfaces()).flatMap((found) => found ?? [])) {
    own.addAddress(each.address, each.family === 'IPv6' ? 'ipv6' : 'ipv4');
  }
  // It also finds an IPv4 address that is written as an IPv6 one.
  return own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Returns why a URL cannot be that of a target; null if it can: a delivery must not cause another one by this service itself. */
export function ownUrlFault(target: { origin: string; path: string }): string | null {
  return isOwnOrigin(target.origin) && !ownTunnels().covers(target) ? OWN_URL_FAULT : null;
}

/** @throws AppError validation_failed when a new URL of a target is an address of this service, and not one of its tunnels */
export function refuseOwnUrl(url: string | undefined): void {
  if (url === undefined) return;
  const { origin, pathname, search } = new URL(url);
  if (ownUrlFault({ origin, path: pathname + search }) === null) return;
  throw fieldError(
    'url',
    'is an address of this service: deliveries may go to its tunnels only, not to its sources or API',
  );
}

/** Both unspecified addresses connect to this machine too. */
const LOOPBACK: readonly [network: string, bits: number][] = [
  ['127.0.0.0', 8],
  ['0.0.0.0', 32],
  ['::1', 128],
  ['::', 128],
];

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$|\.$/g, '');

function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  return isLoopbackHost(host) || host.endsWith('.localhost') || host === '0.0.0.0' || host === '[::]';
}

const portOf = ({ port, protocol }: URL) => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/** What serves one of the two default ports usually serves both. */
function portsOf(own: URL): number[] {
  return own.port === '' ? [80, 443] : [portOf(own)];
}

/**
 * The public address of a tunnel and plain segments below it. Nothing is encoded and no segment is empty or made of dots, so
 * that no proxy on the way can read the path as another one.
 */
const TUNNEL_PATH = /^\/t\/[A-Za-z0-9_-]{32,128}(?:\/(?!\.{1,2}(?:[/?]|$))[A-Za-z0-9._~-]+)*\/?(?:\?.*)?$/;

/**
 * Covers deliveries to tunnels of this service, which may go to loopback and private addresses: their URL is a public route, but
 * inside a company its name may have a private address. See docs/decisions/008-where-deliveries-may-connect.md.
 */
export function ownTunnels(
  settings: Pick<Config, 'DELIVERY_ALLOWED_CIDRS' | 'TUNNEL_BASE_URL' | 'baseUrl'> = config(),
): Exemption {
  const own = new URL(settings.TUNNEL_BASE_URL ?? settings.baseUrl).origin;
  const byDefault = addressPolicy(settings);
  const local = localAddressPolicy();
  return {
    covers: ({ origin, path }) => origin === own && TUNNEL_PATH.test(path),
    isAllowed: (address) => byDefault(address) || local(address),
    // The worker may be among TRUSTED_PROXIES. What an endpoint's own headers say of the client would then open a tunnel to any address.
    headersOf: (given, { path }, { tenant = '', isPublicOnly }) => ({
      ...Object.fromEntries(Object.entries(given).filter(([name]) => !isSetByProxies(name))),
      ...ownerHeader(path, { ownerId: tenant, isOfCustomer: isPublicOnly }),
    }),
  };
}
