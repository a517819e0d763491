import { LARGE_BODIES, LargeBodyBudget } from '@/lib/delivery/engine/large-bodies';
import type { SlotUse, Usage } from './slot-policy';

/** Counts something by customer, project and owner. The owner of a project may have its id. */
export class Tally {
  private total = 0;
  private readonly byTenant = new Map<string, number>();

  usageOf(tenantId: string): Usage {
    return { total: this.total, own: this.byTenant.get(tenantId) ?? 0 };
  }

  add(tenants: readonly string[], change: number): void {
    this.total += change;
    for (const tenant of new Set(tenants)) {
      const own = (this.byTenant.get(tenant) ?? 0) + change;
      if (own > 0) this.byTenant.set(tenant, own);
      else this.byTenant.delete(tenant);
    }
  }
}

/**
 * What a worker has under way and in memory. The engines of its cells share one, so that the bounds of a worker hold for all of them
 * together, and tenants of all cells have even shares.
 */
export class WorkerLoad {
  /** Attempts in flight. */
  readonly slots: SlotUse = { quick: 0, slow: 0 };
  /** How many owners have slow attempts; an owner counts in each cell. */
  readonly counts = { slowOwners: 0 };
  /** Attempts that were started lately to targets that are not known to answer well. */
  readonly paced = { since: Number.NEGATIVE_INFINITY, starts: 0 };
  readonly jobs = new Tally();
  readonly messageBytes = new Tally();
  /** The engine that was served last is at the end. */
  private readonly engines = new Set<() => void>();

  constructor(readonly largeBodies = new LargeBodyBudget(LARGE_BODIES)) {}

  /** @param pump starts as many attempts of an engine as the slots allow */
  join(pump: () => void): void {
    this.engines.add(pump);
  }

  leave(pump: () => void): void {
    this.engines.delete(pump);
  }

  /** Lets the engines start attempts: the one that was first is last the next time. */
  pump(): void {
    if (this.engines.size > 1) {
      const [first] = this.engines as Iterable<() => void>;
      if (first !== undefined) {
        this.engines.delete(first);
        this.engines.add(first);
      }
    }
    for (const pump of this.engines) pump();
  }
}
