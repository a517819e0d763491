/** How fast a client must read a download. */
export interface ThroughputLimits {
  /** The least average over each period. */
  leastBytesPerSecond: number;
  /** Milliseconds spent waiting for the client between two checks. */
  periodMs: number;
}

/**
 * Checks how fast a client reads, period by period. A client that reads a few bytes now and then could hold a database
 * snapshot open indefinitely. Time in which the server produces the next chunk does not count.
 */
export class ClientThroughput {
  private waitedMs = 0;
  private takenBytes = 0;
  private offeredBytes = 0;
  private offeredAt = 0;

  constructor(private readonly limits: ThroughputLimits) {}

  /** Records that a chunk is ready for the client. */
  offer(bytes: number): void {
    this.offeredBytes = bytes;
    this.offeredAt = performance.now();
  }

  /** Records that the client asks for the next chunk. @returns whether it reads fast enough */
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
