import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '@/lib/platform/clock';
import { isAlone } from '@/lib/platform/pace';
import { RoundRobin } from '@/lib/platform/round-robin';
import { TokenBuckets } from '@/lib/platform/token-buckets';

/** Milliseconds of the processor that a handshake, or the reading of a response, takes at most without being costly. Most take one. */
export const ORDINARY_MS = 4;
/**
 * What is measured of a connection is a part of what it takes: a quarter without TLS, half with it. The lookup, the request, the response
 * and the end come on top.
 */
const OPENING_WEIGHT = 4;
const TLS_WEIGHT = 2;
/** What all connections may take of the main thread in a second, and those of a tenant, while there are several tenants. */
const ALL = { perSecond: 500, burst: 100, mostOwed: 100 };
const OF_TENANT = { perSecond: 250, burst: 250, mostOwed: 250 };
/** What they take at most in one pass of the event loop, whoever they belong to: everything else waits for its end. */
const PASS_MS = 5;
/** What costly ones may take beyond ORDINARY_MS: those of a tenant, and of all tenants that had one in the last ten minutes. */
const COSTLY_OF_TENANT = { perSecond: 20, burst: 100, mostOwed: 100 };
const COSTLY_OF_ALL = { perSecond: 100, burst: 100 };
const REMEMBERED = { max: 20_000, ttl: 10 * MINUTE_MS };
const PUMP_MS = 20;

/** What waits is a connection that an attempt or a test needs or uses, so there are as many as are in flight. */
interface Waiter {
  tenant: string;
  resume(): void;
  /** Whether the connection has ended meanwhile. */
  isGone(): boolean;
}

/**
 * Bounds the processor time that opening connections, and reading from those with TLS, takes of the main thread: in each pass of the
 * event loop, by tenant, and in all. What waits gets its turn, one of each tenant after the other.
 */
export class ConnectionTurns {
  private readonly all = new TokenBuckets(ALL);
  private readonly ofTenant = new TokenBuckets(OF_TENANT);
  private readonly costlyOfTenant = new TokenBuckets(COSTLY_OF_TENANT);
  private readonly costlyOfAll = new TokenBuckets(COSTLY_OF_ALL);
  private readonly costly = new LRUCache<string, true>(REMEMBERED);
  private readonly waiting = new RoundRobin<Waiter>();
  private isPumping = false;
  /** What connections have taken in this pass of the event loop. */
  private passMs = 0;

  /** Resumes a connection at once, or when it is its tenant's turn. */
  enter(waiter: Waiter): void {
    if (this.waiting.length === 0 && this.mayStart(waiter.tenant)) {
      waiter.resume();
      return;
    }
    this.waiting.push(waiter.tenant, waiter);
    this.pumpLater();
  }

  /** Opens a connection, and counts what it takes. */
  open(tenant: string, step: () => void): void {
    const ms = measure(step);
    this.add(tenant, ms, OPENING_WEIGHT * ms);
  }

  /** Begins TLS on a connection, and counts what it takes. */
  secure(tenant: string, step: () => void): void {
    this.count(tenant, measure(step), 0);
  }

  /**
   * Counts what reading from a connection with TLS takes.
   * @param ms what a step took
   * @param costlyMs the part of it by which its handshake or response exceeds ORDINARY_MS
   */
  count(tenant: string, ms: number, costlyMs: number): void {
    this.add(tenant, ms, TLS_WEIGHT * ms);
    if (costlyMs <= 0) return;
    this.costlyOfTenant.take(tenant, costlyMs);
    // The first one of a tenant leaves the time of the others.
    if (this.costly.has(tenant)) this.costlyOfAll.take('', costlyMs);
    this.costly.set(tenant, true);
  }

  private add(tenant: string, ms: number, wholeMs: number): void {
    if (this.passMs === 0) setImmediate(() => (this.passMs = 0));
    this.passMs += ms;
    this.all.take('', wholeMs);
    this.ofTenant.take(tenant, wholeMs);
  }

  private mayStart(tenant: string): boolean {
    if (this.passMs >= PASS_MS || this.costlyOfTenant.owedMs(tenant) > 0) return false;
    if (this.costly.has(tenant) && this.costlyOfAll.owedMs('') > 0) return false;
    return isAlone(tenant) || (this.all.owedMs('') === 0 && this.ofTenant.owedMs(tenant) === 0);
  }

  private pumpLater(): void {
    if (this.isPumping) return;
    this.isPumping = true;
    if (this.passMs >= PASS_MS) setImmediate(() => this.pump());
    else setTimeout(() => this.pump(), PUMP_MS);
  }

  private pump(): void {
    this.isPumping = false;
    for (let left = this.waiting.length; left > 0 && this.passMs < PASS_MS; left -= 1) {
      const next = this.waiting.shift();
      if (next === undefined) break;
      if (next.isGone()) continue;
      if (this.mayStart(next.tenant)) next.resume();
      else this.waiting.push(next.tenant, next);
    }
    if (this.waiting.length > 0) this.pumpLater();
  }
}

/** Runs a step. @returns the milliseconds of the processor that it took */
export function measure(step: () => void): number {
  const before = process.cpuUsage();
  step();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
