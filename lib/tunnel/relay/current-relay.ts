import os from 'node:os';
import { config } from '@/lib/platform/config/config';
import { once, setOnce } from '@/lib/platform/globals';
import { mayEnter } from '@/lib/tunnel/access-policy';
import { findPublicTunnels, markTunnelSeen } from '@/lib/tunnel/records/find-tunnels';
import { recordTunnelRequest } from '@/lib/tunnel/request-log/record-request';
import { offline } from './errors';
import type { RelaySettings } from './relay-types';
import type { TunnelSendRequest } from './replay';
import { TunnelRelay, type TunnelRelayOptions } from './tunnel-relay';

const NAME = 'tunnel-relay';

/** Returns the relay of this process; null in a process without one. Both copies of lib/ in the web process share it. */
export function tunnelRelay(): TunnelRelay | null {
  return once<TunnelRelay | null>(NAME, () => null);
}

/** Sets the relay of this process; null removes it. */
export function setTunnelRelay(relay: TunnelRelay | null): void {
  setOnce(NAME, relay ?? undefined);
}

export type { TunnelSendRequest } from './replay';

/**
 * Sends a request through a tunnel, whichever web process its client is connected to, and logs it like any other. Resolves
 * when the local server starts to respond.
 * @throws AppError tunnel_offline, tunnel_failed, tunnel_timeout, tunnel_busy
 */
export async function sendThroughTunnel(request: TunnelSendRequest): Promise<{ requestId: string }> {
  const relay = tunnelRelay();
  if (relay === null) throw offline('This process does not relay requests.');
  return relay.send(request);
}

/**
 * Creates the relay of this process with its configuration.
 * @param port returns the port of the server, once it listens
 */
export function createRelay(port: () => number, overrides: Partial<TunnelRelayOptions> = {}): TunnelRelay {
  const { baseUrl, TUNNEL_BASE_URL, TUNNEL_PEER_URL, TUNNEL_LOG_BODY_BYTES, TUNNEL_LOG_HEADERS } = config();
  const settings: RelaySettings = {
    baseUrl,
    tunnelBaseUrl: TUNNEL_BASE_URL === undefined ? undefined : new URL(TUNNEL_BASE_URL).origin,
    peerUrl: () => (TUNNEL_PEER_URL === undefined ? peerAddress(port()) : new URL(TUNNEL_PEER_URL).origin),
    logBodyBytes: TUNNEL_LOG_BODY_BYTES,
    logHeaders: TUNNEL_LOG_HEADERS,
  };
  const records = { findPublicTunnels, markTunnelSeen, recordTunnelRequest, mayEnter };
  return new TunnelRelay({ records, settings, ...overrides });
}

/** Returns the address at which other web processes reach this one: the first IPv4 of the machine, or else loopback. */
export function peerAddress(port: number, interfaces = os.networkInterfaces()): string {
  const addresses = Object.values(interfaces).flatMap((list) => list ?? []);
  const found = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  return `http://${found?.address ?? '127.0.0.1'}:${port}`;
}
