import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '@/lib/platform/clock';
import { Fifo } from '@/lib/platform/group-commit/fifo';
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

/** What waits is a connection that an attempt or a test needs or uses, so there are as many as are in flight. */
interface Waiter {
  tenant: string;
  /** Whether the connection is open: then what follows is bounded, and does not wait for the time that all share. */
  isOpen?: boolean;
  resume(): void;
  /** Whether the connection has ended meanwhile. */
  isGone(): boolean;
}

/** What a connection does with its turns. */
export interface TurnsOfConnection extends Pick<ConnectionTurns, 'enter' | 'open' | 'secure' | 'count'> {
  readonly waitedMs: number;
}

/**
 * Bounds the processor time that opening connections, and reading from those with TLS, takes of the main thread: in each pass of the
 * event loop, by tenant, and in all. What waits gets its turn, one of each tenant after the other. A tenant that has used its own time
 * waits apart, so that nobody waits behind it.
 */
export class ConnectionTurns {
  private readonly all = new TokenBuckets(ALL);
  private readonly ofTenant = new TokenBuckets(OF_TENANT);
  private readonly costlyOfTenant = new TokenBuckets(COSTLY_OF_TENANT);
  private readonly costlyOfAll = new TokenBuckets(COSTLY_OF_ALL);
  private readonly costly = new LRUCache<string, true>(REMEMBERED);
  /** Connections that are open, and wait for the end of this pass. */
  private readonly opened = new RoundRobin<Waiter>();
  /** Connections to open, which wait for the end of this pass or for time that all share. */
  private readonly unopened = new RoundRobin<Waiter>();
  /** What waits for time of its tenant. Of a tenant in it, only the oldest is ever ready. */
  private readonly inDebt = new Map<string, Fifo<Waiter>>();
  private isPumpNext = false;
  private isPumpTimed = false;
  /** What connections have taken in this pass of the event loop. */
  private passMs = 0;

  /** Resumes a connection at once, or when it is its tenant's turn. */
  enter(waiter: Waiter): void {
    const { tenant } = waiter;
    const behind = this.inDebt.get(tenant);
    if (behind !== undefined) behind.push(waiter);
    else if (this.owedMs(tenant) > 0) this.park(waiter);
    else if (this.queueOf(waiter).length === 0 && this.hasTime(waiter)) waiter.resume();
    else this.makeReady(waiter);
  }

  /** The same turns for one connection, which measure how long it waits for them. */
  ofConnection(): TurnsOfConnection {
    let waitedMs = 0;
    let since: number | null = null;
    return {
      enter: (waiter) => {
        since = performance.now();
        const resume = () => {
          waitedMs += performance.now() - (since ?? 0);
          since = null;
          waiter.resume();
        };
        this.enter({ ...waiter, resume });
      },
      open: (tenant, step) => this.open(tenant, step),
      secure: (tenant, step) => this.secure(tenant, step),
      count: (tenant, ms, costlyMs) => this.count(tenant, ms, costlyMs),
      get waitedMs() {
        return waitedMs + (since === null ? 0 : performance.now() - since);
      },
    };
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

  /** In how many milliseconds a tenant has time of its own. */
  private owedMs(tenant: string): number {
    const ofCostly = this.costly.has(tenant) ? this.costlyOfAll.owedMs('') : 0;
    const ofAny = isAlone(tenant) ? 0 : this.ofTenant.owedMs(tenant);
    return Math.max(this.costlyOfTenant.owedMs(tenant), ofCostly, ofAny);
  }

  /** Whether there is time in this pass, and for a connection to open of what all share. */
  private hasTime({ tenant, isOpen }: Pick<Waiter, 'tenant' | 'isOpen'>): boolean {
    return this.passMs < PASS_MS && (isOpen === true || this.all.owedMs('') === 0 || isAlone(tenant));
  }

  private queueOf({ isOpen }: Waiter): RoundRobin<Waiter> {
    return isOpen === true ? this.opened : this.unopened;
  }

  private park(waiter: Waiter): void {
    const waiting = new Fifo<Waiter>();
    waiting.push(waiter);
    this.inDebt.set(waiter.tenant, waiting);
    this.wakeInTime(waiter.tenant);
  }

  /** Lets the oldest connection of a tenant in debt enter once it has time of its own. */
  private wakeInTime(tenant: string): void {
    const wake = () => {
      const oldest = this.inDebt.get(tenant)?.shift();
      if (oldest === undefined) this.inDebt.delete(tenant);
      else this.makeReady(oldest);
    };
    const owedMs = this.owedMs(tenant);
    if (owedMs > 0) setTimeout(wake, Math.ceil(owedMs)).unref();
    else wake();
  }

  private makeReady(waiter: Waiter): void {
    this.queueOf(waiter).push(waiter.tenant, waiter);
    this.pumpLater();
  }

  private pumpLater(): void {
    const isNext = this.passMs >= PASS_MS || this.opened.length > 0;
    const owedMs = isNext ? 0 : this.all.owedMs('');
    if (owedMs === 0 && !this.isPumpNext) {
      this.isPumpNext = true;
      setImmediate(() => {
        this.isPumpNext = false;
        this.pump();
      });
    } else if (owedMs > 0 && !this.isPumpTimed) {
      this.isPumpTimed = true;
      const pump = () => {
        this.isPumpTimed = false;
        this.pump();
      };
      setTimeout(pump, Math.ceil(owedMs)).unref();
    }
  }

  private pump(): void {
    for (const [queue, isOpen] of [
      [this.opened, true],
      [this.unopened, false],
    ] as const) {
      for (let tenant = queue.nextTenant; tenant !== undefined; tenant = queue.nextTenant) {
        // Whoever has waited longest keeps the next turn.
        if (!this.hasTime({ tenant, isOpen })) break;
        const next = queue.shift();
        if (next !== undefined) this.letIn(next);
      }
    }
    if (this.opened.length + this.unopened.length > 0) this.pumpLater();
  }

  private letIn(waiter: Waiter): void {
    const { tenant } = waiter;
    const isGone = waiter.isGone();
    const owes = !isGone && this.owedMs(tenant) > 0;
    const behind = this.inDebt.get(tenant);
    if (owes && behind === undefined) this.park(waiter);
    else if (owes) behind?.push(waiter);
    else if (!isGone) waiter.resume();
    if (behind !== undefined) this.wakeInTime(tenant);
  }
}

/** Runs a step. @returns the milliseconds of the processor that it took */
export function measure(step: () => void): number {
  const before = process.cpuUsage();
  step();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
