import type { Readable, Writable } from 'node:stream';

/** Lets a source flow into a target, except while the target is full or the source rests. */
export class Flow {
  private isResting = false;
  private isOver = false;

  constructor(
    private readonly source: Readable,
    private readonly target: Writable,
  ) {}

  /** Call this after each chunk. @param restMs for how long the source is not read */
  afterChunk(restMs: number): void {
    if (this.target.writableNeedDrain || restMs > 0) this.source.pause();
    if (restMs === 0 || this.isResting) return;
    this.isResting = true;
    const wake = () => {
      this.isResting = false;
      this.resume();
    };
    setTimeout(wake, restMs).unref();
  }

  /** Call this when the target has room. */
  resume(): void {
    if (!this.isOver && !this.isResting && !this.target.writableNeedDrain) this.source.resume();
  }

  /** Never resumes the source after this. */
  end(): void {
    this.isOver = true;
  }
}
