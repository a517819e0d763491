import type { Pace, TargetQueue } from './target-queue';

/** What a worker has in hand for one project, and whose turn it is among its targets. */
export class ProjectLoad {
  /** Attempts under way. */
  quick = 0;
  slow = 0;
  /** Queues that belong to it; without any it can be forgotten. */
  queues = 0;
  /** Whether it waits for its turn in the lane. */
  isInQuickTurns = false;
  isInSlowTurns = false;
  private readonly rings: Record<Pace, TargetQueue[]> = { unproven: [], quick: [], suspect: [] };

  constructor(readonly projectId: string) {}

  /** Queues a target for its turn, by its pace now. */
  enqueue(queue: TargetQueue): void {
    if (queue.ring === queue.pace) return;
    if (queue.ring !== null) this.leave(queue, queue.ring);
    queue.ring = queue.pace;
    this.rings[queue.pace].push(queue);
  }

  has(pace: Pace): boolean {
    return this.rings[pace].length > 0;
  }

  /** The next target of that pace that can start. */
  take(pace: Pace): TargetQueue | null {
    const ring = this.rings[pace];
    for (let left = ring.length; left > 0; left -= 1) {
      const queue = ring.shift();
      if (queue === undefined) return null;
      queue.ring = null;
      if (!queue.canStart) continue;
      if (queue.pace === pace) return queue;
      this.enqueue(queue);
    }
    return null;
  }

  private leave(queue: TargetQueue, pace: Pace): void {
    const ring = this.rings[pace];
    const at = ring.indexOf(queue);
    if (at !== -1) ring.splice(at, 1);
  }
}
