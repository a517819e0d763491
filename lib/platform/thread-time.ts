import { performance as thread } from 'node:perf_hooks';
import { once } from './globals';
import { isAlone } from './pace';
import { TokenBuckets } from './token-buckets';

/**
 * Milliseconds of the thread that an owner's turns may take in a second before it counts as heavy, and on top at once: a page of the
 * dashboard makes some 30 requests. It stays heavy for five seconds at most.
 */
const ORDINARY = { perSecond: 75, burst: 150, mostOwed: 375 };
/** What the turns of all owners may take in a second before heavy ones rest. What is left is for those who use less. */
const SHARED = { perSecond: 350, burst: 100, mostOwed: 105 };
/** The thread may be busy a millisecond for so much content: to read it from the database, and for what the garbage collector does then. */
export const BYTES_OF_THREAD_MS = 20_000;
/** How long owners may count as heavy after turns have taken more. */
const BUSY_MS = 10_000;

/**
 * Who uses much of the thread of a web process, and how long they rest so that others find it idle. While turns take less than a third of
 * its time, nobody rests (docs/decisions/066-tenants-take-turns-in-next.md).
 */
export class ThreadTime {
  private readonly ofOwner = new TokenBuckets(ORDINARY);
  private readonly ofAll = new TokenBuckets(SHARED);
  private measuredMs: number;
  private busyAtMs = Number.NEGATIVE_INFINITY;
  private turns = 0;
  /** What a turn would have taken that has lasted since the start: those that last at the same time share what the thread works. */
  private sharedMs = 0;

  /** @param workedMs returns how many milliseconds the thread has worked */
  constructor(private readonly workedMs = () => thread.eventLoopUtilization().active) {
    this.measuredMs = workedMs();
  }

  /**
   * Begins a turn of an owner, or null for a stranger: those have a pace of their own.
   * @returns ends the turn, and counts later what else its work took. The work counts for so many milliseconds at most: what takes no turn
   *   keeps the thread busy, too
   */
  begin(owner: string | null): (mostMs: number) => void {
    this.measure();
    this.turns += 1;
    const beforeMs = this.sharedMs;
    let isOpen = true;
    let countedMs = 0;
    return (mostMs) => {
      this.measure();
      if (isOpen) this.turns -= 1;
      isOpen = false;
      if (owner === null) return;
      const ms = Math.min(mostMs, this.sharedMs - beforeMs) - countedMs;
      countedMs += ms;
      this.count(owner, ms);
    };
  }

  /** Counts what an owner's work takes of the thread. */
  count(owner: string, ms: number): void {
    this.ofOwner.take(owner, ms);
    if (this.ofAll.take('', ms) < 0) this.busyAtMs = performance.now();
  }

  /** Whether an owner has used much lately, while turns have kept the thread busy and others were active. */
  isHeavy(owner: string): boolean {
    return this.ofOwner.left(owner) < 0 && performance.now() - this.busyAtMs < BUSY_MS && !isAlone(owner);
  }

  /** Returns how many milliseconds heavy owners rest. */
  restMs(): number {
    return this.ofAll.owedMs('');
  }

  private measure(): void {
    const beforeMs = this.measuredMs;
    this.measuredMs = this.workedMs();
    this.sharedMs += (this.measuredMs - beforeMs) / Math.max(1, this.turns);
  }
}

/** The time of this process. */
export const threadTime = () => once('thread-time', () => new ThreadTime());
