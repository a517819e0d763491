import type { Job, Target } from '@/lib/delivery/engine/types';
import { SECOND_MS } from '@/lib/platform/clock';
import type { ProjectLoad } from './project-load';
import { QUICK_MS } from './slot-policy';

/** A queue holds what its target answers in about this long… */
const QUEUE_WORTH_MS = 2 * SECOND_MS;
/** …but at most this many jobs for each slot, however quick the target is. */
const MAX_JOBS_PER_SLOT = 25;
/** A target that has not answered yet may hang, so it gets few jobs. */
const FIRST_GUESS_MS = SECOND_MS;
const NEWEST_WEIGHT = 0.2;
/** An attempt that took this long held a slot that others could have used. */
const SLOW_ATTEMPT_MS = 4 * SECOND_MS;
/** Failures in a row after which a target is treated like a slow one. */
const FAILURES_OF_A_SUSPECT = 3;
/** After so long without an attempt the connection to a target is probably closed. */
const CONNECTED_MS = 2 * SECOND_MS;
/** Tries to claim again when a claim finds nothing although the poll saw due deliveries: somebody holds their locks. */
const [FIRST_RECLAIM_MS, LONGEST_RECLAIM_MS] = [10, 500];

/** How an attempt ended. */
export interface AttemptEnd {
  durationMs: number;
  succeeded: boolean;
  /** Null when no answer came. */
  responseStatus: number | null;
}

/** What is known of a target: nothing that counts now, that it answers quickly and well, or that it is slow or failing. */
export type Pace = 'unproven' | 'quick' | 'suspect';

/** What a worker has in hand for one target, and how much of it may be under way at once. */
export class TargetQueue {
  readonly waiting: Job[] = [];
  /** As last read; null as long as no job has been added for it. */
  target: Target | null = null;
  inFlight = 0;
  /** Whether more is due in the database than this queue has taken on. */
  hasBacklog = false;
  /** Where it waits for its turn in its project; null when it does not. */
  ring: Pace | null = null;
  private slots: number;
  private meanMs = FIRST_GUESS_MS;
  private isProven = false;
  private failuresInRow = 0;
  private hasAnswered = false;
  private lastEndAt = Number.NEGATIVE_INFINITY;
  private reclaimAfterMs = 0;
  /** By performance.now(). */
  private reclaimAt = 0;

  constructor(
    readonly targetId: string,
    readonly project: ProjectLoad,
    private readonly maxSlots: number,
  ) {
    this.slots = maxSlots;
  }

  get pace(): Pace {
    if (!this.isProven) return 'unproven';
    if (this.isSlow || this.failuresInRow >= FAILURES_OF_A_SUSPECT) return 'suspect';
    return this.failuresInRow > 0 && !this.isConnected ? 'unproven' : 'quick';
  }

  /** Whether its next attempt probably finds a connection open: to make one, mostly in vain, costs several times as much. */
  private get isConnected(): boolean {
    return this.hasAnswered && performance.now() - this.lastEndAt < CONNECTED_MS;
  }

  /** Whether it takes long to answer. One that fails quickly is not slow. */
  get isSlow(): boolean {
    return this.meanMs > QUICK_MS;
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

  /** Whether it is time to claim more for it. */
  get needsRefill(): boolean {
    return this.hasBacklog && this.waiting.length <= this.capacity / 2 && this.reclaimAt <= performance.now();
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.waiting.length === 0 && !this.hasBacklog;
  }

  /**
   * Learns from an attempt. The slots of a target that hangs are halved, down to one; each quick answer gives one back.
   */
  learn({ durationMs, succeeded, responseStatus }: AttemptEnd): void {
    this.isProven = true;
    this.hasAnswered = responseStatus !== null;
    this.lastEndAt = performance.now();
    this.failuresInRow = succeeded ? 0 : this.failuresInRow + 1;
    this.meanMs += (durationMs - this.meanMs) * NEWEST_WEIGHT;
    this.slots =
      durationMs >= SLOW_ATTEMPT_MS ? Math.max(1, Math.floor(this.slots / 2)) : Math.min(this.maxSlots, this.slots + 1);
  }

  /** Learns that an attempt under way lasts, long before it ends. */
  learnLongRunning(): void {
    this.isProven = true;
    this.meanMs = Math.max(this.meanMs, 1.5 * QUICK_MS);
  }

  /** Learns what a claim found of it. */
  learnFromClaim(claimed: number, wanted: number): void {
    if (claimed > 0) {
      this.hasBacklog = claimed >= wanted;
      this.reclaimAfterMs = 0;
    } else if (this.reclaimAfterMs >= LONGEST_RECLAIM_MS) {
      this.hasBacklog = false;
      this.reclaimAfterMs = 0;
    } else {
      this.reclaimAfterMs = Math.min(LONGEST_RECLAIM_MS, Math.max(FIRST_RECLAIM_MS, this.reclaimAfterMs * 2));
      this.reclaimAt = performance.now() + this.reclaimAfterMs * (0.5 + Math.random());
    }
  }

  /** Milliseconds until it may be claimed for again; null when nothing holds it back. */
  get reclaimInMs(): number | null {
    const inMs = this.reclaimAt - performance.now();
    return this.hasBacklog && inMs > 0 ? inMs : null;
  }

  /** What it holds beyond twice its capacity, now that it has turned out slow: taken out, newest first. */
  takeSurplus(): Job[] {
    return this.waiting.length > 2 * this.capacity ? this.waiting.splice(this.capacity) : [];
  }
}
