import { TokenBuckets } from './token-buckets';

/** What the jobs of a tenant may cost, such as milliseconds or bytes: in each second, and on top at once. */
export interface PaceLimits {
  perSecond: number;
  burst: number;
  /** What one job counts at most: a busy machine also lengthens the jobs of those who do not make it busy. */
  mostOfJob?: number;
}

/** Bounds what the jobs of a tenant cost in each second: after each job beyond its budget, its place rests. */
export class Pace {
  private readonly buckets: TokenBuckets;

  constructor(
    private readonly limits: PaceLimits,
    /** Nobody rests for others that do not exist. */
    private readonly isAlone: (tenant: string) => boolean,
  ) {
    const { perSecond, burst } = limits;
    // What a tenant uses while it is alone is not held against it for longer than a second.
    this.buckets = new TokenBuckets({ perSecond, burst, mostOwed: perSecond });
  }

  /** Counts a job. @returns how many milliseconds its place rests */
  restAfter(tenant: string, cost: number, nowMs = performance.now()): number {
    if (cost === 0) return 0;
    const { mostOfJob = Number.POSITIVE_INFINITY } = this.limits;
    const left = this.buckets.take(tenant, Math.min(cost, mostOfJob), nowMs);
    return left >= 0 || this.isAlone(tenant) ? 0 : this.buckets.owedMs(tenant, nowMs);
  }
}
