import { isAlone, Pace, type PaceLimits } from './pace';
import { type RateLimits, SharedRate } from './shared-rate';

/** Bounds what the jobs of a tenant, and of all tenants together, cost in each second. A tenant that is alone rests for neither. */
export class SharedPace {
  private readonly own: Pace;
  private readonly shared: SharedRate;

  constructor(own: PaceLimits, shared: RateLimits) {
    this.own = new Pace(own, isAlone);
    this.shared = new SharedRate(shared);
  }

  /** Counts a job. @returns how many milliseconds its place rests */
  restAfter(tenant: string, cost: number): number {
    return Math.max(this.own.restAfter(tenant, cost), isAlone(tenant) ? 0 : this.shared.count(tenant, cost));
  }

  /** What one job counts at most for the order of those who wait. */
  get mostUsed(): number {
    return this.own.mostUsed;
  }

  /** Returns for how many milliseconds a tenant has to rest. */
  owedMs(tenant: string): number {
    return isAlone(tenant) ? 0 : Math.max(this.own.owedMs(tenant), this.shared.owedMs(tenant));
  }

  /** Whether a tenant has used more than its budget, or than its part of what all have, and is not alone. */
  mustRest(tenant: string): boolean {
    return this.own.mustRest(tenant) || (!isAlone(tenant) && this.shared.owedMs(tenant) > 0);
  }
}
