import { SECOND_MS } from './clock';
import { once } from './globals';
import { TokenBuckets } from './token-buckets';

/** What the jobs of a tenant may cost, such as milliseconds or bytes: in each second, and on top at once. */
export interface PaceLimits {
  perSecond: number;
  burst: number;
  /** What one job counts at most: a busy machine also lengthens the jobs of those who do not make it busy. */
  mostOfJob?: number;
  /** What exceeds this of a job counts in full, on top: no busy machine lengthens a short job that much. */
  inFullBeyond?: number;
  /**
   * What a tenant owes at most, and rests for; by default what it has in a second. What it uses while it is alone is not held against it
   * for longer.
   */
  mostOwed?: number;
  /** What one job counts at most for the order of those who wait; by default what a tenant has in a second. */
  mostUsed?: number;
}

/** Bounds what the jobs of a tenant cost in each second: after each job beyond its budget, its place rests. */
export class Pace {
  /** What one job counts at most for the order of those who wait. */
  readonly mostUsed: number;
  private readonly buckets: TokenBuckets;

  constructor(
    private readonly limits: PaceLimits,
    /** Nobody rests for others that do not exist. */
    private readonly isAlone: (tenant: string) => boolean,
  ) {
    const { perSecond, burst, mostOwed = perSecond, mostUsed = perSecond } = limits;
    this.buckets = new TokenBuckets({ perSecond, burst, mostOwed });
    this.mostUsed = mostUsed;
  }

  /** Counts a job. @returns how many milliseconds its place rests */
  restAfter(tenant: string, cost: number, nowMs = performance.now()): number {
    if (cost === 0) return 0;
    const { mostOfJob = Number.POSITIVE_INFINITY, inFullBeyond = Number.POSITIVE_INFINITY } = this.limits;
    const counted = Math.min(cost, mostOfJob) + Math.max(0, cost - inFullBeyond);
    const left = this.buckets.take(tenant, counted, nowMs);
    return left >= 0 || this.isAlone(tenant) ? 0 : this.buckets.owedMs(tenant, nowMs);
  }

  /** Returns for how many milliseconds a tenant has to rest. */
  owedMs(tenant: string, nowMs = performance.now()): number {
    return this.isAlone(tenant) ? 0 : this.buckets.owedMs(tenant, nowMs);
  }

  /** Whether a tenant has used more than its budget, and is not alone. */
  mustRest(tenant: string, nowMs = performance.now()): boolean {
    return this.buckets.left(tenant, nowMs) < 0 && !this.isAlone(tenant);
  }
}

const ACTIVE_MS = SECOND_MS;

/** The two owners of organizations that were last active, and when by performance.now(). */
const state = () =>
  once('active-owners', () => ({
    last: '',
    person: '',
    lastAtMs: Number.NEGATIVE_INFINITY,
    otherAtMs: Number.NEGATIVE_INFINITY,
  }));

/**
 * Notes that a process works for an owner of organizations.
 * @param person who sends the request; their turns count for them, not for the owner
 */
export function noteActive(owner: string, person = owner): void {
  const active = state();
  if (owner !== active.last) active.otherAtMs = active.lastAtMs;
  active.last = owner;
  active.person = person;
  active.lastAtMs = performance.now();
}

/** Returns whether this process has worked for nobody else during the last second, by an owner or a person. */
export function isAlone(tenant: string): boolean {
  const { last, person, lastAtMs, otherAtMs } = state();
  return performance.now() - (tenant === last || tenant === person ? otherAtMs : lastAtMs) > ACTIVE_MS;
}
