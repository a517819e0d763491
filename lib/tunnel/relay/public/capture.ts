import type { CapturedBody } from '@/lib/tunnel/types';

const FIRST_BYTES = 1_024;

/** Keeps the start of a body for the log, and counts all of it. */
export class Capture {
  /** Bytes of the body so far. */
  size = 0;
  /** One buffer that grows: a body may come in single bytes, each of which would cost a hundred as a buffer of its own. */
  private kept: Buffer = Buffer.alloc(0);
  private length = 0;

  constructor(private readonly maxBytes: number) {}

  /** Bytes of memory. */
  get heldBytes(): number {
    return this.kept.length;
  }

  add(chunk: Buffer): void {
    this.size += chunk.length;
    const part = chunk.subarray(0, this.maxBytes - this.length);
    if (part.length === 0) return;
    this.makeRoom(this.length + part.length);
    this.length += part.copy(this.kept, this.length);
  }

  /**
   * Returns what was kept; null when nothing is to be kept of any body.
   * @param isComplete whether the end of the body was seen
   */
  body(isComplete = true): CapturedBody | null {
    if (this.maxBytes === 0 && isComplete) return null;
    return { bytes: this.kept.subarray(0, this.length), truncated: !isComplete || this.size > this.length };
  }

  private makeRoom(bytes: number): void {
    if (bytes <= this.kept.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.min(this.maxBytes, Math.max(bytes, 2 * this.kept.length, FIRST_BYTES)));
    this.kept.copy(grown, 0, 0, this.length);
    this.kept = grown;
  }
}
