import { once, setOnce } from '@/lib/platform/globals';
import { offline } from './errors';
import type { TunnelSendRequest } from './replay';
import type { TunnelRelay } from './tunnel-relay';

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
