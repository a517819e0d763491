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
/**
 * What costly ones may take beyond ORDINARY_MS: those of a tenant, and of all tenants together. A little of it is tolerated, and left out of
 * what all share: a response may be costly by accident, such as one during a garbage collection.
 */
const COSTLY_OF_TENANT = { perSecond: 20, burst: 100, mostOwed: 100 };
const TOLERATED_OF_TENANT = { perSecond: 2, burst: 10, mostOwed: 50 };
const COSTLY_OF_ALL = { perSecond: 100, burst: 100, mostOwed: 100 };
const REMEMBERED = { max: 20_000, ttl: 10 * MINUTE_MS };

/** What waits for time of a tenant, for its costly origins or for its others. Only one of it is ever ready; its origins take turns. */
interface Debt {
  tenant: string;
  isCostly: boolean;
  readonly waiting: RoundRobin<Waiter>;
}

/** The tenant that a connection belongs to, and the receiver that it is open to. */
interface Party {
  tenant: string;
  /** Such as `api.example.com:443`. */
  origin: string;
}

/** What waits is a connection that an attempt or a test needs or uses, so there are as many as are in flight. */
interface Waiter extends Party {
  /** Whether the connection is open: then what follows is bounded, and does not wait for the time that all share. */
  isOpen?: boolean;
  resume(): void;
  /** Whether the connection has ended meanwhile. */
  isGone(): boolean;
  /** The debt of which it is the one that is ready. */
  debt?: string;
}

/** The turns of one connection. */
export interface TurnsOfConnection {
  /** Resumes it at once, or when it is its turn. */
  enter(waiter: Omit<Waiter, keyof Party | 'debt'>): void;
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
 * Bounds the processor time that opening connections, and reading from those with TLS, takes of the main thread: in each pass of the
 * event loop, by tenant, and in all. What waits gets its turn, one of each tenant after the other. A tenant that has used its own time
 * waits apart, so that nobody waits behind it. So do its costly origins, so that its other ones do not wait behind them.
 */
export class ConnectionTurns {
  private readonly all = new TokenBuckets(ALL);
  private readonly ofTenant = new TokenBuckets(OF_TENANT);
  private readonly costlyOfTenant = new TokenBuckets(COSTLY_OF_TENANT);
  private readonly toleratedOfTenant = new TokenBuckets(TOLERATED_OF_TENANT);
  private readonly costlyOfAll = new TokenBuckets(COSTLY_OF_ALL);
  /** Origins of tenants. */
  private readonly costly = new LRUCache<string, true>(REMEMBERED);
  /** Connections that are open, and wait for the end of this pass. */
  private readonly opened = new RoundRobin<Waiter>();
  /** Connections to open, which wait for the end of this pass or for time that all share. */
  private readonly unopened = new RoundRobin<Waiter>();
  private readonly inDebt = new Map<string, Debt>();
  private isPumpNext = false;
  private isPumpTimed = false;
  /** What connections have taken in this pass of the event loop. */
  private passMs = 0;

  /** Returns the turns of one connection, which measure how long it waits for them. */
  ofConnection(party: Party): TurnsOfConnection {
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
        this.enter({ ...party, ...waiter, resume });
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

  private enter(waiter: Waiter): void {
    if (this.owes(waiter)) this.park(waiter);
    else if (this.queueOf(waiter).length === 0 && this.hasTime(waiter)) waiter.resume();
    else this.makeReady(waiter);
  }

  private count(party: Party, ms: number, costlyMs: number): void {
    this.add(party, ms, TLS_WEIGHT * ms);
    if (costlyMs <= 0) return;
    const { tenant } = party;
    this.costlyOfTenant.take(tenant, costlyMs);
    if (this.toleratedOfTenant.take(tenant, costlyMs) < 0) this.costlyOfAll.take('', costlyMs);
    this.costly.set(nameOf(party), true);
  }

  private add({ tenant }: Party, ms: number, wholeMs: number): void {
    if (this.passMs === 0) setImmediate(() => (this.passMs = 0));
    this.passMs += ms;
    this.all.take('', wholeMs);
    this.ofTenant.take(tenant, wholeMs);
  }

  /** In how many milliseconds a tenant has time of its own. */
  private owedMs({ tenant, isCostly }: Omit<Debt, 'waiting'>): number {
    const ofAny = isAlone(tenant) ? 0 : this.ofTenant.owedMs(tenant);
    if (!isCostly) return ofAny;
    const ofAll = this.toleratedOfTenant.left(tenant) < 0 ? this.costlyOfAll.owedMs('') : 0;
    return Math.max(this.costlyOfTenant.owedMs(tenant), ofAll, ofAny);
  }

  private owes(waiter: Waiter): boolean {
    const isCostly = this.costly.has(nameOf(waiter));
    return this.inDebt.has(nameOfDebt(waiter, isCostly)) || this.owedMs({ tenant: waiter.tenant, isCostly }) > 0;
  }

  /** Whether there is time in this pass, and for a connection to open of what all share. */
  private hasTime({ tenant, isOpen }: Pick<Waiter, 'tenant' | 'isOpen'>): boolean {
    return this.passMs < PASS_MS && (isOpen === true || this.all.owedMs('') === 0 || isAlone(tenant));
  }

  private queueOf({ isOpen }: Waiter): RoundRobin<Waiter> {
    return isOpen === true ? this.opened : this.unopened;
  }

  private park(waiter: Waiter): void {
    const isCostly = this.costly.has(nameOf(waiter));
    const name = nameOfDebt(waiter, isCostly);
    const debt = this.inDebt.get(name);
    const { waiting } = debt ?? { waiting: new RoundRobin<Waiter>() };
    waiting.push(waiter.origin, waiter);
    if (debt !== undefined) return;
    this.inDebt.set(name, { tenant: waiter.tenant, isCostly, waiting });
    this.wakeInTime(name);
  }

  /** Lets the next one of a debt enter once its tenant has time. */
  private wakeInTime(name: string): void {
    const debt = this.inDebt.get(name);
    if (debt === undefined) return;
    const wake = () => {
      const next = debt.waiting.shift();
      if (next === undefined) this.inDebt.delete(name);
      else this.makeReady({ ...next, debt: name });
    };
    const owedMs = this.owedMs(debt);
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
    const { debt: name, ...own } = waiter;
    const debt = name === undefined ? undefined : this.inDebt.get(name);
    if (!waiter.isGone()) {
      const isFirst = debt !== undefined && debt.isCostly === this.costly.has(nameOf(waiter));
      const owes = isFirst ? this.owedMs(debt) > 0 : this.owes(waiter);
      if (owes) this.park(own);
      else waiter.resume();
    }
    if (name !== undefined) this.wakeInTime(name);
  }
}

const nameOf = ({ tenant, origin }: Party) => `${tenant} ${origin}`;
const nameOfDebt = ({ tenant }: Party, isCostly: boolean) => `${isCostly ? 'costly' : 'any'} ${tenant}`;

/** Runs a step. @returns the milliseconds of the processor that it took */
export function measure(step: () => void): number {
  const before = process.cpuUsage();
  step();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
