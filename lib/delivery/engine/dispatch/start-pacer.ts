/** Starts within each interval, at most. */
const [STARTS, INTERVAL_MS] = [3, 5];

/**
 * Paces attempts to targets that are not known to answer well. Most of them open a connection and many fail, which takes
 * several times the processor time of an answer on an open one; hundreds at once would delay everybody's.
 */
export class StartPacer {
  private intervalStart = Number.NEGATIVE_INFINITY;
  private started = 0;
  private timer: NodeJS.Timeout | null = null;

  /** @param onReady called when more may be started, after it was refused */
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
