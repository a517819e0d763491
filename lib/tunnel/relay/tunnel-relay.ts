import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { WakeListener } from '@/lib/delivery/engine/wake-listener';
import { isId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import type { HeartbeatTimes } from '@/lib/tunnel/protocol/heartbeat';
import { SIGNAL_CHANNEL } from './connections-sql';
import { offline } from './errors';
import { TunnelFinder } from './find-tunnel';
import { HeldTunnels, type TakeSocket } from './held/held-tunnels';
import type { TunnelClient } from './held/tunnel-client';
import { Holders } from './holders';
import { InFlight } from './in-flight';
import { DRAIN_MS } from './limits';
import { tunnelOfPeerPath } from './peer/peer-path';
import { PeerVerifier } from './peer/peer-signature';
import { PeerClient } from './peer/send-to-peer';
import { servePeer } from './peer/serve-peer';
import { placeOf, type TunnelPlace } from './place';
import type { PublicSide } from './public/public-side';
import { refuseUpgrade } from './public/refuse-upgrade';
import { servePublic } from './public/serve-public';
import type { RelayedRequest, RelayedResponse, RelaySettings, TunnelRecords } from './relay-types';
import { replay, type TunnelSendRequest } from './replay';

export interface TunnelRelayOptions {
  records: TunnelRecords;
  settings: RelaySettings;
  /** For tests. */
  times?: PublicSide['times'] & { heartbeat: HeartbeatTimes };
}

/**
 * The tunnels of a web process: the clients that are connected to it, the public's requests, and those of other web
 * processes (docs/decisions/036-tunnels.md).
 */
export class TunnelRelay {
  private readonly held: HeldTunnels;
  private readonly holders = new Holders();
  private readonly peers = new PeerClient();
  private readonly verifier = new PeerVerifier();
  private readonly stopping = new AbortController();
  private readonly publicSide: PublicSide;
  private readonly listener = new WakeListener({ [SIGNAL_CHANNEL]: (payload) => this.receiveSignal(payload) });

  constructor(private readonly options: TunnelRelayOptions) {
    const { records, settings, times } = options;
    // One for each request in flight.
    setMaxListeners(0, this.stopping.signal);
    this.held = new HeldTunnels({
      peerUrl: settings.peerUrl,
      markTunnelSeen: records.markTunnelSeen,
      ...(times === undefined ? {} : { heartbeat: times.heartbeat }),
    });
    const finder = new TunnelFinder(records.findPublicTunnels);
    this.publicSide = {
      ...{ records, settings, inFlight: new InFlight(), stopping: this.stopping.signal },
      // The configuration refuses one on the host name of the dashboard.
      isOwnOrigin: settings.tunnelBaseUrl !== undefined,
      findTunnel: (token) => finder.find(token),
      exchange: (request) => this.exchange(request),
      ...(times === undefined ? {} : { times }),
    };
  }

  /** Listens to the other web processes. Without the database it starts all the same, and tries again. */
  async start(): Promise<void> {
    this.held.start();
    await this.listener.connect();
  }

  /** Tells where a request belongs, by its host and path. */
  placeOf(host: string | undefined, pathname: string): TunnelPlace {
    return placeOf(this.options.settings, host, pathname);
  }

  /** Serves a request whose place is a tunnel. @throws AppError before the head of the response */
  async serve(message: IncomingMessage, response: ServerResponse, clientAddress: string): Promise<void> {
    const tunnelId = tunnelOfPeerPath(message.url ?? '');
    if (tunnelId === null) return servePublic(this.publicSide, { message, clientAddress }, response);
    await servePeer({ message, response, tunnelId }, this.verifier, (id) => this.held.get(id));
  }

  /** Refuses a WebSocket of the public, which does not pass. @throws AppError upgrade_unsupported, or why it may not enter */
  refuseUpgrade(message: IncomingMessage, clientAddress: string): Promise<never> {
    return refuseUpgrade(this.publicSide, { message, clientAddress });
  }

  /** Makes a client that of its tunnel. See `HeldTunnels.accept`. */
  accept(client: TunnelClient): Promise<TakeSocket> {
    return this.held.accept(client);
  }

  /** Sends a request of our own. See `replay`. */
  send(request: TunnelSendRequest): Promise<{ requestId: string }> {
    return replay(this.publicSide, request);
  }

  /** Sends the clients elsewhere, gives requests a moment to end, and ends them. For shutdown, before the server closes. */
  async stop(drainMs = DRAIN_MS): Promise<void> {
    await this.held.stop(drainMs);
    this.stopping.abort(offline('The server restarts.'));
    this.peers.close();
    await this.listener.close();
  }

  private async exchange(request: RelayedRequest): Promise<RelayedResponse> {
    const { tunnel } = request;
    const held = this.held.get(tunnel.id);
    if (held !== null) return held.exchange(request);
    const holder = await this.holders.find(tunnel);
    // A client that connected meanwhile; or a row of this process whose client has just gone.
    const now = this.held.get(tunnel.id);
    if (now !== null) return now.exchange(request);
    if (holder === null || holder.peerUrl === this.options.settings.peerUrl()) throw offline();
    return this.peers.exchange(holder, request);
  }

  private receiveSignal(payload: string): void {
    const tunnelId = readTunnelId(payload);
    this.holders.forget(tunnelId);
    this.held.check(tunnelId).catch((error: unknown) => {
      log().warn({ err: error, tunnelId }, 'connection of a tunnel could not be checked');
    });
  }
}

/** An empty payload follows a connect: signals may have been missed. @returns null when any tunnel may be meant */
function readTunnelId(payload: string): string | null {
  try {
    const { tunnelId } = JSON.parse(payload) as { tunnelId?: unknown };
    return typeof tunnelId === 'string' && isId(tunnelId) ? tunnelId : null;
  } catch {
    return null;
  }
}
