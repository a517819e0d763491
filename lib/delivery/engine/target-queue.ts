import { SECOND_MS } from '@/lib/platform/clock';
import type { Job, Target } from './types';

/** What a queue holds is what its target takes about this long to answer… */
const QUEUE_WORTH_MS = 2 * SECOND_MS;
/** …but no more than this for each slot, however quick the target is. */
const MAX_JOBS_PER_SLOT = 25;
/** Before it has answered a few times, it may be one that hangs: it gets little in hand. */
const FIRST_GUESS_MS = SECOND_MS;
const NEWEST_WEIGHT = 0.2;
/** An attempt that took this long held a slot that others could have used. */
const SLOW_ATTEMPT_MS = 4 * SECOND_MS;

/** What a worker has in hand for one target, and how much of it may be under way at once. */
export class TargetQueue {
  readonly waiting: Job[] = [];
  /** As last read; null as long as nothing has been taken on for it. */
  target: Target | null = null;
  inFlight = 0;
  /** Whether more is due in the database than this queue has taken on. */
  hasBacklog = false;
  /** Whether it stands in the dispatcher's ring. */
  isInRing = false;
  private slots: number;
  private meanMs = FIRST_GUESS_MS;

  constructor(
    readonly targetId: string,
    private readonly maxSlots: number,
  ) {
    this.slots = maxSlots;
  }

  get canStart(): boolean {
    return this.waiting.length > 0 && this.inFlight < this.slots;
  }

  /** How many jobs it may hold: few for a slow target, so that none waits here until its lease ends. */
  get capacity(): number {
    const perSlot = Math.floor(QUEUE_WORTH_MS / this.meanMs);
    return this.slots * Math.min(MAX_JOBS_PER_SLOT, Math.max(1, perSlot));
  }

  get room(): number {
    return Math.max(0, this.capacity - this.waiting.length);
  }

  get isHungry(): boolean {
    return this.hasBacklog && this.waiting.length <= this.capacity / 2;
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.waiting.length === 0 && !this.hasBacklog;
  }

  /** Nothing to do, and nothing learned that is worth keeping: it was never slow, or is no longer. */
  get isForgettable(): boolean {
    return this.isIdle && this.slots === this.maxSlots;
  }

  /**
   * Learns from an attempt. The slots of a target that hangs are halved, down to one, so that a few of its kind never hold
   * all slots of the worker; each quick answer gives one back.
   */
  learn(durationMs: number): void {
    this.meanMs += (durationMs - this.meanMs) * NEWEST_WEIGHT;
    this.slots =
      durationMs >= SLOW_ATTEMPT_MS ? Math.max(1, Math.floor(this.slots / 2)) : Math.min(this.maxSlots, this.slots + 1);
  }

  /** What it holds beyond twice its capacity, now that it has turned out slow: taken out, newest first. */
  takeSurplus(): Job[] {
    return this.waiting.length > 2 * this.capacity ? this.waiting.splice(this.capacity) : [];
  }
}
