/** How long after the start of a flush the next rows gather. An event that comes later than that waits for nothing. */
const WINDOW_MS = 12;
/** Rows that arrive within this time of the first would have shared its batch, or nearly so, without any wait. */
const TOGETHER_MS = 1.5;
const MAX_SKIPS = 64;

/**
 * Decides how long waiting rows gather, so that steady light traffic shares commits.
 *
 * A sender that waits for each answer before its next event gains nothing from a wait, only loses by it. So a wait that
 * nobody joined makes the next ones rarer, down to one flush in 64; one that somebody joined brings them back.
 */
export class GatherWindow {
  private lastFlushAt = Number.NEGATIVE_INFINITY;
  private skips = 0;
  private nextSkips = 1;

  /** Milliseconds to wait before the next flush; below 1 for none. All times are performance.now(). */
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

  /** Notes the arrival of the first and the last row of a batch that was waited for. */
  noteWait(firstAt: number, lastAt: number): void {
    if (lastAt - firstAt > TOGETHER_MS) {
      this.nextSkips = 1;
      return;
    }
    this.skips = this.nextSkips;
    this.nextSkips = Math.min(this.nextSkips * 2, MAX_SKIPS);
  }
}
