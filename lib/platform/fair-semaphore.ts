import { isHolder, ownerOfJob } from './place-holder';
import { RecentUse } from './recent-use';

/** Too many jobs wait, of this tenant or in total. */
export class SemaphoreFullError extends Error {
  override readonly name = 'SemaphoreFullError';
  readonly code = 'SEMAPHORE_FULL';
}

export interface SemaphoreLimits {
  /** Jobs that run at once, in total and of one tenant. */
  width: number;
  widthPerTenant: number;
  /** On top, those of one tenant that hold another place (./place-holder.ts); by default as many. */
  widthPerHolder?: number;
  /** Jobs that wait, in total and of one tenant. */
  waiting: number;
  waitingPerTenant: number;
}

const tooMany = () => new SemaphoreFullError('too many are waiting');

/** Releases a slot. Call it once. @param cost of the job for the pace of its tenant; by default its milliseconds */
export type Release = (cost?: number) => void;

/** What bounds the jobs of tenants, such as a Pace. */
export interface SemaphorePace {
  /** Counts a job. @returns how many milliseconds its slot rests */
  restAfter(tenant: string, cost: number): number;
  /** What one job counts at most for the order of those who wait, so that a single long one is soon forgotten. */
  mostUsed?: number | undefined;
}

/**
 * The kinds of those who wait, which take turns. Nothing is known of newcomers, and everybody waits for the place that a holder has
 * (./place-holder.ts).
 */
const KINDS = ['newcomer', 'holder', 'known'] as const;
type Kind = (typeof KINDS)[number];

/** Each fourth turn of known tenants is round robin: one that was busy before waits for about one round of the others. */
const ROUND_ROBIN_EVERY = 4;

interface Waiter {
  admit(): void;
  refuse(error: unknown): void;
}

/**
 * A semaphore that serves waiting tenants round robin, or with a pace, first the one that has used least lately while others waited: who
 * uses little never waits for many who use much, however many share the time. What is left of a budget does not tell: twenty that share
 * the time may never use theirs up. Newcomers, and jobs that hold another place, have turns of their own: many that come at once delay
 * nobody who was there before by more than a job. Each tenant has a bounded queue of its own, so it may wait for running jobs of others,
 * but never for those in their queues. When all waiting places are taken, the longest queue loses its newest job to a queue that is
 * shorter by two or more. So few tenants cannot keep others out.
 */
export class FairSemaphore {
  private running = 0;
  private readonly runningByTenant = new Map<string, number>();
  /** Queues of the tenants that wait, the next to be served first. */
  private readonly queues = new Map<string, Set<Waiter>>();
  private waiters = 0;
  private readonly use: RecentUse | undefined;
  private lastKind: Kind = 'known';
  private knownTurns = 0;

  /** @param pace bounds what the jobs of a tenant cost in each second; by default nothing does */
  constructor(
    private readonly limits: SemaphoreLimits,
    private readonly pace?: SemaphorePace,
  ) {
    this.use = pace?.mostUsed === undefined ? undefined : new RecentUse();
  }

  /** Jobs that wait for a slot. */
  get waiting(): number {
    return this.waiters;
  }

  /** Tenants that hold a slot or wait for one. */
  get tenants(): number {
    return new Set([...this.runningByTenant.keys(), ...this.queues.keys()]).size;
  }

  /** Takes a slot for a tenant; null if none is free. */
  tryAcquire(tenant: string): Release | null {
    if (this.running >= this.limits.width || !this.hasShareLeft(tenant)) return null;
    this.running += 1;
    this.runningByTenant.set(tenant, (this.runningByTenant.get(tenant) ?? 0) + 1);
    if (this.pace === undefined) return () => this.release(tenant, 0);
    this.use?.note(ownerOfJob(tenant));
    const since = performance.now();
    return (cost = performance.now() - since) => this.release(tenant, this.count(tenant, cost));
  }

  /** Counts what a tenant has used, of its slot or without one. @returns how many milliseconds it rests */
  count(tenant: string, cost: number): number {
    const { mostUsed = 0 } = this.pace ?? {};
    const others = this.queues.size - (this.queues.has(tenant) ? 1 : 0);
    // What is used while nobody waits takes nothing from others, so a busy tenant does not come after all that were idle.
    if (others > 0) this.use?.count(ownerOfJob(tenant), Math.min(cost, mostUsed));
    return this.pace?.restAfter(tenant, cost) ?? 0;
  }

