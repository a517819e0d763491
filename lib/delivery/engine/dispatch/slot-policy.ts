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

/** Returns how much more of `most` a tenant may use: no more than stays free. n tenants get `most / (n + 1)` each. */
export function remainingShare(most: number, { total, own }: Usage): number {
  return Math.max(0, Math.floor((most - total - own) / 2));
}

/**
 * Whether a tenant may use one more of `most`. For resources that are soon free again, so little must stay free: n tenants get
 * `4 * most / (4 * n + 1)` each.
 */
export function isWithinShare(most: number, { total, own }: Usage): boolean {
  return own < 4 * (most - total);
}

/** An attempt that has lasted this long frees its quick slot and counts as slow. */
export const QUICK_MS = SECOND_MS;

/** Attempts in flight, of a worker or of one of its projects. */
export interface SlotUse {
  /** Attempts that have lasted less than QUICK_MS. */
  quick: number;
  /** All other attempts, and all attempts to targets that are known to be slow or failing. */
  slow: number;
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
  mayStartQuick(all: SlotUse, project: SlotUse): boolean {
    if (project.slow >= this.slowSlots / 2 && !this.isBelowTotal(all, project)) return false;
    return isWithinShare(this.concurrency, { total: all.quick, own: project.quick });
  }

  /** Required for unproven targets besides `mayStartQuick`: they may hang, and proven targets must not wait for them. */
  mayStartUnproven(all: SlotUse, project: SlotUse): boolean {
    return !this.isOutOfSlowSlots(all, project) && this.isBelowTotal(all, project);
  }

  mayStartSlow(all: SlotUse, project: SlotUse): boolean {
    return this.slowRoom(all, project) > 0 && this.isBelowTotal(all, project);
  }

  /** How many more slow attempts a project may start. */
  slowRoom(all: SlotUse, project: SlotUse): number {
    return remainingShare(this.slowSlots, { total: all.slow, own: project.slow });
  }

  /** Whether a project has used up its slow slots. */
  isOutOfSlowSlots(all: SlotUse, project: SlotUse): boolean {
    return project.slow > 0 && this.slowRoom(all, project) === 0;
  }

  /**
   * Attempts that turn slow in flight may exceed the slow slots. Beyond this total no further risk is taken. A project without
   * slow attempts has a higher total, so that the others cannot use all of it.
   */
  private isBelowTotal(all: SlotUse, project: SlotUse): boolean {
    const most = project.slow === 0 ? 2.5 * this.concurrency : 2 * this.concurrency;
    return all.quick + all.slow < most;
  }
}
