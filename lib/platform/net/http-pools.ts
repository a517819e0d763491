import Client from 'undici/lib/dispatcher/client.js';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { type ConnectorOptions, vettedConnector } from './vetted-connector';

/** Idle connections, over all origins. */
const MAX_IDLE = 1_000;
/** A connection is not used for longer, so that DNS changes take effect and new addresses are vetted. */
const CONNECTION_LIFETIME_MS = MINUTE_MS;
const TIDY_INTERVAL_MS = 10 * SECOND_MS;
const RESPONSE_HEADERS_LIMIT_BYTES = 16 * 1024;

/** A connection of the pool. It carries one request at a time. */
export interface PooledConnection {
  readonly client: Client;
  readonly origin: string;
  readonly openedAt: number;
  /** The tenant that a lookup for this connection counts toward: that of the current request. */
  tenant: string | undefined;
  /** Aborts connecting, which undici continues even when its client is destroyed. */
  readonly discarded: AbortController;
}

/**
 * Keep-alive connections by origin, each to an address that was vetted for it, used for at most a minute. Callers bound the
 * active connections: one per request. At most a thousand are idle in total. The last used is acquired first, so the others
 * become idle and are closed.
 *
 * undici's Pool scans all of its connections for an idle one at each request: with 200 connections that took a tenth of the
 * worker's time.
 */
export class HttpPools {
  /** Idle connections by origin, in the order of last use. No entry is empty. */
  private readonly idle = new Map<string, PooledConnection[]>();
  private idleCount = 0;
  private readonly maxIdle: number;
  private readonly inUse = new Set<PooledConnection>();
  private readonly connect: ReturnType<typeof vettedConnector>;
  private readonly tidyTimer: NodeJS.Timeout;

  constructor(options: ConnectorOptions & { maxIdle?: number }) {
    this.connect = vettedConnector(options);
    this.maxIdle = options.maxIdle ?? MAX_IDLE;
    this.tidyTimer = setInterval(() => this.tidy(), TIDY_INTERVAL_MS).unref();
  }

  /**
   * Returns a connection to an origin, for one request. Return it with `release`.
   * @param tenant the tenant that its lookup counts toward; callers without one share a tenant
   */
  acquire(origin: string, tenant?: string): PooledConnection {
    const connection = this.takeIdle(origin) ?? this.open(origin);
    connection.tenant = tenant;
    this.inUse.add(connection);
    return connection;
  }

  /** @param isReusable false after any failure: the connection is destroyed */
  release(connection: PooledConnection, isReusable: boolean): void {
    if (!this.inUse.delete(connection) || !isReusable) return void discard(connection);
    const ofOrigin = this.idle.get(connection.origin) ?? [];
    ofOrigin.push(connection);
    this.idleCount += 1;
    this.idle.delete(connection.origin);
    this.idle.set(connection.origin, ofOrigin);
    if (this.idleCount > this.maxIdle) this.discardOldest();
  }

  /** The number of idle connections, over all origins. */
  get idleConnections(): number {
    return this.idleCount;
  }

  /** Destroys all connections and aborts their requests. */
  async destroy(): Promise<void> {
    clearInterval(this.tidyTimer);
    const all = [...this.inUse, ...[...this.idle.values()].flat()];
    this.inUse.clear();
    this.idle.clear();
    this.idleCount = 0;
    await Promise.all(all.map(discard));
  }

  private takeIdle(origin: string): PooledConnection | undefined {
    const ofOrigin = this.idle.get(origin) ?? [];
    const last = ofOrigin.pop();
    if (last === undefined) return undefined;
    this.idleCount -= 1;
    if (isFresh(last)) {
      if (ofOrigin.length === 0) this.idle.delete(origin);
      return last;
    }
    void discard(last);
    return this.takeIdle(origin);
  }

  private open(origin: string): PooledConnection {
    const discarded = new AbortController();
    const client = new Client(origin, {
      connect: (target, callback) =>
        this.connect(target, callback, { tenant: connection.tenant, abandoned: discarded.signal }),
      maxHeaderSize: RESPONSE_HEADERS_LIMIT_BYTES,
      pipelining: 1,
      keepAliveMaxTimeout: CONNECTION_LIFETIME_MS,
      // The exchange has one deadline, which replaces undici's two.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection: PooledConnection = { client, origin, openedAt: performance.now(), tenant: undefined, discarded };
    return connection;
  }

  /** Closes connections that are too old, or that the receiver has closed. */
  private tidy(): void {
    for (const [origin, ofOrigin] of this.idle) {
      const kept = ofOrigin.filter((connection) => isFresh(connection) && connection.client.stats.connected);
      for (const connection of ofOrigin) if (!kept.includes(connection)) void discard(connection);
      this.idleCount -= ofOrigin.length - kept.length;
      if (kept.length > 0) this.idle.set(origin, kept);
      else this.idle.delete(origin);
    }
  }

  private discardOldest(): void {
    for (const [origin, ofOrigin] of this.idle) {
      const oldest = ofOrigin.shift();
      if (ofOrigin.length === 0) this.idle.delete(origin);
      if (oldest === undefined) return;
      this.idleCount -= 1;
      return void discard(oldest);
    }
  }
}

function isFresh({ openedAt }: PooledConnection): boolean {
  return performance.now() - openedAt < CONNECTION_LIFETIME_MS;
}

function discard({ client, discarded }: PooledConnection): Promise<void> {
  discarded.abort();
  return client.destroy();
}
