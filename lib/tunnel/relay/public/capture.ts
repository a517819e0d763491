import type { CapturedBody } from '@/lib/tunnel/types';

/** Keeps the start of a body for the log, and counts all of it. */
export class Capture {
  /** Bytes of the body so far. */
  size = 0;
  private readonly chunks: Buffer[] = [];
  private kept = 0;

  constructor(private readonly maxBytes: number) {}

  add(chunk: Buffer): void {
    this.size += chunk.length;
    const room = this.maxBytes - this.kept;
    if (room <= 0) return;
    // A copy: a view would keep the entire read of the socket alive.
    const part = Buffer.from(chunk.subarray(0, room));
    this.chunks.push(part);
    this.kept += part.length;
  }

  /**
   * Returns what was kept; null when nothing is to be kept of any body.
   * @param isComplete whether the end of the body was seen
   */
  body(isComplete = true): CapturedBody | null {
    if (this.maxBytes === 0 && isComplete) return null;
    return { bytes: Buffer.concat(this.chunks), truncated: !isComplete || this.size > this.kept };
  }
}
