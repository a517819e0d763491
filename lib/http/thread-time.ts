import { performance as thread } from 'node:perf_hooks';
import { isAlone } from '@/lib/platform/pace';
import { TokenBuckets } from '@/lib/platform/token-buckets';

/**
 * Milliseconds of the thread that an owner's turns may take in a second before it counts as heavy, and on top at once. It stays heavy for
 * five seconds at most. 30 ordinary requests a second are not heavy.
 */
const ORDINARY = { perSecond: 100, burst: 60, mostOwed: 500 };
/** How long the thread may work in a second before heavy owners rest. What is left is for those who use less. */
const SHARED = { perSecond: 500, burst: 100, mostOwed: 150 };
/** How long the thread counts as busy after it has worked for longer. */
const BUSY_MS = 10_000;

/**
 * Who uses much of the thread of a web process, and how long they rest so that others find it idle. While the thread is idle for half of the
 * time, nobody rests (docs/decisions/066-tenants-take-turns-in-next.md).
 */
export class ThreadTime {
  private readonly ofOwner = new TokenBuckets(ORDINARY);
  private readonly shared = new TokenBuckets(SHARED);
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
   * Begins a turn of an owner.
   * @returns ends the turn. It counts for so many milliseconds at most: a busy machine lengthens everybody's turns
   */
  begin(owner: string): (mostMs: number) => void {
    this.measure();
    this.turns += 1;
    const beforeMs = this.sharedMs;
    return (mostMs) => {
      this.measure();
      this.turns -= 1;
      this.ofOwner.take(owner, Math.min(mostMs, this.sharedMs - beforeMs));
    };
  }

  /** Whether an owner has used much lately, while the thread was busy and others were active. */
  isHeavy(owner: string): boolean {
    if (this.ofOwner.left(owner) >= 0 || isAlone(owner)) return false;
    this.measure();
    return performance.now() - this.busyAtMs < BUSY_MS;
  }

  /** Returns how many milliseconds heavy owners rest. */
  restMs(): number {
    this.measure();
    return this.shared.owedMs('');
  }

  private measure(): void {
    const beforeMs = this.measuredMs;
    this.measuredMs = this.workedMs();
    const ms = this.measuredMs - beforeMs;
    this.sharedMs += ms / Math.max(1, this.turns);
    if (this.shared.take('', ms) < 0) this.busyAtMs = performance.now();
  }
}
