import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { backoffMs, ConnectError, connect } from './client/connect';
import { type AnsweredRequest, LocalServer } from './client/local-server';
import type { HeartbeatTimes } from './protocol/protocol';
import { CLOSE } from './protocol/protocol';
import { TunnelSession } from './protocol/session';

/** What a tunnel client reports. */
export type TunnelStatus =
  | { state: 'connecting' }
  | { state: 'connected' }
  /** `retryMs`: milliseconds until the next attempt. */
  | { state: 'disconnected'; reason: string; retryMs: number }
  /** Final. `end` and `reason` are null when the handle was closed. */
  | { state: 'closed'; reason: string | null; end: TunnelEnd | null };

/**
 * Why a client does not connect again: another client took the tunnel over, its access ended while it was connected, the
 * server refused the connection with an HTTP status, or one side broke the protocol.
 */
export type TunnelEnd =
  | { kind: 'replaced' }
  | { kind: 'access_ended' }
  | { kind: 'refused'; status: number }
  | { kind: 'ended' };

export interface TunnelClientOptions {
  /** Origin of the API. */
  url: URL | string;
  projectId: string;
  tunnelId: string;
  /** Returns `Bearer` and an access token or an API key. Called before each attempt to connect. */
  authorization(): Promise<string>;
  /** Origin of the local server. */
  target: URL;
  /** Whether the first connection replaces a client that is already connected. */
  takeover?: boolean;
  onStatus?(status: TunnelStatus): void;
  onRequest?(request: AnsweredRequest): void;
  /** Shown to people who check which client is connected. */
  userAgent?: string;
  heartbeat?: HeartbeatTimes;
  /** The environment: its HTTPS_PROXY, HTTP_PROXY and NO_PROXY choose the proxy. */
  env: Readonly<Record<string, string | undefined>>;
}

/** A client of a tunnel. */
export interface TunnelHandle {
  /** Resolves when the tunnel is connected for the first time. @throws Error when it never will be */
  readonly connected: Promise<void>;
  /** Resolves after the end, with the reason; null when `close` was called. */
  readonly closed: Promise<string | null>;
  /** Ends the connection and the requests in flight. */
  close(): Promise<void>;
}

/** Not CLOSE.malformed: a proxy on the way may have cut a frame. */
const FINAL_CODES = new Map<number, TunnelEnd>([
  [CLOSE.normal, { kind: 'ended' }],
  [CLOSE.forbidden, { kind: 'access_ended' }],
  [CLOSE.replaced, { kind: 'replaced' }],
]);

/** Connects a local server to a tunnel, and reconnects whenever the connection breaks. */
export function openTunnel(options: TunnelClientOptions): TunnelHandle {
  const client = new Client(options);
  const closed = client.run();
  return {
    connected: client.connected,
    closed,
    close: async () => {
      client.stop();
      await closed;
    },
  };
}

class Client {
  readonly connected: Promise<void>;
  private readonly local: LocalServer;
  private readonly clientSecret = randomBytes(32).toString('base64url');
  private readonly stopping = new AbortController();
  private readonly first: { resolve(): void; reject(error: Error): void };
  private wasConnected = false;

  constructor(private readonly options: TunnelClientOptions) {
    let first = { resolve: () => {}, reject: (_error: Error) => {} };
    this.connected = new Promise((resolve, reject) => {
      first = { resolve, reject };
    });
    this.first = first;
    // Callers need not handle its rejection.
    this.connected.catch(() => undefined);
    this.local = new LocalServer(options.target, options.onRequest);
  }

  stop(): void {
    this.stopping.abort();
  }

  /** Stays connected until it is stopped or refused. @returns why it ended; null when it was stopped */
  async run(): Promise<string | null> {
    let failures = 0;
    let last: ConnectionEnd | null = null;
    while (!this.stopping.signal.aborted) {
      const connectedBefore = performance.now();
      const end = await this.connectOnce();
      if (end === null) break;
      if (end.final !== null) {
        last = end;
        break;
      }
      // Only a connection that lasted resets the backoff.
      failures = end.isRestart || (end.wasOpen && performance.now() - connectedBefore > 5_000) ? 1 : failures + 1;
      const retryMs = backoffMs(failures);
      this.options.onStatus?.({ state: 'disconnected', reason: end.reason, retryMs });
      await sleep(retryMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
    this.local.close();
    const reason = last?.reason ?? null;
    this.first.reject(new Error(reason ?? 'The tunnel was closed.'));
    this.options.onStatus?.({ state: 'closed', reason, end: last?.final ?? null });
    return reason;
  }

  private async connectOnce(): Promise<ConnectionEnd | null> {
    this.options.onStatus?.({ state: 'connecting' });
    try {
      const authorization = await this.options.authorization();
      const { userAgent = 'eds-tunnel', env } = this.options;
      const { clientSecret } = this;
      const socket = await connect({ url: this.url(), authorization, clientSecret, userAgent, env });
      return await this.serve(socket);
    } catch (error) {
      const reason =
        error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code || '' : String(error);
      const isFinal = error instanceof ConnectError && error.isFinal;
      const final = isFinal ? ({ kind: 'refused', status: error.status } as const) : null;
      return { reason, final, isRestart: false, wasOpen: false };
    }
  }

  private serve(socket: WebSocket): Promise<ConnectionEnd | null> {
    return new Promise((resolve) => {
      const { heartbeat } = this.options;
      const session: TunnelSession = new TunnelSession(socket, {
        onRequest: (head, stream) => this.local.serve(session, head, stream),
        onClose: (code, text) => {
          this.stopping.signal.removeEventListener('abort', stop);
          if (this.stopping.signal.aborted) return resolve(null);
          const reason = text || 'The connection was lost.';
          const final = FINAL_CODES.get(code) ?? null;
          resolve({ reason, final, isRestart: code === CLOSE.restart, wasOpen: true });
        },
        ...(heartbeat === undefined ? {} : { heartbeat }),
      });
      socket.resume();
      const stop = () => session.close(CLOSE.normal, 'The client was closed.');
      this.stopping.signal.addEventListener('abort', stop);
      if (this.stopping.signal.aborted) stop();
      this.wasConnected = true;
      this.options.onStatus?.({ state: 'connected' });
      this.first.resolve();
    });
  }

  private url(): URL {
    const { url: base, projectId, tunnelId, takeover = false } = this.options;
    const url = new URL(`/api/v1/projects/${projectId}/tunnels/${tunnelId}/connect`, base);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    if (takeover && !this.wasConnected) url.searchParams.set('takeover', 'true');
    return url;
  }
}

/** How a connection ended, or why it did not open. */
interface ConnectionEnd {
  reason: string;
  /** Null when the client connects again. */
  final: TunnelEnd | null;
  isRestart: boolean;
  wasOpen: boolean;
}
