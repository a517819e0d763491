/** Nothing is due so soon that it could not be found together with what is due a moment later. */
const SHORTEST_MS = 20;

/** One timer for many reasons to wake: it goes off for the soonest. */
export class WakeTimer {
  private timer: NodeJS.Timeout | null = null;
  private at = Number.POSITIVE_INFINITY;
  private isStopped = false;

  constructor(private readonly wake: () => void) {}

  /** Goes off no later than this. */
  within(ms: number): void {
    const at = performance.now() + Math.max(SHORTEST_MS, ms);
    if (this.isStopped || at >= this.at) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.at = at;
    this.timer = setTimeout(() => {
      this.at = Number.POSITIVE_INFINITY;
      this.wake();
    }, at - performance.now());
  }

  /** Forgets every earlier reason: whoever woke has seen to all of them. */
  restart(ms: number): void {
    this.at = Number.POSITIVE_INFINITY;
    this.within(ms);
  }

  stop(): void {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }
}
