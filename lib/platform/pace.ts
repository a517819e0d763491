import { SECOND_MS } from '@/lib/platform/clock';

/** About 150 bytes each. The one that was idle for longest is forgotten, and has its whole burst again. */
const MAX_TENANTS = 20_000;

/** What the jobs of a tenant may cost, such as milliseconds or bytes: in each second, and on top at once. */
export interface PaceLimits {
  perSecond: number;
  burst: number;
  /** What one job counts at most: a busy machine also lengthens the jobs of those who do not make it busy. */
  mostOfJob?: number;
}

interface Account {
  left: number;
  /** By performance.now(). */
  atMs: number;
}

/** Bounds what the jobs of a tenant cost in each second: after each job beyond its budget, its place rests. */
export class Pace {
  private readonly accounts = new Map<string, Account>();

  constructor(
    private readonly limits: PaceLimits,
    /** Nobody rests for others that do not exist. */
    private readonly isAlone: (tenant: string) => boolean,
  ) {}

  /** Counts a job. @returns how many milliseconds its place rests */
  restAfter(tenant: string, cost: number, nowMs = performance.now()): number {
    if (cost === 0) return 0;
    const { perSecond, burst, mostOfJob = Number.POSITIVE_INFINITY } = this.limits;
    const { left, atMs } = this.accounts.get(tenant) ?? { left: burst, atMs: nowMs };
    const earned = ((nowMs - atMs) / SECOND_MS) * perSecond;
    // What a tenant uses while it is alone is not held against it for longer than a second.
    const account = {
      left: Math.max(-perSecond, Math.min(burst, left + earned) - Math.min(cost, mostOfJob)),
      atMs: nowMs,
    };
    this.accounts.delete(tenant);
    this.accounts.set(tenant, account);
    if (this.accounts.size > MAX_TENANTS) {
      const [oldest] = this.accounts.keys();
      if (oldest !== undefined) this.accounts.delete(oldest);
    }
    return account.left >= 0 || this.isAlone(tenant) ? 0 : (-account.left / perSecond) * SECOND_MS;
  }
}
