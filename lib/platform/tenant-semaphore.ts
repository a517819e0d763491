import { FairSemaphore, type Release, type SemaphoreLimits } from './fair-semaphore';
import type { Pace } from './pace';

/** The tenants that all strangers are together, and those from where people sign in. No owner and no network has these names. */
export const STRANGERS = 'strangers';
export const FAMILIAR = 'familiar strangers';

/** Who asks for a slot: an owner of organizations, or the network of a client that nobody vouches for. */
export interface SlotTenant {
  tenant: string;
  isStranger: boolean;
  /** Whether people have signed in from the network of a stranger (./familiar-networks.ts). */
  isFamiliar?: boolean;
}

/** Returns the tenant that shares with others: an owner, or one of the two that strangers are together. */
export const partyOf = ({ tenant, isStranger, isFamiliar = false }: SlotTenant): string =>
  isStranger ? (isFamiliar ? FAMILIAR : STRANGERS) : tenant;

/**
 * A fair semaphore for owners and strangers: beside owners, all strangers are one tenant, since an attacker may have any number of
 * networks, and those from where people sign in are another one. Networks take turns among themselves
 * (docs/decisions/066-tenants-take-turns-in-next.md).
 */
export class TenantSemaphore {
  private readonly all: FairSemaphore;
  private readonly networks: Record<string, FairSemaphore>;

  /** @param strangers slots that all strangers have at most, and one of their networks */
  constructor(
    private readonly limits: SemaphoreLimits,
    { width, widthPerTenant }: Pick<SemaphoreLimits, 'width' | 'widthPerTenant'>,
    pace?: Pace,
  ) {
    this.all = new FairSemaphore(limits, pace);
    const ofNetworks = () => new FairSemaphore({ ...limits, width, widthPerTenant });
    this.networks = { [STRANGERS]: ofNetworks(), [FAMILIAR]: ofNetworks() };
  }

  /** Takes a slot without waiting; null if none is free, and for strangers. */
  tryAcquire({ tenant, isStranger }: SlotTenant): Release | null {
    return isStranger ? null : this.all.tryAcquire(tenant);
  }

  /** Waits for a slot. @throws SemaphoreFullError when too many wait; the signal's reason when it aborts before */
  async acquire(slotTenant: SlotTenant, signal: AbortSignal): Promise<Release> {
    const { tenant } = slotTenant;
    const party = partyOf(slotTenant);
    const networks = this.networksOf(slotTenant);
    if (networks === null) return this.all.acquire(tenant, signal);
    const leave = await networks.acquire(tenant, signal);
    const release = await this.all.acquire(party, signal).catch((error) => {
      leave();
      throw error;
    });
    return (cost) => {
      release(cost);
      leave();
    };
  }

  /** Whether as many wait as may, of owners or of strangers. */
  isFull(slotTenant: SlotTenant): boolean {
    return (this.networksOf(slotTenant) ?? this.all).waiting >= this.limits.waiting;
  }

  private networksOf(slotTenant: SlotTenant): FairSemaphore | null {
    return slotTenant.isStranger ? (this.networks[partyOf(slotTenant)] ?? null) : null;
  }
}
