/** Delays at least: what is due a moment later is then found by the same wake. */
const SHORTEST_MS = 20;

/** One timer for many reasons to wake: it fires for the soonest. */
export class WakeTimer {
  private timer: NodeJS.Timeout | null = null;
  private at = Number.POSITIVE_INFINITY;
  private isStopped = false;

  constructor(private readonly wake: () => void) {}

  /** Fires no later than in `ms`. */
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

  /** Fires in `ms`. Forgets all earlier reasons. */
  restart(ms: number): void {
    this.at = Number.POSITIVE_INFINITY;
    this.within(ms);
  }

  stop(): void {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }
}
