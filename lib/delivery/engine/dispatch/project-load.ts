/** What is known about a target: nothing current, that it answers quickly and well, or that it is slow or failing. */
export type Pace = 'unproven' | 'quick' | 'suspect';

/** A queue as the rings of its project see it. */
interface RingMember {
  /** The ring in which it waits for its turn; null while it does not wait. */
  ring: Pace | null;
  readonly pace: Pace;
  readonly canStart: boolean;
}

/** The attempts of one project, and the turns of its targets. */
export class ProjectLoad<Queue extends RingMember> {
  /** Attempts in flight in quick slots, and in slow slots. */
  quick = 0;
  slow = 0;
  /** How many queues belong to it. Without any, the project is forgotten. */
  queues = 0;
  /** Whether it waits for its turn in a lane. */
  isInQuickTurns = false;
  isInSlowTurns = false;
  private readonly rings: Record<Pace, Queue[]> = { unproven: [], quick: [], suspect: [] };

  constructor(readonly projectId: string) {}

  /** Queues a target for its turn among those of its current pace. */
  enqueue(queue: Queue): void {
    if (queue.ring === queue.pace) return;
    if (queue.ring !== null) this.leave(queue, queue.ring);
    queue.ring = queue.pace;
    this.rings[queue.pace].push(queue);
  }

  has(pace: Pace): boolean {
    return this.rings[pace].length > 0;
  }

  /** Takes the next target of that pace that can start an attempt. */
  take(pace: Pace): Queue | null {
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

  private leave(queue: Queue, pace: Pace): void {
    const ring = this.rings[pace];
    const at = ring.indexOf(queue);
    if (at !== -1) ring.splice(at, 1);
  }
}
