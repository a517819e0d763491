/** Rows gather until this long after the previous flush began. A row that arrives later is stored without a wait. */
const WINDOW_MS = 12;
/** Rows that arrive this close together share a batch even without a wait. */
const TOGETHER_MS = 1.5;
const MAX_SKIPS = 64;

/**
 * Decides how long rows gather before a flush, so that steady light traffic shares commits.
 *
 * A sender that waits for each response before its next event only loses by a wait. So each wait that no second row joins
 * doubles the number of flushes without a wait, up to 64. A wait that a row joins resets that number.
 */
export class GatherWindow {
  private lastFlushAt = Number.NEGATIVE_INFINITY;
  private skips = 0;
  private nextSkips = 1;

  /** Milliseconds to wait before the next flush; 0 to flush at once. All times are from performance.now(). */
  waitMs(now: number): number {
    const left = this.lastFlushAt + WINDOW_MS - now;
    if (left < 1) return 0;
    if (this.skips === 0) return left;
    this.skips--;
    return 0;
  }

  noteFlush(now: number): void {
    this.lastFlushAt = now;
  }

  /** Notes when the first and the last row of a batch arrived, after a wait. */
  noteWait(firstAt: number, lastAt: number): void {
    if (lastAt - firstAt > TOGETHER_MS) {
      this.nextSkips = 1;
      return;
    }
    this.skips = this.nextSkips;
    this.nextSkips = Math.min(this.nextSkips * 2, MAX_SKIPS);
  }
}
