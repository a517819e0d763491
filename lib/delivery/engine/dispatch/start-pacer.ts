/** Starts in each interval at most. */
const [STARTS, INTERVAL_MS] = [3, 5];

/**
 * Limits the rate of attempts to targets that are not known to answer well. Most of these attempts open a connection and many fail,
 * which takes several times the processor time of a response on an open connection. Hundreds at once would delay all others.
 */
export class StartPacer {
  private intervalStart = Number.NEGATIVE_INFINITY;
  private started = 0;
  private timer: NodeJS.Timeout | null = null;

  /** @param onReady called when an attempt may start, after `mayStart` was false */
  constructor(private readonly onReady: () => void) {}

  get mayStart(): boolean {
    const elapsedMs = performance.now() - this.intervalStart;
    if (this.started < STARTS || elapsedMs >= INTERVAL_MS) return true;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.onReady();
    }, INTERVAL_MS - elapsedMs);
    return false;
  }

  noteStart(): void {
    const now = performance.now();
    if (now - this.intervalStart >= INTERVAL_MS) {
      this.intervalStart = now;
      this.started = 0;
    }
    this.started += 1;
  }
}
