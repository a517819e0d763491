import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '@/lib/platform/clock';
import { Fifo } from '@/lib/platform/group-commit/fifo';
import { isAlone } from '@/lib/platform/pace';
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
/** What an origin of a tenant has used lately. Nobody waits for it: it says who comes first. */
const OF_ORIGIN = { perSecond: 50, burst: 250, mostOwed: 250 };
/** What they take at most in one pass of the event loop, whoever they belong to: everything else waits for its end. */
const PASS_MS = 5;
/**
 * What costly ones may take beyond ORDINARY_MS: those of a tenant, and of all tenants together. A little of it is tolerated, and left out of
 * what all share: a response may be costly by accident, such as one during a garbage collection.
 */
const COSTLY_OF_TENANT = { perSecond: 20, burst: 100, mostOwed: 400 };
const TOLERATED_OF_TENANT = { perSecond: 2, burst: 10, mostOwed: 50 };
const COSTLY_OF_ALL = { perSecond: 40, burst: 100, mostOwed: 1_000 };
/** Origins of a tenant that become costly, before all of its origins count as costly: each new one would be free of that once. */
const COSTLY_ORIGINS = { perSecond: 1 / 60, burst: 2, mostOwed: 2 };
const REMEMBERED = { max: 20_000, ttl: 10 * MINUTE_MS };

/** The tenant that a connection belongs to, and the receiver that it is open to. */
interface Party {
  tenant: string;
  /** Such as `api.example.com:443`. */
  origin: string;
}

/** What waits is a connection that an attempt or a test needs or uses, so there are as many as are in flight. */
interface Waiter {
  resume(): void;
  /** Whether the connection has ended meanwhile. */
  isGone(): boolean;
}

/** The turns of one connection. */
export interface TurnsOfConnection {
  /** Resumes it at once, or when it is its turn. */
  enter(waiter: Waiter): void;
  /** Opens it, and counts what that takes. */
  open(step: () => void): void;
  /** Begins TLS, and counts what that takes. */
  secure(step: () => void): void;
  /**
   * Counts what reading from it takes.
   * @param ms what a step took
   * @param costlyMs the part of it by which its handshake or response exceeds ORDINARY_MS
   */
  count(ms: number, costlyMs: number): void;
  /** How long it has waited for turns. */
  readonly waitedMs: number;
}

/**
 * Bounds the processor time that opening connections, and reading from them, takes of the main thread: in each pass of the event loop,
 * by tenant, and in all. Of those that wait, the tenant that has used least comes first, and of a tenant the origin: so nobody waits
 * behind those who use much.
 */
export class ConnectionTurns {
  private readonly all = new TokenBuckets(ALL);
  private readonly ofTenant = new TokenBuckets(OF_TENANT);
  private readonly ofOrigin = new TokenBuckets(OF_ORIGIN);
  private readonly costlyOfTenant = new TokenBuckets(COSTLY_OF_TENANT);
  private readonly toleratedOfTenant = new TokenBuckets(TOLERATED_OF_TENANT);
  private readonly costlyOfAll = new TokenBuckets(COSTLY_OF_ALL);
  private readonly costlyOrigins = new TokenBuckets(COSTLY_ORIGINS);
  /** Origins of tenants. */
  private readonly costly = new LRUCache<string, true>(REMEMBERED);
  /** By tenant and origin. */
  private readonly waiting = new Map<string, Map<string, Fifo<Waiter>>>();
  private timer: { atMs: number; clear: () => void } | null = null;
  /** What connections have taken in this pass of the event loop. */
  private passMs = 0;

  /** Returns the turns of one connection, which measure how long it waits for them. */
  ofConnection(party: Party): TurnsOfConnection {
    let waitedMs = 0;
    let since: number | null = null;
    return {
      enter: ({ resume, isGone }) => {
        since = performance.now();
        const measured = () => {
          waitedMs += performance.now() - (since ?? 0);
          since = null;
          resume();
        };
        this.enter(party, { resume: measured, isGone });
      },
      open: (step) => {
        const ms = measure(step);
        this.add(party, ms, OPENING_WEIGHT * ms);
      },
      secure: (step) => this.count(party, measure(step), 0),
      count: (ms, costlyMs) => this.count(party, ms, costlyMs),
      get waitedMs() {
        return waitedMs + (since === null ? 0 : performance.now() - since);
      },
    };
  }

  private enter(party: Party, waiter: Waiter): void {
    const { tenant, origin } = party;
    const origins = this.waiting.get(tenant) ?? new Map<string, Fifo<Waiter>>();
    const queue = origins.get(origin);
    const owedMs = this.owedMs(party);
    if (queue === undefined && owedMs === 0 && this.passMs < PASS_MS) {
      waiter.resume();
      return;
    }
    const waiters = queue ?? new Fifo<Waiter>();
    waiters.push(waiter);
    this.waiting.set(tenant, origins.set(origin, waiters));
    this.pumpIn(owedMs);
  }

  private count(party: Party, ms: number, costlyMs: number): void {
    this.add(party, ms, TLS_WEIGHT * ms);
    if (costlyMs <= 0) return;
    const { tenant } = party;
    this.costlyOfTenant.take(tenant, costlyMs);
    if (this.toleratedOfTenant.take(tenant, costlyMs) < 0) this.costlyOfAll.take('', costlyMs);
    if (!this.costly.has(nameOf(party))) this.costlyOrigins.take(tenant, 1);
    this.costly.set(nameOf(party), true);
  }

