import { type Config, config } from '@/lib/platform/config/config';
import { addressPolicy, localAddressPolicy } from '@/lib/platform/net/address-policy';
import type { Exemption } from '@/lib/platform/net/http-pools';

/**
 * The public address of a tunnel and plain segments below it. Nothing is encoded and no segment is empty or made of dots, so
 * that no proxy on the way can read the path as another one.
 */
const TUNNEL_PATH = /^\/t\/[A-Za-z0-9_-]{32,128}(?:\/(?!\.{1,2}(?:[/?]|$))[A-Za-z0-9._~-]+)*\/?(?:\?.*)?$/;

/**
 * Covers deliveries to tunnels of this service, which may go to loopback and private addresses: their URL is a public route, but
 * inside a company its name may have a private address. See docs/decisions/040-deliveries-to-own-tunnels.md.
 */
export function ownTunnels(
  settings: Pick<Config, 'DELIVERY_ALLOWED_CIDRS' | 'TUNNEL_BASE_URL' | 'baseUrl'> = config(),
): Exemption {
  const own = new URL(settings.TUNNEL_BASE_URL ?? settings.baseUrl).origin;
  const [byDefault, local] = [addressPolicy(settings), localAddressPolicy()];
  return {
    covers: ({ origin, path }) => origin === own && TUNNEL_PATH.test(path),
    isAllowed: (address) => byDefault(address) || local(address),
  };
}
