import Client from 'undici/lib/dispatcher/client.js';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import type { AddressPolicy } from './address-policy';
import { allowResponse, type ConnectionSteps, noSteps } from './connection-steps';
import { type ConnectorOptions, vettedConnector } from './vetted-connector';

/** Idle connections, over all origins. */
const MAX_IDLE = 1_000;
/** A connection is not used for longer, so that DNS changes take effect and new addresses are vetted. */
const CONNECTION_LIFETIME_MS = MINUTE_MS;
const TIDY_INTERVAL_MS = 10 * SECOND_MS;
const RESPONSE_HEADERS_LIMIT_BYTES = 16 * 1024;

/** What a request is sent to. */
interface RequestTarget {
  /** Scheme, host and port, as URL.origin gives them. */
  origin: string;
  /** Path with query. */
  path: string;
}

/** Requests for which another address policy holds. Their connections carry no other requests. */
export interface Exemption {
  covers(target: RequestTarget): boolean;
  isAllowed: AddressPolicy;
  /** Returns headers that only requests to what it covers have. */
  headersOf?(target: RequestTarget, use: ConnectionUse): Record<string, string>;
}

/** A request for a connection. */
export interface ConnectionUse {
  /** The tenant of the request. Callers without one share a tenant. */
  tenant?: string | undefined;
  /** Whether the policy for public addresses holds, if there is one: for a target of strangers. */
  isPublicOnly?: boolean | undefined;
}

/** A connection of the pool. It carries one request at a time. */
export interface PooledConnection {
  readonly client: Client;
  /** Requests with the same key may share a connection. */
  readonly key: string;
  readonly openedAt: number;
  /** The tenant whose requests it carries, and that its lookups count toward. */
  readonly tenant: string | undefined;
  /** Aborts connecting, which undici continues even when its client is destroyed. */
  readonly discarded: AbortController;
  /** When it was opened, step by step. undici may open it again. */
  readonly steps: ConnectionSteps;
}

/**
 * Keep-alive connections by key, each to an address that was vetted for it, used for at most a minute. A key is a tenant and an origin:
 * whoever sends surplus responses on a connection gets nobody else's requests there. Exempt requests have a key of their own. Callers
 * bound the active connections: one per request. At most a thousand are idle in total. The last used is acquired first, so the others
 * become idle and are closed.
 *
 * undici's Pool scans all of its connections for an idle one at each request: with 200 connections that took a tenth of the
 * worker's time.
 */
export class HttpPools {
  /** Idle connections by key, in the order of last use. No entry is empty. */
  private readonly idle = new Map<string, PooledConnection[]>();
  private idleCount = 0;
  private readonly maxIdle: number;
  private readonly inUse = new Set<PooledConnection>();
  private readonly connect: ReturnType<typeof vettedConnector>;
  private readonly tidyTimer: NodeJS.Timeout;

  constructor(
    private readonly options: ConnectorOptions & {
      maxIdle?: number;
      exemption?: Exemption;
      /** The policy of requests that may reach public addresses only; by default that of all. */
      isPublic?: AddressPolicy | undefined;
    },
  ) {
    this.connect = vettedConnector(options);
    this.maxIdle = options.maxIdle ?? MAX_IDLE;
    this.tidyTimer = setInterval(() => this.tidy(), TIDY_INTERVAL_MS).unref();
  }

  /**
   * Returns a connection for one request. Return it with `release`.
   */
  acquire(target: RequestTarget, { tenant, isPublicOnly = false }: ConnectionUse = {}): PooledConnection {
    const { exemption, isPublic } = this.options;
    const isLimited = isPublicOnly && isPublic !== undefined;
    const isExempt = !isLimited && exemption?.covers(target) === true;
    const policy = isLimited ? isPublic : isExempt ? exemption?.isAllowed : undefined;
    const key = `${tenant ?? ''} ${isLimited ? 'public ' : ''}${isExempt ? 'exempt ' : ''}${target.origin}`;
    const connection = this.takeIdle(key) ?? this.open(target.origin, { key, tenant, isAllowed: policy, isExempt });
    allowResponse(connection.steps);
    this.inUse.add(connection);
    return connection;
  }

  /** Returns the headers that a request has because of where it goes. They must not reach any other receiver. */
  headersOf(target: RequestTarget, use: ConnectionUse): Record<string, string> {
    const { exemption } = this.options;
    return (exemption?.covers(target) && exemption.headersOf?.(target, use)) || {};
  }

  /** @param isReusable false after any failure: the connection is destroyed */
  release(connection: PooledConnection, isReusable: boolean): void {
    if (!this.inUse.delete(connection) || !isReusable) return void discard(connection);
    const ofKey = this.idle.get(connection.key) ?? [];
    ofKey.push(connection);
    this.idleCount += 1;
    this.idle.delete(connection.key);
    this.idle.set(connection.key, ofKey);
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

  private takeIdle(key: string): PooledConnection | undefined {
    const ofKey = this.idle.get(key) ?? [];
    const last = ofKey.pop();
    if (last === undefined) return undefined;
    this.idleCount -= 1;
    if (ofKey.length === 0) this.idle.delete(key);
    if (isFresh(last)) return last;
    void discard(last);
    return this.takeIdle(key);
  }

  private open(
    origin: string,
    {
      key,
      tenant,
      isAllowed,
      isExempt,
    }: Pick<PooledConnection, 'key' | 'tenant'> & { isAllowed: AddressPolicy | undefined; isExempt: boolean },
  ): PooledConnection {
    const discarded = new AbortController();
    const steps = noSteps();
    const client = new Client(origin, {
      connect: (target, callback) =>
        this.connect(target, callback, { tenant, abandoned: discarded.signal, isAllowed, isExempt, steps }),
      maxHeaderSize: RESPONSE_HEADERS_LIMIT_BYTES,
      pipelining: 1,
      keepAliveMaxTimeout: CONNECTION_LIFETIME_MS,
      // The exchange has one deadline, which replaces undici's two.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const openedAt = performance.now();
    const connection: PooledConnection = { client, key, openedAt, tenant, discarded, steps };
    return connection;
  }

  /** Closes connections that are too old, or that the receiver has closed. */
  private tidy(): void {
    for (const [key, ofKey] of this.idle) {
      const kept = ofKey.filter((connection) => isFresh(connection) && connection.client.stats.connected);
      for (const connection of ofKey) if (!kept.includes(connection)) void discard(connection);
      this.idleCount -= ofKey.length - kept.length;
      if (kept.length > 0) this.idle.set(key, kept);
      else this.idle.delete(key);
    }
  }

  private discardOldest(): void {
    for (const [key, ofKey] of this.idle) {
      const oldest = ofKey.shift();
      if (ofKey.length === 0) this.idle.delete(key);
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
