import { SECOND_MS } from '@/lib/platform/clock';
import { mayTakeOne, roomWithin } from './share-policy';

/** An attempt is quick until it has lasted this long; then it leaves its quick slot to another and counts as slow. */
export const QUICK_MS = SECOND_MS;

/** Attempts under way, of a worker or of one of its projects. */
export interface SlotUse {
  /** Attempts that have lasted less than QUICK_MS. */
  quick: number;
  /** All others, and every attempt to a target that is known to be slow or failing. */
  slow: number;
}

/**
 * Which project may start an attempt: there are `concurrency` quick slots, and half as many slow ones. Quick slots are free
 * again within a second, so projects may use nearly all of them; slow ones are held for up to 15 seconds.
 */
export class SlotPolicy {
  private readonly slowSlots: number;

  constructor(private readonly concurrency: number) {
    this.slowSlots = Math.max(2, Math.floor(concurrency / 2));
  }

  /**
   * For targets that are known to answer quickly, and for those that have not answered yet. A project with many slow attempts
   * may have targets that only pretended to be quick.
   */
  mayStartQuick(all: SlotUse, project: SlotUse): boolean {
    if (project.slow >= this.slowSlots / 2 && !this.isBelowTotal(all, project)) return false;
    return mayTakeOne(this.concurrency, { total: all.quick, own: project.quick });
  }

  /** Besides `mayStartQuick`: an unproven target may hang, and proven ones must not wait for those that do. */
  mayStartUnproven(all: SlotUse, project: SlotUse): boolean {
    return !this.isOutOfSlowSlots(all, project) && this.isBelowTotal(all, project);
  }

  mayStartSlow(all: SlotUse, project: SlotUse): boolean {
    return this.slowRoom(all, project) > 0 && this.isBelowTotal(all, project);
  }

  /** Slow attempts that a project may start now. */
  slowRoom(all: SlotUse, project: SlotUse): number {
    return roomWithin(this.slowSlots, { total: all.slow, own: project.slow });
  }

  /** Whether a project has used up its slow slots, so that its unproven targets have to wait: they may hang as well. */
  isOutOfSlowSlots(all: SlotUse, project: SlotUse): boolean {
    return project.slow > 0 && this.slowRoom(all, project) === 0;
  }

  /**
   * Attempts that turn out slow while under way exceed the slow slots. No new ones are risked beyond this; it leaves some for
   * projects that have none.
   */
  private isBelowTotal(all: SlotUse, project: SlotUse): boolean {
    const most = project.slow === 0 ? 2.5 * this.concurrency : 2 * this.concurrency;
    return all.quick + all.slow < most;
  }
}
