import type { Pace, TargetQueue } from './target-queue';

/** What a worker has in hand for one project, and whose turn it is among its targets. */
export class ProjectLoad {
  /** Attempts under way. */
  quick = 0;
  slow = 0;
  /** Deliveries from lease to record. */
  jobs = 0;
  /** Queues that belong to it; without any it can be forgotten. */
  queues = 0;
  /** Whether it waits for its turn in the lane. */
  isInQuickTurns = false;
  isInSlowTurns = false;
  private readonly rings: Record<Pace, TargetQueue[]> = { unproven: [], quick: [], suspect: [] };

  constructor(readonly projectId: string) {}

  /** Queues a target for its turn, by its pace now. */
  enter(queue: TargetQueue): void {
    queue.isInRing = true;
    this.rings[queue.pace].push(queue);
  }

  has(pace: Pace): boolean {
    return this.rings[pace].length > 0;
  }

  /** The next target of that pace that can start; those whose pace has changed meanwhile move to their ring. */
  take(pace: Pace): TargetQueue | null {
    const ring = this.rings[pace];
    for (let left = ring.length; left > 0; left -= 1) {
      const queue = ring.shift();
      if (queue === undefined) return null;
      queue.isInRing = false;
      if (!queue.canStart) continue;
      if (queue.pace === pace) return queue;
      this.enter(queue);
    }
    return null;
  }
}
