import { FairSemaphore, type Release, type SemaphoreLimits } from './fair-semaphore';
import type { Pace } from './pace';

/** The tenants that all strangers are together, and those from where people sign in. No owner and no network has these names. */
export const STRANGERS = 'strangers';
export const FAMILIAR = 'familiar strangers';
/** The tenant that all owners are together who use much while there is little. */
export const HEAVY = 'heavy owners';

/** Who asks for a slot: an owner of organizations, or the network of a client that nobody vouches for. */
export interface SlotTenant {
  tenant: string;
  isStranger: boolean;
  /** Whether people have signed in from the network of a stranger (./familiar-networks.ts). */
  isFamiliar?: boolean;
  /** Whether an owner shares its slots with others who use much. */
  isHeavy?: boolean;
}

/** Returns the tenant that shares with others: an owner, or one of those that heavy owners, or strangers, are together. */
export function partyOf({ tenant, isStranger, isFamiliar = false, isHeavy = false }: SlotTenant): string {
  if (isStranger) return isFamiliar ? FAMILIAR : STRANGERS;
  return isHeavy ? HEAVY : tenant;
}

/**
 * A fair semaphore for owners and strangers: beside owners, all strangers are one tenant, since an attacker may have any number of
 * networks, and those from where people sign in are another one, and so are owners who use much. Those of one take turns among themselves
 * (docs/decisions/066-tenants-take-turns-in-next.md).
 */
export class TenantSemaphore {
  private readonly all: FairSemaphore;
  private readonly groups: Record<string, FairSemaphore>;

  /**
   * @param group slots that all strangers have at most, and one of their networks, or all heavy owners, and one of them
   * @param pace of owners, and of strangers together
   * @param heavyRestMs returns how long a slot of heavy owners rests after a job, in milliseconds
   */
  constructor(
    private readonly limits: SemaphoreLimits,
    { width, widthPerTenant }: Pick<SemaphoreLimits, 'width' | 'widthPerTenant'>,
    pace?: Pace,
    heavyRestMs: () => number = () => 0,
  ) {
    this.all = new FairSemaphore(limits, {
      restAfter: (party, cost) => {
        if (party !== HEAVY) return pace?.restAfter(party, cost) ?? 0;
        return cost === 0 ? 0 : heavyRestMs();
      },
    });
    const ofGroup = (paceOfOwners?: Pace) => new FairSemaphore({ ...limits, width, widthPerTenant }, paceOfOwners);
    this.groups = { [STRANGERS]: ofGroup(), [FAMILIAR]: ofGroup(), [HEAVY]: ofGroup(pace) };
  }

  /** Takes a slot without waiting; null if none is free, and for those of a group. */
  tryAcquire(slotTenant: SlotTenant): Release | null {
    return this.groupOf(slotTenant) === undefined ? this.all.tryAcquire(slotTenant.tenant) : null;
  }

  /** Waits for a slot. @throws SemaphoreFullError when too many wait; the signal's reason when it aborts before */
  async acquire(slotTenant: SlotTenant, signal: AbortSignal): Promise<Release> {
    const { tenant } = slotTenant;
    const group = this.groupOf(slotTenant);
    if (group === undefined) return this.all.acquire(tenant, signal);
    const leave = await group.acquire(tenant, signal);
    const release = await this.all.acquire(partyOf(slotTenant), signal).catch((error) => {
      leave(0);
      throw error;
    });
    return (cost) => {
      release(cost);
      leave(cost);
    };
  }

  /** Whether as many wait as may, of owners or of a group. */
  isFull(slotTenant: SlotTenant): boolean {
    return (this.groupOf(slotTenant) ?? this.all).waiting >= this.limits.waiting;
  }

  private groupOf(slotTenant: SlotTenant): FairSemaphore | undefined {
    return this.groups[partyOf(slotTenant)];
  }
}