  /**
   * Waits for a slot for a tenant.
   * @throws SemaphoreFullError when too many wait: at once, or when the job loses its place; the signal's reason when it aborts before
   */
  async acquire(tenant: string, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    const release = this.tryAcquire(tenant);
    if (release !== null) return release;
    const queue = this.queues.get(tenant) ?? new Set<Waiter>();
    if (queue.size >= this.limits.waitingPerTenant) throw tooMany();
    if (this.waiters >= this.limits.waiting) this.makeRoomFor(queue.size);
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener('abort', giveUp);
        this.forget(tenant, queue, waiter);
      };
      const waiter: Waiter = {
        admit: () => {
          leave();
          resolve(this.tryAcquire(tenant) as Release);
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const giveUp = () => waiter.refuse(signal.reason);
      signal.addEventListener('abort', giveUp, { once: true });
      this.waiters += 1;
      this.queues.set(tenant, queue.add(waiter));
    });
  }

  /**
   * Refuses the newest waiter of the longest queue. A difference of one would only exchange who waits.
   * @throws SemaphoreFullError when no queue is longer by two
   */
  private makeRoomFor(length: number): void {
    let longest: Set<Waiter> = new Set();
    for (const queue of this.queues.values()) if (queue.size > longest.size) longest = queue;
    if (longest.size < length + 2) throw tooMany();
    [...longest].at(-1)?.refuse(tooMany());
  }

  private forget(tenant: string, queue: Set<Waiter>, waiter: Waiter): void {
    queue.delete(waiter);
    this.waiters -= 1;
    if (queue.size === 0) this.queues.delete(tenant);
  }

  /** Gives the slot to others at once, and back to the tenant's share after a rest. */
  private release(tenant: string, restMs: number): void {
    this.running -= 1;
    const giveBack = () => {
      const left = (this.runningByTenant.get(tenant) ?? 1) - 1;
      if (left > 0) this.runningByTenant.set(tenant, left);
      else this.runningByTenant.delete(tenant);
      this.moveToEnd(tenant);
      this.admitNext();
    };
    if (restMs === 0) {
      giveBack();
    } else {
      setTimeout(giveBack, restMs).unref();
      this.admitNext();
    }
  }

  /** One slot was released, or is in a share again, so at most one waiter is admitted. */
  private admitNext(): void {
    if (this.running >= this.limits.width) return;
    const next = this.use === undefined ? this.firstInTurn() : this.nextOfKinds(this.use);
    if (next === undefined) return;
    const [first] = this.queues.get(next) ?? [];
    this.moveToEnd(next);
    first?.admit();
  }

  private firstInTurn(): string | undefined {
    for (const tenant of this.queues.keys()) if (this.hasShareLeft(tenant)) return tenant;
    return undefined;
  }

  /** Returns who is next of the kind whose turn it is. */
  private nextOfKinds(use: RecentUse): string | undefined {
    const next: Partial<Record<Kind, string>> = {};
    let firstKnown: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const tenant of this.queues.keys()) {
      if (!this.hasShareLeft(tenant)) continue;
      const used = isHolder(tenant) ? null : use.perSecond(tenant);
      if (used === null) {
        next[isHolder(tenant) ? 'holder' : 'newcomer'] ??= tenant;
        continue;
      }
      firstKnown ??= tenant;
      if (used >= least) continue;
      next.known = tenant;
      least = used;
    }
    const start = KINDS.indexOf(this.lastKind) + 1;
    const kind = [...KINDS.slice(start), ...KINDS.slice(0, start)].find((each) => next[each] !== undefined);
    if (kind === undefined) return undefined;
    this.lastKind = kind;
    if (kind !== 'known') return next[kind];
    this.knownTurns += 1;
    return this.knownTurns % ROUND_ROBIN_EVERY === 0 ? firstKnown : next.known;
  }

  /** Moves a tenant that was just served after all others that wait. */
  private moveToEnd(tenant: string): void {
    const queue = this.queues.get(tenant);
    if (queue === undefined) return;
    this.queues.delete(tenant);
    this.queues.set(tenant, queue);
  }

  /** Whether a tenant may take another slot, if one is free. */
  hasShareLeft(tenant: string): boolean {
    const { widthPerTenant, widthPerHolder = widthPerTenant } = this.limits;
    return (this.runningByTenant.get(tenant) ?? 0) < (isHolder(tenant) ? widthPerHolder : widthPerTenant);
  }
}
