import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '@/lib/platform/clock';
import { isAlone } from '@/lib/platform/pace';
import { RoundRobin } from '@/lib/platform/round-robin';
import { TokenBuckets } from '@/lib/platform/token-buckets';

/** Milliseconds of the processor that a handshake, or the reading of a response, takes at most without being costly. Most take one. */
export const ORDINARY_MS = 4;
/** What all handshakes may take of the main thread in a second, and those of a tenant while it is not alone. */
const ALL = { perSecond: 500, burst: 100 };
const OF_TENANT = { perSecond: 250, burst: 250, mostOwed: 250 };
/** What costly ones may take beyond ORDINARY_MS: those of a tenant, and of all tenants that had one in the last ten minutes. */
const COSTLY_OF_TENANT = { perSecond: 20, burst: 100, mostOwed: 100 };
const COSTLY_OF_ALL = { perSecond: 100, burst: 100 };
const REMEMBERED = { max: 20_000, ttl: 10 * MINUTE_MS };
const PUMP_MS = 20;

/** What waits is a connection that is being used, so there are as many as attempts and tests in flight. */
interface Waiter {
  tenant: string;
  resume(): void;
  /** Whether the connection has ended meanwhile. */
  isGone(): boolean;
}

/**
 * Bounds the processor time that connections with TLS take of the main thread, by tenant and in all. What waits gets its turn, one of
 * each tenant after the other.
 */
export class HandshakeTurns {
  private readonly all = new TokenBuckets(ALL);
  private readonly ofTenant = new TokenBuckets(OF_TENANT);
  private readonly costlyOfTenant = new TokenBuckets(COSTLY_OF_TENANT);
  private readonly costlyOfAll = new TokenBuckets(COSTLY_OF_ALL);
  private readonly costly = new LRUCache<string, true>(REMEMBERED);
  private readonly waiting = new RoundRobin<Waiter>();
  private timer: NodeJS.Timeout | null = null;

  /** Resumes a connection at once, or when it is its tenant's turn. Call `count` with the time that it took. */
  enter(waiter: Waiter): void {
    if (this.waiting.length === 0 && this.mayStart(waiter.tenant)) {
      waiter.resume();
      return;
    }
    this.waiting.push(waiter.tenant, waiter);
    this.timer ??= setTimeout(() => this.pump(), PUMP_MS);
  }

  /**
   * @param ms what a step took
   * @param costlyMs the part of it by which its handshake or response exceeds ORDINARY_MS
   */
  count(tenant: string, ms: number, costlyMs: number): void {
    this.all.take('', ms);
    this.ofTenant.take(tenant, ms);
    if (costlyMs <= 0) return;
    this.costlyOfTenant.take(tenant, costlyMs);
    // The first one of a tenant leaves the time of the others.
    if (this.costly.has(tenant)) this.costlyOfAll.take('', costlyMs);
    this.costly.set(tenant, true);
  }

  private mayStart(tenant: string): boolean {
    if (this.all.owedMs('') > 0 || this.costlyOfTenant.owedMs(tenant) > 0) return false;
    if (this.costly.has(tenant) && this.costlyOfAll.owedMs('') > 0) return false;
    return this.ofTenant.owedMs(tenant) === 0 || isAlone(tenant);
  }

  private pump(): void {
    this.timer = null;
    for (let left = this.waiting.length; left > 0 && this.all.owedMs('') === 0; left -= 1) {
      const next = this.waiting.shift();
      if (next === undefined) break;
      if (next.isGone()) continue;
      if (this.mayStart(next.tenant)) next.resume();
      else this.waiting.push(next.tenant, next);
    }
    if (this.waiting.length > 0) this.timer ??= setTimeout(() => this.pump(), PUMP_MS);
  }
}
