/** How fast the client of a download has to take it. */
export interface PaceLimits {
  /** Bytes a second, over each period below. */
  leastBytesPerSecond: number;
  /** Milliseconds of waiting for the client over which its pace is judged. */
  periodMs: number;
}

/**
 * Judges the pace of a client, period by period: one that takes a little now and then would hold a snapshot of the database
 * for as long as it likes. Time in which the server makes the next piece does not count.
 */
export class ClientPace {
  private waitedMs = 0;
  private takenBytes = 0;
  private offeredBytes = 0;
  private offeredAt = 0;

  constructor(private readonly limits: PaceLimits) {}

  /** A piece is there for the client to take. */
  offer(bytes: number): void {
    this.offeredBytes = bytes;
    this.offeredAt = performance.now();
  }

  /** The client asks for the next piece. @returns whether it is fast enough */
  take(): boolean {
    if (this.offeredBytes === 0) return true;
    this.waitedMs += performance.now() - this.offeredAt;
    this.takenBytes += this.offeredBytes;
    this.offeredBytes = 0;
    if (this.waitedMs < this.limits.periodMs) return true;
    const isFastEnough = this.takenBytes >= (this.limits.leastBytesPerSecond * this.waitedMs) / 1_000;
    this.waitedMs = 0;
    this.takenBytes = 0;
    return isFastEnough;
  }
}
