import Client from 'undici/lib/dispatcher/client.js';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import type { AddressPolicy } from './address-policy';
import { allowResponse, type ConnectionSteps, noSteps } from './connection-steps';
import { type ConnectorOptions, vettedConnector } from './vetted-connector';

/** Idle connections, over all origins. */
const MAX_IDLE = 1_000;
/**
 * Idle connections of a tenant while others have some. Its receivers may close all of them at the same moment, and each then takes 0.1 ms of
 * the thread.
 */
const MAX_IDLE_OF_TENANT = 200;
/** Idle connections that are closed in one turn of the event loop. */
const CLOSED_PER_TURN = 20;
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
  /** Returns the headers of a request to what it covers: other headers must not reach it, and some must not reach anybody else. */
  headersOf?(
    given: Readonly<Record<string, string>>,
    target: RequestTarget,
    use: ConnectionUse,
  ): Readonly<Record<string, string>>;
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
 * bound the active connections: one per request. At most a thousand are idle in total, and what is too much is taken from the tenant that
 * has most. The last used is acquired first, so the others become idle and are closed.
 *
 * undici's Pool scans all of its connections for an idle one at each request: with 200 connections that took a tenth of the
 * worker's time.
 */
export class HttpPools {
  /** Idle connections by key, in the order of last use. No entry is empty. */
  private readonly idle = new Map<string, PooledConnection[]>();
  private idleCount = 0;
  /** How many are idle of each tenant that has some. */
  private readonly idleByTenant = new Map<string, number>();
  /** Connections that wait to be closed. */
  private readonly closing: PooledConnection[] = [];
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

  /** Returns the headers of a request: those given, changed because of where it goes. */
  headersOf(
    given: Readonly<Record<string, string>>,
    target: RequestTarget,
    use: ConnectionUse,
  ): Readonly<Record<string, string>> {
    const { exemption } = this.options;
    return (exemption?.covers(target) && exemption.headersOf?.(given, target, use)) || given;
  }

  /** @param isReusable false after any failure: the connection is destroyed */
  release(connection: PooledConnection, isReusable: boolean): void {
    if (!this.inUse.delete(connection) || !isReusable) return void discard(connection);
    const ofKey = this.idle.get(connection.key) ?? [];
    ofKey.push(connection);
    this.countIdle(connection, 1);
    this.idle.delete(connection.key);
    this.idle.set(connection.key, ofKey);
    this.closeSurplusOf(tenantOf(connection));
    if (this.idleCount > this.maxIdle) this.closeOldest(this.tenantWithMost(), 1);
  }

  /** The number of idle connections, over all origins. */
  get idleConnections(): number {
    return this.idleCount;
  }

  /** Destroys all connections and aborts their requests. */
  async destroy(): Promise<void> {
    clearInterval(this.tidyTimer);
    const all = [...this.inUse, ...[...this.idle.values()].flat(), ...this.closing.splice(0)];
    this.inUse.clear();
    this.idle.clear();
    this.idleByTenant.clear();
    this.idleCount = 0;
    await Promise.all(all.map(discard));
  }

  private takeIdle(key: string): PooledConnection | undefined {
    const ofKey = this.idle.get(key) ?? [];
    const last = ofKey.pop();
    if (last === undefined) return undefined;
    this.countIdle(last, -1);
    if (ofKey.length === 0) this.idle.delete(key);
    if (isFresh(last)) return last;
    this.closeSoon(last);
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

  /** Closes connections that are too old, that the receiver has closed, or that are too many of a tenant. */
  private tidy(): void {
    for (const [key, ofKey] of this.idle) {
      const kept: PooledConnection[] = [];
      for (const connection of ofKey) {
        if (isFresh(connection) && connection.client.stats.connected) kept.push(connection);
        else this.closeIdle(connection);
      }
      if (kept.length > 0) this.idle.set(key, kept);
      else this.idle.delete(key);
    }
    for (const tenant of [...this.idleByTenant.keys()]) this.closeSurplusOf(tenant);
  }

  private closeSurplusOf(tenant: string): void {
    if (this.idleByTenant.size > 1) this.closeOldest(tenant, (this.idleByTenant.get(tenant) ?? 0) - MAX_IDLE_OF_TENANT);
  }

  private closeOldest(tenant: string, count: number): void {
    let left = count;
    for (const [key, ofKey] of this.idle) {
      if (left <= 0) return;
      if (ofKey[0] === undefined || tenantOf(ofKey[0]) !== tenant) continue;
      const oldest = ofKey.splice(0, left);
      left -= oldest.length;
      for (const connection of oldest) this.closeIdle(connection);
      if (ofKey.length === 0) this.idle.delete(key);
    }
  }

  private tenantWithMost(): string {
    let [most, mostCount] = ['', 0];
    for (const [tenant, count] of this.idleByTenant) if (count > mostCount) [most, mostCount] = [tenant, count];
    return most;
  }

  private countIdle(connection: PooledConnection, change: 1 | -1): void {
    const tenant = tenantOf(connection);
    const count = (this.idleByTenant.get(tenant) ?? 0) + change;
    if (count > 0) this.idleByTenant.set(tenant, count);
    else this.idleByTenant.delete(tenant);
    this.idleCount += change;
  }

  private closeIdle(connection: PooledConnection): void {
    this.countIdle(connection, -1);
    this.closeSoon(connection);
  }

  private closeSoon(connection: PooledConnection): void {
    if (this.closing.push(connection) === 1) setImmediate(() => this.closeSome());
  }

  private closeSome(): void {
    for (const connection of this.closing.splice(0, CLOSED_PER_TURN)) void discard(connection);
    if (this.closing.length > 0) setImmediate(() => this.closeSome());
  }
}

/** Callers without a tenant share one. */
function tenantOf({ tenant = '' }: PooledConnection): string {
  return tenant;
}

function isFresh({ openedAt }: PooledConnection): boolean {
  return performance.now() - openedAt < CONNECTION_LIFETIME_MS;
}

function discard({ client, discarded }: PooledConnection): Promise<void> {
  discarded.abort();
  return client.destroy();
}
