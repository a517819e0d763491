import { SECOND_MS } from '@/lib/platform/clock';

/** About 150 bytes each. The one that was idle for longest is forgotten, and is full again. */
const MAX_BUCKETS = 20_000;
/** Moving a bucket to the end of the Map for each job costs more than the job, since deleting leaves garbage. */
const MOVED_MS = 1_000;

export interface BucketLimits {
  /** Tokens that a bucket earns. */
  perSecond: number;
  /** Tokens of a full bucket. */
  burst: number;
  /** Tokens that a bucket may lack; by default there is no bound. */
  mostOwed?: number;
}

interface Bucket {
  left: number;
  /** By performance.now(). */
  atMs: number;
  /** When it became the last one of the Map. */
  movedAtMs: number;
}

/** Counts what each tenant, such as an owner or a network, uses of a budget that grows with time. */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();

  constructor(readonly limits: BucketLimits) {}

  /** Returns the tokens of a tenant. It owes them when the number is negative. */
  left(tenant: string, nowMs = performance.now()): number {
    const { perSecond, burst } = this.limits;
    const bucket = this.buckets.get(tenant);
    return bucket === undefined
      ? burst
      : Math.min(burst, bucket.left + ((nowMs - bucket.atMs) / SECOND_MS) * perSecond);
  }

  /** Takes tokens, also more than there are. @returns what is left */
  take(tenant: string, tokens: number, nowMs = performance.now()): number {
    const { mostOwed = Number.POSITIVE_INFINITY } = this.limits;
    const left = Math.max(-mostOwed, this.left(tenant, nowMs) - tokens);
    const bucket = this.buckets.get(tenant);
    if (bucket !== undefined && nowMs - bucket.movedAtMs < MOVED_MS) {
      Object.assign(bucket, { left, atMs: nowMs });
      return left;
    }
    this.buckets.delete(tenant);
    this.buckets.set(tenant, { left, atMs: nowMs, movedAtMs: nowMs });
    if (this.buckets.size > MAX_BUCKETS) {
      const [oldest] = this.buckets.keys();
      if (oldest !== undefined) this.buckets.delete(oldest);
    }
    return left;
  }

  /** Returns in how many milliseconds a tenant owes nothing. */
  owedMs(tenant: string, nowMs = performance.now()): number {
    return (Math.max(0, -this.left(tenant, nowMs)) / this.limits.perSecond) * SECOND_MS;
  }
}
