import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { forgetTenants } from '@/lib/orgs/tenant';
import { MOVES_CHANNEL } from '@/lib/platform/cells/cell-channel';
import { isLoopbackHost } from '@/lib/platform/config/variable-types';
import { isId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { ACCESS_CHANNEL, openConnections } from '@/lib/platform/open-connections';
import { type PlaceLimits, SharedPlaces } from '@/lib/platform/shared-places';
import { WakeListener } from '@/lib/platform/wake-listener';
import type { HeartbeatTimes } from '@/lib/tunnel/protocol/protocol';
import { ConnectedClients, type TakeSocket, type TunnelClient } from './clients/connected-clients';
import { CLIENT_SIGNALS, SIGNAL_CHANNEL } from './connections-sql';
import { offline } from './errors';
import { Holders, TunnelFinder } from './find-tunnel';
import { CLIENTS, DRAIN_MS, IN_FLIGHT } from './limits';
import { OpenVisits } from './open-visits';
import { PeerVerifier, tunnelOfPeerPath } from './peer/peer-protocol';
import { PeerClient } from './peer/send-to-peer';
import { servePeer } from './peer/serve-peer';
import { refuseUpgrade } from './public/route-request';
import { servePublic } from './public/serve-public';
import type { ExchangedRequest, PublicSide, RelayedResponse, RelaySettings, TunnelRecords } from './relay-types';
import { placeOf, type TunnelPlace } from './relay-types';
import { replay, type TunnelSendRequest } from './replay';
import { TestReceivers } from './test-receivers';

export interface TunnelRelayOptions {
  records: TunnelRecords;
  settings: RelaySettings;
  /** For tests. */
  places?: { inFlight: PlaceLimits; clients: PlaceLimits };
  times?: PublicSide['times'] & { heartbeat: HeartbeatTimes };
}

/**
 * The tunnels of a web process: its connected clients, public requests, and requests from other web processes
 * (docs/decisions/036-tunnels.md).
 */
export class TunnelRelay {
  private readonly clients: ConnectedClients;
  private readonly holders = new Holders();
  private readonly finder: TunnelFinder;
  private readonly visits = new OpenVisits();
  private readonly testReceivers = new TestReceivers();
  private readonly peers = new PeerClient();
  private readonly verifier = new PeerVerifier();
  private readonly stopping = new AbortController();
  private readonly publicSide: PublicSide;
  /** The only listener of a web process, so it also hears for streams and downloads, and for organizations that move. */
  private readonly listener = new WakeListener({
    [SIGNAL_CHANNEL]: (payload) => this.receiveSignal(payload),
    [ACCESS_CHANNEL]: (payload) => openConnections().receive(payload),
    [MOVES_CHANNEL]: forgetTenants,
  });

  constructor(private readonly options: TunnelRelayOptions) {
    const { records, settings, times, places } = options;
    // Every request in flight has a listener.
    setMaxListeners(0, this.stopping.signal);
    this.clients = new ConnectedClients({
      peerUrl: settings.peerUrl,
      markTunnelSeen: records.markTunnelSeen,
      places: new SharedPlaces(places?.clients ?? CLIENTS),
      ...(times === undefined ? {} : { heartbeat: times.heartbeat }),
    });
    this.finder = new TunnelFinder(records.findPublicTunnels);
    this.publicSide = {
      records,
      settings,
      inFlight: new SharedPlaces(places?.inFlight ?? IN_FLIGHT),
      visits: this.visits,
      stopping: this.stopping.signal,
      // The configuration refuses a TUNNEL_BASE_URL with the dashboard's host name.
      isOwnOrigin: settings.tunnelBaseUrl !== undefined,
      mayRender: settings.tunnelBaseUrl !== undefined || isLoopbackHost(new URL(settings.baseUrl).hostname),
      findTunnel: (token) => this.finder.find(token),
      exchange: (request) => this.exchange(request),
      ...(times === undefined ? {} : { times }),
    };
  }

  /** Starts to listen to other web processes. Without a database it starts anyway and keeps trying. */
  async start(): Promise<void> {
    this.clients.start();
    await this.listener.connect();
  }

  /** Returns where a request belongs, by its host and path. */
  placeOf(host: string | undefined, pathname: string): TunnelPlace {
    return placeOf(this.options.settings, host, pathname);
  }

  /** Serves a request whose place is a tunnel. @throws AppError before the head of the response */
  async serve(message: IncomingMessage, response: ServerResponse, clientAddress: string): Promise<void> {
    const tunnelId = tunnelOfPeerPath(message.url ?? '');
    if (tunnelId === null) return servePublic(this.publicSide, { message, clientAddress }, response);
    await servePeer({ message, response, tunnelId }, this.verifier, (id) => this.clients.get(id));
  }

  /** Refuses a WebSocket of the public, which does not pass. @throws AppError upgrade_unsupported, or why it may not enter */
  refuseUpgrade(message: IncomingMessage, clientAddress: string): Promise<never> {
    return refuseUpgrade(this.publicSide, { message, clientAddress });
  }

  /** Counts an attempt of a client to connect. See `ConnectedClients.countAttempt`. */
  countAttempt(projectId: string): Promise<void> {
    return this.clients.countAttempt(projectId);
  }

  /** Makes a client that of its tunnel. See `ConnectedClients.accept`. */
  accept(client: TunnelClient): Promise<TakeSocket> {
    return this.clients.accept(client);
  }

  /** Sends a replayed request. See `replay`. */
  send(request: TunnelSendRequest): Promise<{ requestId: string }> {
    return replay(this.publicSide, request);
  }

  /**
   * For shutdown, before the server closes: gives requests a moment to end, tells clients to connect elsewhere, and ends the
   * rest.
   */
  async stop(drainMs = DRAIN_MS): Promise<void> {
    await this.clients.stop(drainMs);
    this.stopping.abort(offline('The server is restarting.'));
    this.peers.close();
    await this.listener.close();
  }

  private async exchange(request: ExchangedRequest): Promise<RelayedResponse> {
    const { tunnel } = request;
    if (tunnel.testResponse !== null) return this.testReceivers.answer(request, tunnel.testResponse);
    const client = this.clients.get(tunnel.id);
    if (client !== null) return client.exchange(request);
    const holder = await this.holders.find(tunnel);
    // The client may have connected here meanwhile, or may have just left this process.
    const now = this.clients.get(tunnel.id);
    if (now !== null) return now.exchange(request);
    if (holder === null || holder.peerUrl === this.options.settings.peerUrl()) throw offline();
    return this.peers.exchange(holder, request);
  }

  private receiveSignal(payload: string): void {
    const { type, tunnelId } = readSignal(payload);
    this.holders.forget(tunnelId);
    this.clients.check(tunnelId).catch((error: unknown) => {
      log().warn({ err: error, tunnelId }, 'connection of a tunnel could not be checked');
    });
    if (CLIENT_SIGNALS.includes(type as string)) return;
    this.finder.forget(tunnelId);
    this.visits.check(tunnelId);
  }
}

/** After a reconnect the payload is empty: signals may have been missed. @returns no id when any tunnel may have changed */
function readSignal(payload: string): { type: unknown; tunnelId: string | null } {
  try {
    const { type, tunnelId } = JSON.parse(payload) as { type?: unknown; tunnelId?: unknown };
    return { type, tunnelId: typeof tunnelId === 'string' && isId(tunnelId) ? tunnelId : null };
  } catch {
    return { type: null, tunnelId: null };
  }
}
