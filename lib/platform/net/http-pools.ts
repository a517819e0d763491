import Client from 'undici/lib/dispatcher/client.js';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { type ConnectorOptions, vettedConnector } from './vetted-connector';

/** Idle connections, over all origins. */
const MAX_RESTING = 1_000;
/** A connection is not used for longer, so that DNS changes take effect and new addresses are vetted. */
const CONNECTION_LIFETIME_MS = MINUTE_MS;
const TIDY_INTERVAL_MS = 10 * SECOND_MS;
const ANSWER_HEADERS_LIMIT_BYTES = 16 * 1024;

/** A connection lent out: one request at a time. */
export interface Lent {
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
 * active connections: one per request. At most a thousand are idle in total. The last used is lent first, so the others
 * become idle and are closed.
 *
 * undici's Pool scans all of its connections for an idle one at each request: with 200 connections that took a tenth of the
 * worker's time.
 */
export class HttpPools {
  /** Idle connections by origin, in the order of last use. No entry is empty. */
  private readonly resting = new Map<string, Lent[]>();
  private restingCount = 0;
  private readonly maxResting: number;
  private readonly lent = new Set<Lent>();
  private readonly connect: ReturnType<typeof vettedConnector>;
  private readonly tidyTimer: NodeJS.Timeout;

  constructor(options: ConnectorOptions & { maxResting?: number }) {
    this.connect = vettedConnector(options);
    this.maxResting = options.maxResting ?? MAX_RESTING;
    this.tidyTimer = setInterval(() => this.tidy(), TIDY_INTERVAL_MS).unref();
  }

  /**
   * Returns a connection to an origin, for one request. Return it with `giveBack`.
   * @param tenant the tenant that its lookup counts toward; callers that name none share one
   */
  lend(origin: string, tenant?: string): Lent {
    const lent = this.takeResting(origin) ?? this.open(origin);
    lent.tenant = tenant;
    this.lent.add(lent);
    return lent;
  }

  /** @param isReusable false after any failure: the connection is destroyed */
  giveBack(lent: Lent, isReusable: boolean): void {
    if (!this.lent.delete(lent) || !isReusable) return void discard(lent);
    const resting = this.resting.get(lent.origin) ?? [];
    resting.push(lent);
    this.restingCount += 1;
    this.resting.delete(lent.origin);
    this.resting.set(lent.origin, resting);
    if (this.restingCount > this.maxResting) this.discardOldest();
  }

  /** The number of idle connections, over all origins. */
  get restingConnections(): number {
    return this.restingCount;
  }

  /** Destroys all connections and aborts their requests. */
  async destroy(): Promise<void> {
    clearInterval(this.tidyTimer);
    const all = [...this.lent, ...[...this.resting.values()].flat()];
    this.lent.clear();
    this.resting.clear();
    this.restingCount = 0;
    await Promise.all(all.map(discard));
  }

  private takeResting(origin: string): Lent | undefined {
    const resting = this.resting.get(origin) ?? [];
    const last = resting.pop();
    if (last === undefined) return undefined;
    this.restingCount -= 1;
    if (isFresh(last)) {
      if (resting.length === 0) this.resting.delete(origin);
      return last;
    }
    void discard(last);
    return this.takeResting(origin);
  }

  private open(origin: string): Lent {
    const discarded = new AbortController();
    const client = new Client(origin, {
      connect: (target, callback) =>
        this.connect(target, callback, { tenant: lent.tenant, abandoned: discarded.signal }),
      maxHeaderSize: ANSWER_HEADERS_LIMIT_BYTES,
      pipelining: 1,
      keepAliveMaxTimeout: CONNECTION_LIFETIME_MS,
      // The exchange has one deadline, which replaces undici's two.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const lent: Lent = { client, origin, openedAt: performance.now(), tenant: undefined, discarded };
    return lent;
  }

  /** Closes connections that are too old, or that the receiver has closed. */
  private tidy(): void {
    for (const [origin, resting] of this.resting) {
      const kept = resting.filter((lent) => isFresh(lent) && lent.client.stats.connected);
      for (const lent of resting) if (!kept.includes(lent)) void discard(lent);
      this.restingCount -= resting.length - kept.length;
      if (kept.length > 0) this.resting.set(origin, kept);
      else this.resting.delete(origin);
    }
  }

  private discardOldest(): void {
    for (const [origin, resting] of this.resting) {
      const oldest = resting.shift();
      if (resting.length === 0) this.resting.delete(origin);
      if (oldest === undefined) return;
      this.restingCount -= 1;
      return void discard(oldest);
    }
  }
}

function isFresh({ openedAt }: Lent): boolean {
  return performance.now() - openedAt < CONNECTION_LIFETIME_MS;
}

function discard({ client, discarded }: Lent): Promise<void> {
  discarded.abort();
  return client.destroy();
}
