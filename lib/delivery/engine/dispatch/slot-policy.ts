import { SECOND_MS } from '@/lib/platform/clock';

/*
 * Dynamic thresholds (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", 1998): how much of
 * a bounded resource a tenant may use depends on how much is free. A tenant alone may use most of it. With several tenants the
 * shares become even. Some of it always stays free, so a new tenant need not wait for others. No count of active tenants is needed.
 */

/** How much of a bounded resource is used: by all tenants, and by the one that wants more. */
export interface Usage {
  total: number;
  own: number;
}

/** An owner of many projects may use somewhat more than one project may, so that one of them does not delay the others. */
export const OWNER_WEIGHT = 2;

/**
 * Returns how much more of `most` a tenant may use: `weight` times as much as stays free. n tenants get
 * `weight * most / (weight * n + 1)` each.
 */
export function remainingShare(most: number, { total, own }: Usage, weight = 1): number {
  return Math.max(0, Math.floor((weight * (most - total) - own) / (weight + 1)));
}

/** Returns how many of `most` places each owner may have, so that there are some for one more. Everybody may have one. */
export function equalShare(most: number, owners: number): number {
  return Math.max(1, Math.floor(most / (Math.max(1, owners) + 1)));
}

/** The weight for resources that are soon free again, so little must stay free. */
export const SOON_FREE = 4;

/** Whether a tenant may use one more of `most`. @param weight as above */
export function isWithinShare(most: number, { total, own }: Usage, weight = SOON_FREE): boolean {
  return own < weight * (most - total);
}

/**
 * Whether a tenant that uses nothing may have a first piece, even if others use more than they share: otherwise many owners together
 * keep everybody else out. Nobody gets more once `limit` is in use.
 */
export function mayHaveFirst(limit: number, { total, own }: Usage): boolean {
  return own === 0 && total < limit;
}

/** An attempt that has lasted this long frees its quick slot and counts as slow. */
export const QUICK_MS = SECOND_MS;

/** Attempts in flight of an owner whose new targets have places kept for them. */
const FEW_ATTEMPTS = 8;

/** Attempts in flight, of a worker, of an owner or of a project. */
export interface SlotUse {
  /** Attempts that have lasted less than QUICK_MS. */
  quick: number;
  /** All other attempts, and all attempts to targets that are known to be slow or failing. */
  slow: number;
}

/** The attempts of a project, and of all projects of its owner. */
interface ProjectUse extends SlotUse {
  /** `wasSlow`: whether an attempt of the owner has been slow lately. `slowOwners`: how many owners have slow attempts. */
  owner: SlotUse & { readonly wasSlow?: boolean; readonly slowOwners?: number };
}

/**
 * Decides which project may start an attempt. There are `concurrency` quick slots and half as many slow slots. A quick slot is free
 * again within a second, so projects may use nearly all of them. A slow slot may be in use for 15 seconds
 * (docs/decisions/024-slots-are-shared-fairly.md).
 */
export class SlotPolicy {
  private readonly slowSlots: number;

  constructor(private readonly concurrency: number) {
    this.slowSlots = Math.max(2, Math.floor(concurrency / 2));
  }

  /**
   * For targets that answer quickly, and for unproven targets. The attempts of a project with many slow ones are limited, since
   * more of its quick targets may turn slow.
   */
  mayStartQuick(all: SlotUse, project: ProjectUse): boolean {
    const { owner } = project;
    if (owner.slow >= this.slowSlots / 2 && !this.isBelowTotal(all, project)) return false;
    return (
      isWithinShare(this.concurrency, { total: all.quick, own: project.quick }) &&
      isWithinShare(this.concurrency, { total: all.quick, own: owner.quick }, OWNER_WEIGHT * SOON_FREE)
    );
  }

  /** Required for unproven targets besides `mayStartQuick`: they may hang, and proven targets must not wait for them. */
  mayStartUnproven(all: SlotUse, project: ProjectUse): boolean {
    return !this.isOutOfSlowSlots(all, project) && this.isBelowTotal(all, project);
  }

  mayStartSlow(all: SlotUse, project: ProjectUse): boolean {
    return this.slowRoom(all, project) > 0 && this.isBelowTotal(all, project);
  }

  /**
   * How many more slow attempts a project may start. While attempts that turned slow use all slow slots or more, an owner still has an
   * equal share of them.
   */
  slowRoom(all: SlotUse, project: ProjectUse): number {
    const { owner } = project;
    if (all.slow >= this.slowSlots) {
      return Math.max(0, equalShare(this.slowSlots, owner.slowOwners ?? 0) - owner.slow);
    }
    return Math.min(
      remainingShare(this.slowSlots, { total: all.slow, own: project.slow }),
      remainingShare(this.slowSlots, { total: all.slow, own: owner.slow }, OWNER_WEIGHT),
    );
  }

  /** Whether a project, or its owner, has used up its slow slots. */
  isOutOfSlowSlots(all: SlotUse, project: ProjectUse): boolean {
    return project.owner.slow > 0 && this.slowRoom(all, project) === 0;
  }

  /**
   * Attempts that turn slow in flight may exceed the slow slots. Beyond this total no further risk is taken. It is higher for an owner
   * who has few attempts in flight and no slow ones, now or lately, and still higher for one who has none in flight: hundreds of
   * accounts with hanging targets would keep everybody else's new and failing targets waiting.
   */
  private isBelowTotal(all: SlotUse, project: ProjectUse): boolean {
    const inFlight = project.owner.quick + project.owner.slow;
    const most = inFlight === 0 ? 2.5 : inFlight < FEW_ATTEMPTS && isPunctual(project) ? 2.4 : 2;
    return all.quick + all.slow < most * this.concurrency;
  }
}

/** Whether no attempt of the owner is slow, or was lately. */
function isPunctual({ owner }: ProjectUse): boolean {
  return owner.slow === 0 && owner.wasSlow !== true;
}
