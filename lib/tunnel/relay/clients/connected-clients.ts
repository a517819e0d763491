import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { inCellOfProject, inCellsOf, ownerOfProject } from '@/lib/orgs/tenant';
import { Batches } from '@/lib/platform/batches';
import { onceInCell } from '@/lib/platform/cells/current-cell';
import { sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import type { WhileAllowed } from '@/lib/platform/open-connections';
import { retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import type { SharedPlaces } from '@/lib/platform/shared-places';
import type { HeartbeatTimes } from '@/lib/tunnel/protocol/protocol';
import { CLOSE, CLOSING_MS, MAX_FRAME_BYTES, SUBPROTOCOL } from '@/lib/tunnel/protocol/protocol';
import { bytePace } from '@/lib/tunnel/relay/byte-pace';
import {
  claimTunnel,
  findConnection,
  notifyReleased,
  releaseTunnels,
  renewConnections,
  takeTunnel,
} from '@/lib/tunnel/relay/connections-sql';
import {
  CONNECTS_PER_MINUTE,
  DRAIN_MS,
  HEAD_WEIGHT,
  MAX_FRAGMENTS,
  MAX_PIECES,
  RELEASE_MS,
  ROW_HEARTBEAT_MS,
} from '@/lib/tunnel/relay/limits';
import { MinuteAllowance } from '@/lib/tunnel/request-log/log-writer';
import { BufferBudget, FrameBudget } from './budgets';
import { ConnectedClient } from './connected-client';

/** A client that asks to serve a tunnel and has access to it. */
export interface TunnelClient {
  tunnelId: string;
  projectId: string;
  /** Shown to people, such as the name of its program. */
  name: string;
  /** The client's secret, with which it replaces its own connection after a disconnect; null without one. */
  secret: string | null;
  /** Whether it replaces another client. */
  takeover: boolean;
  /** Its connection ends when it loses access. */
  whileAllowed: WhileAllowed;
}

/** The time a tunnel was last seen is accurate to a minute. */
const RENEWALS_BETWEEN_MARKS = 6;

/** An owner may have thousands of clients, all of which may disconnect at once. */
const releases = () =>
  onceInCell('tunnel-releases', () => new Batches(releaseTogether, { maxRunning: 1, maxBatch: 100 }));

async function releaseTogether(connections: readonly { tunnelId: string; connectionId: string }[]) {
  const rows = {
    tunnels: connections.map(({ tunnelId }) => tunnelId),
    connections: connections.map(({ connectionId }) => connectionId),
  };
  // A renewal locks many of the same rows.
  await retryLockedTransaction(async (tx) => {
    const released = await releaseTunnels.all(tx, rows);
    const tunnels = released.map(({ tunnel_id }) => tunnel_id);
    if (tunnels.length > 0) await notifyReleased.all(tx, { tunnels });
  });
  return () => undefined;
}

const inUse = () =>
  new AppError('tunnel_in_use', 'Another client is connected to this tunnel. Take it over to replace it.');

/** How frames of clients are read. */
export const FRAME_OPTIONS = {
  perMessageDeflate: false,
  maxPayload: MAX_FRAME_BYTES,
  maxFragments: MAX_FRAGMENTS,
  maxBufferedChunks: MAX_PIECES,
  autoPong: false,
  closeTimeout: CLOSING_MS,
};

/** Takes over the socket of an upgrade. */
export type TakeSocket = (message: IncomingMessage, socket: Duplex, head: Buffer) => void;

interface ConnectedClientsOptions {
  peerUrl(): string;
  markTunnelSeen(tunnelId: string, projectId: string): Promise<void>;
  places: SharedPlaces;
  heartbeat?: HeartbeatTimes;
}

/** The clients that are connected to this process. Each has a row in the database, which this process renews. */
export class ConnectedClients {
  private readonly byTunnel = new Map<string, ConnectedClient>();
  private readonly connects = new MinuteAllowance(CONNECTS_PER_MINUTE);
  private readonly budget = new BufferBudget(() => this.byTunnel.values());
  private readonly frames = new FrameBudget();
  private readonly sockets = new WebSocketServer({
    ...FRAME_OPTIONS,
    noServer: true,
    clientTracking: false,
    handleProtocols: () => SUBPROTOCOL,
  });
  private renewal: NodeJS.Timeout | null = null;
  private renewals = 0;
  private isStopping = false;

  constructor(private readonly options: ConnectedClientsOptions) {}

  start(): void {
    this.renewal = setInterval(() => void this.renew(), ROW_HEARTBEAT_MS);
  }

  get size(): number {
    return this.byTunnel.size;
  }

  /** Returns the tunnel if its client is connected to this process. */
  get(tunnelId: string): ConnectedClient | null {
    const client = this.byTunnel.get(tunnelId);
    return client?.isOpen ? client : null;
  }

  /** Counts an attempt to connect to a tunnel of a project. @throws AppError rate_limited beyond those of its owner in a minute */
  async countAttempt(projectId: string): Promise<void> {
    if (this.connects.take(await ownerOfProject(projectId), 1)) return;
    const detail = `The tunnels of one owner connect at most ${CONNECTS_PER_MINUTE} times a minute.`;
    throw new AppError('rate_limited', detail, { retryAfterSeconds: 60 });
  }

  /**
   * Connects a client to its tunnel. Returns a function that takes over the socket; call it at once.
   * @throws AppError tunnel_in_use, overloaded
   */
  async accept(client: TunnelClient): Promise<TakeSocket> {
    const connectionId = newId();
    const { tunnelId, projectId } = client;
    let isDisplaced = false;
    let displace = () => {
      isDisplaced = true;
    };
    const ownerId = await ownerOfProject(projectId);
    const leave = this.takePlace(ownerId, () => displace());
    await this.claim(client, connectionId).catch((error: unknown) => {
      leave();
      throw error;
    });
    const release = () => {
      leave();
      void this.release(client, connectionId);
    };
    // Two claims may be answered in the other order: the later one's connection must stay.
    if (this.byTunnel.has(tunnelId)) {
      try {
        if ((await this.findConnection(client))?.connection_id !== connectionId) throw inUse();
      } catch (error) {
        release();
        throw error;
      }
    }
    return (message, socket, head) => {
      // `ws` rejects an invalid handshake and closes the socket, which releases the row.
      if (isDisplaced) socket.destroy();
      if (socket.destroyed) return release();
      socket.once('close', release);
      // A copy: what is left of a read would keep all of it in memory.
      this.sockets.handleUpgrade(message, socket, Buffer.from(head), (webSocket) => {
        const access = client.whileAllowed(({ status, message }) =>
          connected.session.close(status < 500 ? CLOSE.forbidden : CLOSE.later, message),
        );
        const place = bytePace().enter(ownerId);
        const connected = new ConnectedClient(webSocket, {
          tunnelId,
          projectId,
          ownerId,
          connectionId,
          access,
          socket: socket as Socket,
          headBytes: head.length,
          onBytes: (bytes) => this.budget.count(bytes),
          owedMs: () => this.frames.owedMs(ownerId),
          onFrame: (bytes, kind) => {
            const owedMs = this.frames.count(ownerId, bytes, kind === 'body');
            return Math.max(owedMs, place.count(kind === 'head' ? HEAD_WEIGHT * bytes : bytes));
          },
          onClose: () => {
            access.release();
            if (this.byTunnel.get(tunnelId) === connected) this.byTunnel.delete(tunnelId);
          },
          ...(this.options.heartbeat === undefined ? {} : { heartbeat: this.options.heartbeat }),
        });
        displace = () => connected.session.close(CLOSE.later, 'The places are taken, most of them by the same owner.');
        this.byTunnel.get(tunnelId)?.session.close(CLOSE.replaced, 'Another connection took the tunnel over.');
        this.byTunnel.set(tunnelId, connected);
        this.markSeen(connected);
        log().info({ tunnelId, connectionId }, 'tunnel connected');
        if (this.isStopping) connected.session.close(CLOSE.restart, 'The server is restarting.');
      });
    };
  }

  /** @throws AppError overloaded */
  private takePlace(ownerId: string, end: () => void): () => void {
    const leave = this.isStopping ? null : this.options.places.take(ownerId, end);
    if (leave !== null) return leave;
    throw new AppError('overloaded', 'This process can’t hold more tunnels. Try again.', { retryAfterSeconds: 1 });
  }

  /** Assigns a connection to the tunnel of a client. @throws AppError tunnel_in_use */
  private async claim(client: TunnelClient, connectionId: string): Promise<void> {
    const { tunnelId, projectId, name, secret, takeover } = client;
    const row = {
      tunnel: tunnelId,
      project: projectId,
      connection: connectionId,
      peerUrl: this.options.peerUrl(),
      clientName: name,
      clientHash: secret === null ? null : sha256(secret),
    };
    const statement = takeover ? takeTunnel : claimTunnel;
    const claimed = await inCellOfProject(projectId, () => statement.first(database(), row));
    if (claimed !== undefined) return;
    throw inUse();
  }

  private findConnection({ tunnelId, projectId }: Pick<TunnelClient, 'tunnelId' | 'projectId'>) {
    return inCellOfProject(projectId, () => findConnection.first(database(), { tunnel: tunnelId }));
  }

  /** Closes a tunnel's connection if its row is gone or another connection's. Without an id, checks all tunnels. */
  async check(tunnelId: string | null): Promise<void> {
    if (tunnelId === null) return this.renew();
    const client = this.byTunnel.get(tunnelId);
    // `stop` removes the rows itself, and ends each connection after its requests.
    if (client === undefined || this.isStopping) return;
    const row = await this.findConnection(client.options);
    if (row?.connection_id === client.options.connectionId) return;
    this.close(client, row !== undefined);
  }

  /** Tells all clients to connect elsewhere, each once its requests have ended, after three seconds at most. */
  async stop(drainMs = DRAIN_MS): Promise<void> {
    this.isStopping = true;
    if (this.renewal !== null) clearInterval(this.renewal);
    const all = [...this.byTunnel.values()];
    for (const client of all) client.drain();
    const end = performance.now() + drainMs;
    const restart = async (client: ConnectedClient) => {
      while (client.requestsInFlight > 0 && performance.now() < end) await sleep(20);
      const released = this.release(client.options, client.options.connectionId);
      // An unreachable database must not delay the shutdown: the row expires by itself.
      await Promise.race([released, sleep(RELEASE_MS, undefined, { ref: false })]);
      client.session.close(CLOSE.restart, 'The server is restarting.');
    };
    await Promise.all(all.map(restart));
  }

  private async renew(): Promise<void> {
    const all = [...this.byTunnel.values()];
    if (all.length === 0) return;
    this.renewals += 1;
    const isMarked = this.renewals % RENEWALS_BETWEEN_MARKS === 0;
    const warn = (error: unknown) =>
      log().warn({ err: error }, 'connections of tunnels could not be renewed; trying again');
    await inCellsOf(
      all,
      ({ options }) => options.projectId,
      (ofCell) => this.renewTogether(ofCell, isMarked).catch(warn),
    ).catch(warn);
  }

  private async renewTogether(clients: readonly ConnectedClient[], isMarked: boolean): Promise<void> {
    const rows = await renewConnections.all(database(), {
      tunnels: clients.map(({ options }) => options.tunnelId),
      connections: clients.map(({ options }) => options.connectionId),
    });
    const kept = new Set(rows.map((row) => row.connection_id));
    for (const client of clients) {
      if (!kept.has(client.options.connectionId)) await this.check(client.options.tunnelId);
      else if (isMarked) this.markSeen(client);
    }
  }

  private close(client: ConnectedClient, isReplaced: boolean): void {
    if (isReplaced) client.session.close(CLOSE.replaced, 'Another client took the tunnel over.');
    else client.session.close(CLOSE.unknown, 'The tunnel was deleted.');
  }

  private async release(
    { tunnelId, projectId }: Pick<TunnelClient, 'tunnelId' | 'projectId'>,
    connectionId: string,
  ): Promise<void> {
    await inCellOfProject(projectId, () => releases().add({ tunnelId, connectionId })).catch((error: unknown) => {
      log().warn({ err: error, tunnelId }, 'connection of a tunnel could not be released; its row expires');
    });
  }

  private markSeen({ options: { tunnelId, projectId } }: ConnectedClient): void {
    this.options.markTunnelSeen(tunnelId, projectId).catch((error: unknown) => {
      log().warn({ err: error, tunnelId }, 'could not record that a tunnel is connected');
    });
  }
}