  private add(party: Party, ms: number, wholeMs: number): void {
    if (this.passMs === 0) setImmediate(() => (this.passMs = 0));
    this.passMs += ms;
    this.all.take('', wholeMs);
    this.ofTenant.take(party.tenant, wholeMs);
    this.ofOrigin.take(nameOf(party), wholeMs);
  }

  /** In how many milliseconds there is time for a connection. */
  private owedMs(party: Party): number {
    const { tenant } = party;
    const owedMs = this.owedMsOf(tenant);
    if (!this.costly.has(nameOf(party)) && this.costlyOrigins.left(tenant) >= 0) return owedMs;
    const ofAll = this.toleratedOfTenant.left(tenant) < 0 ? this.costlyOfAll.owedMs('') : 0;
    return Math.max(owedMs, this.costlyOfTenant.owedMs(tenant), ofAll);
  }

  private owedMsOf(tenant: string): number {
    return isAlone(tenant) ? 0 : Math.max(this.ofTenant.owedMs(tenant), this.all.owedMs(''));
  }

  /** Looks in a time whether somebody has a turn; after this pass of the event loop if the time is zero. */
  private pumpIn(ms: number): void {
    const atMs = performance.now() + ms;
    if (this.timer !== null && this.timer.atMs <= atMs) return;
    this.timer?.clear();
    const pump = () => {
      this.timer = null;
      this.pump();
    };
    if (ms > 0) {
      const timeout = setTimeout(pump, Math.ceil(ms)).unref();
      this.timer = { atMs, clear: () => clearTimeout(timeout) };
    } else {
      const immediate = setImmediate(pump);
      this.timer = { atMs, clear: () => clearImmediate(immediate) };
    }
  }

  /** Gives each tenant a turn, as long as there is time in this pass and of what they share. */
  private pump(): void {
    const startedAt = performance.now();
    // Also what the search takes: a tenant may have hundreds of origins that wait.
    const isPassSpent = () => Math.max(this.passMs, performance.now() - startedAt) >= PASS_MS;
    let soonestMs: number;
    let isAnyServed: boolean;
    do {
      soonestMs = Number.POSITIVE_INFINITY;
      isAnyServed = false;
      for (const tenant of this.leastUsedFirst()) {
        if (isPassSpent()) {
          this.pumpIn(0);
          return;
        }
        const owedMs = this.letIn(tenant);
        isAnyServed ||= owedMs === 0;
        soonestMs = Math.min(soonestMs, owedMs);
      }
    } while (isAnyServed);
    if (this.waiting.size > 0) this.pumpIn(soonestMs);
  }

  private leastUsedFirst(): string[] {
    const tenants = [...this.waiting.keys()];
    if (tenants.length < 2) return tenants;
    const nowMs = performance.now();
    const left = new Map(tenants.map((tenant) => [tenant, this.ofTenant.left(tenant, nowMs)]));
    return tenants.sort((a, b) => (left.get(b) ?? 0) - (left.get(a) ?? 0));
  }

  /** Resumes one connection of a tenant, if there is time for it. @returns zero if it did, and else in how many milliseconds it may */
  private letIn(tenant: string): number {
    const origins = this.waiting.get(tenant);
    if (origins === undefined) return Number.POSITIVE_INFINITY;
    const owedMs = this.owedMsOf(tenant);
    if (owedMs > 0) return owedMs;
    let soonestMs = Number.POSITIVE_INFINITY;
    let next: { origin: string; queue: Fifo<Waiter>; left: number } | undefined;
    for (const [origin, queue] of origins) {
      const party = { tenant, origin };
      const originOwesMs = this.owedMs(party);
      const left = this.ofOrigin.left(nameOf(party));
      if (originOwesMs > 0) soonestMs = Math.min(soonestMs, originOwesMs);
      else if (next === undefined || left > next.left) next = { origin, queue, left };
    }
    if (next === undefined) return soonestMs;
    const waiter = next.queue.shift();
    // Origins that have used the same take turns.
    origins.delete(next.origin);
    if (next.queue.length > 0) origins.set(next.origin, next.queue);
    this.waiting.delete(tenant);
    if (origins.size > 0) this.waiting.set(tenant, origins);
    if (waiter?.isGone() === false) waiter.resume();
    return 0;
  }
}

const nameOf = ({ tenant, origin }: Party) => `${tenant} ${origin}`;

/** The kernel takes about a microsecond to tell the processor's time, so it is asked once in this time. */
const ASKED_AGAIN_MS = 0.25;
let asked = { atMs: Number.NEGATIVE_INFINITY, usedMs: 0 };

/**
 * Returns the milliseconds of the processor that the process has used. They are exact to a quarter of one: until the kernel is asked again, the
 * process counts as busy.
 */
export function processorMs(): number {
  const atMs = performance.now();
  const sinceMs = atMs - asked.atMs;
  if (sinceMs >= 0 && sinceMs < ASKED_AGAIN_MS) return asked.usedMs + sinceMs;
  const { user, system } = process.cpuUsage();
  asked = { atMs, usedMs: (user + system) / 1_000 };
  return asked.usedMs;
}

/** Runs a step. @returns the milliseconds of the processor that it took */
export function measure(step: () => void): number {
  const before = processorMs();
  step();
  return Math.max(0, processorMs() - before);
}
