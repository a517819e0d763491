import { FairSemaphore, type Release, type SemaphoreLimits } from './fair-semaphore';
import type { Pace } from './pace';

/** The tenant that all strangers are together. No owner and no network has this name. */
export const STRANGERS = 'strangers';

/** Who asks for a slot: an owner of organizations, or the network of a client that nobody vouches for. */
export interface SlotTenant {
  tenant: string;
  isStranger: boolean;
}

/**
 * A fair semaphore for owners and strangers: beside owners, all strangers are one tenant, since an attacker may have any number of
 * networks. Networks take turns among themselves (docs/decisions/066-tenants-take-turns-in-next.md).
 */
export class TenantSemaphore {
  private readonly all: FairSemaphore;
  private readonly networks: FairSemaphore;

  /** @param strangers slots that all strangers have at most, and one of their networks */
  constructor(
    private readonly limits: SemaphoreLimits,
    { width, widthPerTenant }: Pick<SemaphoreLimits, 'width' | 'widthPerTenant'>,
    pace?: Pace,
  ) {
    this.all = new FairSemaphore(limits, pace);
    this.networks = new FairSemaphore({ ...limits, width, widthPerTenant });
  }

  /** Takes a slot without waiting; null if none is free, and for strangers. */
  tryAcquire({ tenant, isStranger }: SlotTenant): Release | null {
    return isStranger ? null : this.all.tryAcquire(tenant);
  }

  /** Waits for a slot. @throws SemaphoreFullError when too many wait; the signal's reason when it aborts before */
  async acquire({ tenant, isStranger }: SlotTenant, signal: AbortSignal): Promise<Release> {
    if (!isStranger) return this.all.acquire(tenant, signal);
    const leave = await this.networks.acquire(tenant, signal);
    const release = await this.all.acquire(STRANGERS, signal).catch((error) => {
      leave();
      throw error;
    });
    return (cost) => {
      release(cost);
      leave();
    };
  }

  /** Whether as many wait as may, of owners or of strangers. */
  isFull({ isStranger }: SlotTenant): boolean {
    return (isStranger ? this.networks : this.all).waiting >= this.limits.waiting;
  }
}
