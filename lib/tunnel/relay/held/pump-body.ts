import type { Readable, Writable } from 'node:stream';
import { Flow } from '@/lib/tunnel/relay/flow';

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
