import { Pool } from 'undici';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { type ConnectorOptions, vettedConnector } from './vetted-connector';

const MAX_POOLS = 1_000;
const IDLE_POOL_MS = MINUTE_MS;
/** A connection is not used for longer, so that a change in DNS is followed and its new address vetted. */
const CONNECTION_LIFETIME_MS = MINUTE_MS;
const TIDY_INTERVAL_MS = 30 * SECOND_MS;

interface PooledOrigin {
  pool: Pool;
  inFlight: number;
  lastUsedAt: number;
}

/**
 * Keep-alive connections by origin, each made to an address vetted for it. How many connections an origin has is the
 * caller's doing: there is one for each request under way. Origins beyond 1,000 and those unused for a minute are closed.
 */
export class HttpPools {
  private readonly origins = new Map<string, PooledOrigin>();
  private readonly connect: ReturnType<typeof vettedConnector>;
  private readonly tidyTimer: NodeJS.Timeout;

  constructor(options: ConnectorOptions) {
    this.connect = vettedConnector(options);
    this.tidyTimer = setInterval(() => this.tidy(), TIDY_INTERVAL_MS).unref();
  }

  /** The pool of an origin, held open until `release` is called once. */
  acquire(origin: string): Pool {
    const entry = this.origins.get(origin) ?? this.open(origin);
    entry.inFlight += 1;
    entry.lastUsedAt = performance.now();
    return entry.pool;
  }

  release(origin: string): void {
    const entry = this.origins.get(origin);
    if (entry !== undefined) entry.inFlight -= 1;
  }

  get size(): number {
    return this.origins.size;
  }

  /** Ends every connection, cutting off what is under way. */
  async destroy(): Promise<void> {
    clearInterval(this.tidyTimer);
    const pools = [...this.origins.values()].map(({ pool }) => pool.destroy());
    this.origins.clear();
    await Promise.all(pools);
  }

  private open(origin: string): PooledOrigin {
    if (this.origins.size >= MAX_POOLS) this.closeIdle(this.origins.size - MAX_POOLS + 1);
    const pool = new Pool(origin, {
      connect: this.connect,
      connections: null,
      pipelining: 1,
      clientTtl: CONNECTION_LIFETIME_MS,
      keepAliveMaxTimeout: CONNECTION_LIFETIME_MS,
      // One deadline over the whole exchange takes the place of undici's two.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const entry = { pool, inFlight: 0, lastUsedAt: performance.now() };
    this.origins.set(origin, entry);
    return entry;
  }

  private tidy(): void {
    const before = performance.now() - IDLE_POOL_MS;
    const unused = [...this.origins.values()].filter((entry) => entry.inFlight === 0 && entry.lastUsedAt < before);
    this.closeIdle(unused.length);
  }

  /** Closes up to `count` origins without a request under way, those unused for longest first. */
  private closeIdle(count: number): void {
    const idle = [...this.origins].filter(([, entry]) => entry.inFlight === 0);
    idle.sort(([, a], [, b]) => a.lastUsedAt - b.lastUsedAt);
    for (const [origin, entry] of idle.slice(0, count)) {
      this.origins.delete(origin);
      void entry.pool.close();
    }
  }
}
