import { SECOND_MS } from '@/lib/platform/clock';

/** An attempt is quick until it has lasted this long; then it leaves its quick slot to another and counts as slow. */
export const QUICK_MS = SECOND_MS;

/** What the policy judges by: attempts under way in a worker. */
export interface SlotUse {
  /** Attempts that have lasted less than QUICK_MS. */
  quick: number;
  /** All others, and every attempt to a target that is known to be slow or failing. */
  slow: number;
  /** Projects with attempts of either kind under way or waiting. */
  quickProjects: number;
  slowProjects: number;
}

/** The same of one project. */
export interface ProjectUse {
  quick: number;
  slow: number;
}

/**
 * Who may start an attempt. `concurrency` quick slots are shared by the projects that have work: any project may use all but
 * a reserve, and the reserve is for those that are below an even share, so a newcomer starts at once. Half as many slow slots
 * are shared evenly; a project alone gets half of them.
 */
export class SlotPolicy {
  private readonly reserve: number;
  private readonly slowSlots: number;

  constructor(private readonly concurrency: number) {
    this.reserve = Math.ceil(concurrency / 8);
    this.slowSlots = Math.max(2, Math.floor(concurrency / 2));
  }

  mayStartQuick(use: SlotUse, project: ProjectUse): boolean {
    if (!this.isBelowTotal(use, project) || use.quick >= this.concurrency) return false;
    if (use.quick < this.concurrency - this.reserve) return true;
    return project.quick < Math.max(1, Math.floor(this.concurrency / (use.quickProjects + 1)));
  }

  mayStartSlow(use: SlotUse, project: ProjectUse): boolean {
    return use.slow < this.slowSlots && this.slowRoom(use, project) > 0 && this.isBelowTotal(use, project);
  }

  /** Slow attempts that a project may start now, as far as its share goes. A project without room is held to prove its targets. */
  slowRoom(use: SlotUse, project: ProjectUse): number {
    const share = Math.max(1, Math.floor(this.slowSlots / Math.max(2, use.slowProjects)));
    return Math.max(0, share - project.slow);
  }

  /** Attempts under way that turn out slow exceed the slow slots. They are bounded too: a project without any has the last word. */
  private isBelowTotal({ quick, slow }: SlotUse, project: ProjectUse): boolean {
    const most = project.slow === 0 ? 2.5 * this.concurrency : 2 * this.concurrency;
    return quick + slow < most;
  }
}
