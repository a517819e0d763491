import type { Job, Target } from '@/lib/delivery/engine/types';
import { SECOND_MS } from '@/lib/platform/clock';
import type { Pace, ProjectLoad } from './project-load';
import { QUICK_MS } from './slot-policy';

/** A queue holds as many jobs as its target answers in about this time… */
const QUEUE_WORTH_MS = 2 * SECOND_MS;
/** …and at most this many jobs for each slot. */
const MAX_JOBS_PER_SLOT = 25;
/** The assumed duration of the first attempt. It makes the queue short, since the target may hang. */
const FIRST_GUESS_MS = SECOND_MS;
const NEWEST_WEIGHT = 0.2;
/** A target loses slots after an attempt that took this long. */
const SLOW_ATTEMPT_MS = 4 * SECOND_MS;
/** After this many failures in a row a target is treated like a slow one. */
const FAILURES_OF_A_SUSPECT = 3;
/** After this time without an attempt the connection to a target is probably closed. */
const CONNECTED_MS = 2 * SECOND_MS;
/** Pauses between claims that return nothing although something was due: another transaction has locked it. */
const FIRST_RECLAIM_MS = 10;
const LONGEST_RECLAIM_MS = 500;

/** How an attempt ended. */
export interface AttemptEnd {
  durationMs: number;
  succeeded: boolean;
  /** Null without a response. */
  responseStatus: number | null;
}

/** The queued jobs of one target, and how many of them may be in flight. */
export class TargetQueue {
  readonly waiting: Job[] = [];
  /** As last read; null until the first job is added. */
  target: Target | null = null;
  inFlight = 0;
  /** The ring of its project in which it waits for its turn; null while it does not wait. */
  ring: Pace | null = null;
  private hasDue = false;
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
    readonly project: ProjectLoad<TargetQueue>,
    private readonly maxSlots: number,
  ) {
    this.slots = maxSlots;
  }

  /** The customer of its target: the targets of one take a turn together. Those of the project itself have turns of their own. */
  get turn(): string {
    return this.target?.customerId ?? this.targetId;
  }

  get pace(): Pace {
    if (!this.isProven) return 'unproven';
    if (this.isSlow || this.failuresInRow >= FAILURES_OF_A_SUSPECT) return 'suspect';
    return this.failuresInRow > 0 && !this.isConnected ? 'unproven' : 'quick';
  }

  /** Whether a connection to the target is probably open. To open one to a failing target costs several times as much. */
  private get isConnected(): boolean {
    return this.hasAnswered && performance.now() - this.lastEndAt < CONNECTED_MS;
  }

  /** A target that fails quickly is not slow. */
  get isSlow(): boolean {
    return this.meanMs > QUICK_MS;
  }

  get canStart(): boolean {
    return (
      this.waiting.length > 0 && this.inFlight < this.slots && !(this.isNextLarge && this.project.owner.isOutOfBytes)
    );
  }

  private get isNextLarge(): boolean {
    return this.waiting[0]?.message.largeBytes !== undefined;
  }

  /** How many jobs may wait: few for a slow target, so that no lease ends in the queue. */
  get capacity(): number {
    const perSlot = Math.floor(QUEUE_WORTH_MS / this.meanMs);
    return this.slots * Math.min(MAX_JOBS_PER_SLOT, Math.max(1, perSlot));
  }

  get room(): number {
    return Math.max(0, this.capacity - this.waiting.length);
  }

  /** Whether to claim more deliveries. */
  get needsRefill(): boolean {
    return this.hasBacklog && this.waiting.length <= this.capacity / 2 && this.reclaimAt <= performance.now();
  }

  /** Whether the database has due deliveries that are not in this queue. */
  get hasBacklog(): boolean {
    return this.hasDue;
  }

  set hasBacklog(hasBacklog: boolean) {
    if (hasBacklog !== this.hasDue) this.project.countBacklogs(hasBacklog ? 1 : -1);
    this.hasDue = hasBacklog;
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.waiting.length === 0 && !this.hasBacklog;
  }

  /**
   * Learns from an attempt. A slow attempt halves the slots, down to one. Each other attempt adds one.
   */
  learn({ durationMs, succeeded, responseStatus }: AttemptEnd): void {
    if (durationMs > QUICK_MS) this.project.owner.noteSlowEnd();
    this.isProven = true;
    this.hasAnswered = responseStatus !== null;
    this.lastEndAt = performance.now();
    this.failuresInRow = succeeded ? 0 : this.failuresInRow + 1;
    this.meanMs += (durationMs - this.meanMs) * NEWEST_WEIGHT;
    this.slots =
      durationMs >= SLOW_ATTEMPT_MS ? Math.max(1, Math.floor(this.slots / 2)) : Math.min(this.maxSlots, this.slots + 1);
  }

  /** Learns that an attempt in flight has become slow. */
  learnLongRunning(): void {
    this.isProven = true;
    this.meanMs = Math.max(this.meanMs, 1.5 * QUICK_MS);
  }

  /** Learns from a claim whether more deliveries are due. */
  learnFromClaim(claimed: number, wanted: number): void {
    if (claimed > 0) {
      this.hasBacklog = claimed >= wanted;
      this.reclaimAfterMs = 0;
      this.reclaimAt = 0;
    } else if (this.reclaimAfterMs >= LONGEST_RECLAIM_MS) {
      this.hasBacklog = false;
      this.reclaimAfterMs = 0;
    } else {
      this.reclaimAfterMs = Math.min(LONGEST_RECLAIM_MS, Math.max(FIRST_RECLAIM_MS, this.reclaimAfterMs * 2));
      this.reclaimAt = performance.now() + this.reclaimAfterMs * (0.5 + Math.random());
    }
  }

  /** Notes that the database has due deliveries. A pause after claims that returned nothing ends. */
  noteDue(): void {
    this.hasBacklog = true;
    if (this.reclaimAfterMs > 0) this.reclaimAt = 0;
  }

  /** Learns that its rate limit leaves nothing for a while. */
  pauseClaims(ms: number): void {
    this.hasBacklog = true;
    this.reclaimAfterMs = 0;
    this.reclaimAt = performance.now() + ms;
  }

  /** Milliseconds until the pause between claims ends; null outside of a pause. */
  get reclaimInMs(): number | null {
    const inMs = this.reclaimAt - performance.now();
    return this.hasBacklog && inMs > 0 ? inMs : null;
  }

  /** Removes the newest jobs if the queue has become too long for a slower target. */
  takeSurplus(): Job[] {
    return this.waiting.length > 2 * this.capacity ? this.waiting.splice(this.capacity) : [];
  }
}
