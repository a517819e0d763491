import { tunnelRelay } from './current-relay';
import { offline } from './errors';
import type { TunnelSendRequest } from './replay';

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
