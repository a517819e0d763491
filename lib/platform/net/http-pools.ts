import { Client } from 'undici';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { type ConnectorOptions, vettedConnector } from './vetted-connector';

const MAX_ORIGINS = 1_000;
/** A connection is not used for longer, so that a change in DNS is followed and its new address vetted. */
const CONNECTION_LIFETIME_MS = MINUTE_MS;
const TIDY_INTERVAL_MS = 10 * SECOND_MS;

/** A connection lent out: one request at a time. */
export interface Lent {
  readonly client: Client;
  readonly origin: string;
  readonly openedAt: number;
}

/**
 * Keep-alive connections by origin, each made to an address vetted for it, and used for at most a minute. How many there
 * are is the borrower's doing: one for each request under way. Of those at rest, the last used is lent first, so that the
 * others fall silent and are closed.
 *
 * Not undici's Pool, which for each request goes through all of its connections in search of an idle one: with 200 of them
 * that was a tenth of the worker's time.
 */
export class HttpPools {
  /** Connections at rest, in the order of their last use; the origin used last comes last. */
  private readonly resting = new Map<string, Lent[]>();
  private readonly lent = new Set<Lent>();
  private readonly connect: ReturnType<typeof vettedConnector>;
  private readonly tidyTimer: NodeJS.Timeout;

  constructor(options: ConnectorOptions) {
    this.connect = vettedConnector(options);
    this.tidyTimer = setInterval(() => this.tidy(), TIDY_INTERVAL_MS).unref();
  }

  /** A connection to an origin, for one request. Give it back by `giveBack`. */
  lend(origin: string): Lent {
    const lent = this.takeResting(origin) ?? this.open(origin);
    this.lent.add(lent);
    return lent;
  }

  /** @param isReusable false after any failure: the next request then gets a connection of its own */
  giveBack(lent: Lent, isReusable: boolean): void {
    if (!this.lent.delete(lent) || !isReusable) {
      void lent.client.destroy();
      return;
    }
    const resting = this.resting.get(lent.origin) ?? [];
    resting.push(lent);
    this.resting.delete(lent.origin);
    this.resting.set(lent.origin, resting);
    if (this.resting.size > MAX_ORIGINS) this.forgetOldestOrigin();
  }

  /** Origins with a connection at rest. */
  get restingOrigins(): number {
    return this.resting.size;
  }

  /** Ends every connection, cutting off what is under way. */
  async destroy(): Promise<void> {
    clearInterval(this.tidyTimer);
    const all = [...this.lent, ...[...this.resting.values()].flat()];
    this.lent.clear();
    this.resting.clear();
    await Promise.all(all.map(({ client }) => client.destroy()));
  }

  private takeResting(origin: string): Lent | undefined {
    const resting = this.resting.get(origin);
    if (resting === undefined) return undefined;
    for (let lent = resting.pop(); lent !== undefined; lent = resting.pop()) {
      if (isFresh(lent)) return lent;
      void lent.client.destroy();
    }
    this.resting.delete(origin);
    return undefined;
  }

  private open(origin: string): Lent {
    const client = new Client(origin, {
      connect: this.connect,
      pipelining: 1,
      keepAliveMaxTimeout: CONNECTION_LIFETIME_MS,
      // One deadline over the whole exchange takes the place of undici's two.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { client, origin, openedAt: performance.now() };
  }

  /** Closes what has lived for too long, or has been closed by its receiver. */
  private tidy(): void {
    for (const [origin, resting] of this.resting) {
      const kept = resting.filter((lent) => isFresh(lent) && lent.client.stats.connected);
      for (const lent of resting) if (!kept.includes(lent)) void lent.client.destroy();
      if (kept.length > 0) this.resting.set(origin, kept);
      else this.resting.delete(origin);
    }
  }

  private forgetOldestOrigin(): void {
    const [oldest] = this.resting;
    if (oldest === undefined) return;
    const [origin, resting] = oldest;
    this.resting.delete(origin);
    for (const { client } of resting) void client.destroy();
  }
}

function isFresh({ openedAt }: Lent): boolean {
  return performance.now() - openedAt < CONNECTION_LIFETIME_MS;
}
