import { MINUTE_MS } from '@/lib/platform/clock';
import { RoundRobin } from '@/lib/platform/round-robin';
import type { SlotUse } from './slot-policy';

/** What is known about a target: nothing current, that it answers quickly and well, or that it is slow or failing. */
export type Pace = 'unproven' | 'quick' | 'suspect';

/** A queue as the rings of its project see it. */
interface RingMember {
  /** The ring in which it waits for its turn; null while it does not wait. */
  ring: Pace | null;
  readonly pace: Pace;
  readonly canStart: boolean;
  /** Those with the same turn share it: the targets of a customer. */
  readonly turn: string;
}

/** How long an owner whose attempts were slow does not get the slots that are kept for those whose were not. */
const REMEMBERED_SLOW_MS = 10 * MINUTE_MS;

/** The attempts of the projects of one owner of organizations. */
export class OwnerLoad implements SlotUse {
  quick = 0;
  /** How many projects with queues the owner has. Without any, the owner is forgotten. */
  projects = 0;
  /** How many of its targets have a backlog. */
  backlogs = 0;
  /** Whether its large bodies wait for others to be sent (LargeBodyBudget). */
  isOutOfBytes = false;
  /** When its last slow attempt ended, by performance.now(). */
  private slowEndAt = Number.NEGATIVE_INFINITY;
  private slowAttempts = 0;

  /** @param counts how many owners have slow attempts; one object for all of them */
  constructor(
    readonly ownerId: string,
    private readonly counts: { slowOwners: number },
  ) {}

  get slow(): number {
    return this.slowAttempts;
  }

  set slow(count: number) {
    this.counts.slowOwners += Number(count > 0) - Number(this.slowAttempts > 0);
    this.slowAttempts = count;
  }

  get slowOwners(): number {
    return this.counts.slowOwners;
  }

  get wasSlow(): boolean {
    return performance.now() - this.slowEndAt < REMEMBERED_SLOW_MS;
  }

  noteSlowEnd(): void {
    this.slowEndAt = performance.now();
  }
}

/** New targets of a project that wait in memory at most, which a worker starts within half a second. */
const MAX_WAITING_UNPROVEN = 200;

/** The attempts of one project, and the turns of its targets. */
export class ProjectLoad<Queue extends RingMember> implements SlotUse {
  quick = 0;
  slow = 0;
  /** How many queues belong to it. Without any, the project is forgotten. */
  queues = 0;
  /** How many of its targets have a backlog. */
  backlogs = 0;
  /** Whether it waits for its turn in a lane. */
  isInQuickTurns = false;
  isInSlowTurns = false;
  /** Customers take turns, and so do targets without one. */
  private readonly rings: Record<Pace, RoundRobin<Queue>> = {
    unproven: new RoundRobin(),
    quick: new RoundRobin(),
    suspect: new RoundRobin(),
  };

  constructor(
    readonly projectId: string,
    public owner: OwnerLoad,
  ) {}

  /** Counts attempts that start in slots of a kind, or leave them. */
  count(lane: keyof SlotUse, change: 1 | -1): void {
    this[lane] += change;
    this.owner[lane] += change;
  }

  countBacklogs(change: 1 | -1): void {
    this.backlogs += change;
    this.owner.backlogs += change;
  }

  /** Queues a target for its turn among those of its current pace. */
  enqueue(queue: Queue): void {
    if (queue.ring === queue.pace) return;
    if (queue.ring !== null) this.rings[queue.ring].remove(queue.turn, queue);
    queue.ring = queue.pace;
    this.rings[queue.pace].push(queue.turn, queue);
  }

  has(pace: Pace): boolean {
    return this.rings[pace].length > 0;
  }

  /**
   * How many more new targets may have jobs in memory. They start slowly, since they may hang: thousands of them would leave no room
   * for targets that answer.
   */
  get roomForUnproven(): number {
    return Math.max(0, MAX_WAITING_UNPROVEN - this.rings.unproven.length);
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
}
