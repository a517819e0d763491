import { tunnelOfPeerPath } from './peer/peer-protocol';
import type { RelaySettings } from './relay-types';

/** Where a request belongs: to a tunnel, nowhere, or to the dashboard and the API. */
export type TunnelPlace = 'tunnel' | 'nothing' | 'product';

/**
 * Returns where a request belongs. When tunnels have their own origin, they are served only there, next to nothing but the
 * health checks.
 */
export function placeOf(
  { tunnelBaseUrl }: Pick<RelaySettings, 'tunnelBaseUrl'>,
  host: string | undefined,
  pathname: string,
): TunnelPlace {
  const isTunnelPath = pathname.startsWith('/t/');
  if (tunnelBaseUrl === undefined) return isTunnelPath ? 'tunnel' : 'product';
  if (isTunnelPath && tunnelOfPeerPath(pathname) !== null) return 'tunnel';
  if (isSameHost(host, new URL(tunnelBaseUrl))) {
    if (isTunnelPath) return 'tunnel';
    return pathname.startsWith('/api/health/') ? 'product' : 'nothing';
  }
  return isTunnelPath ? 'nothing' : 'product';
}

function isSameHost(host: string | undefined, { protocol, host: expected }: URL): boolean {
  const url = `${protocol}//${host ?? ''}`;
  // With one of these it would be parsed as more than a host.
  return !/[@/?#\\]/.test(host ?? '') && URL.canParse(url) && new URL(url).host === expected;
}
