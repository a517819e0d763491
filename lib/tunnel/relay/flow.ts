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

interface PumpEvents {
  /** Called with each chunk before it is written. Returns for how many milliseconds the source is not read. */
  onChunk?: ((chunk: Buffer) => number) | undefined;
  /** Called when the source fails before its end. */
  onBroken(): void;
}

/**
 * Writes a body to a stream, as fast as both sides allow, and ends the stream after it. Unlike `pipeline`, it does not
 * destroy the source when the stream breaks: a request must still get its response.
 */
export function pumpBody(source: Readable, target: Writable, { onChunk, onBroken }: PumpEvents): void {
  const flow = new Flow(source, target);
  const onData = (chunk: Buffer) => {
    const restMs = onChunk?.(chunk) ?? 0;
    if (!target.destroyed) target.write(chunk);
    flow.afterChunk(restMs);
  };
  const onDrain = () => flow.resume();
  const onEnd = () => {
    detach();
    target.end();
  };
  const onClose = () => {
    detach();
    onBroken();
  };
  const detach = () => {
    flow.end();
    source.off('data', onData).off('end', onEnd).off('close', onClose);
    target.off('drain', onDrain).off('close', onTargetClose);
  };
  const onTargetClose = () => {
    detach();
    source.pause();
  };
  if (source.destroyed && !source.readableEnded) {
    onBroken();
    return;
  }
  source.on('data', onData).on('end', onEnd).on('close', onClose);
  target.on('drain', onDrain).on('close', onTargetClose);
}
