import { Duplex } from 'node:stream';
import { encodeCredit } from './frames';
import {
  FRAME,
  type FrameType,
  MAX_CHUNK_BYTES,
  MAX_WINDOW_BYTES,
  RESET,
  type ResetCode,
  WINDOW_BYTES,
} from './protocol';

/** What a stream needs from its connection. */
export interface StreamCarrier {
  send(type: FrameType, streamId: number, payload?: Buffer): void;
  /** Whether a stream may send a chunk of body now. */
  hasRoom(): boolean;
  /** Calls the stream's `takeTurn` once when there is room; streams take turns. */
  waitForRoom(stream: TunnelStream): void;
  /** Removes a stream that has ended in both directions. @param isClean whether both sides ended their bodies */
  forget(stream: TunnelStream, isClean: boolean): void;
}

/** The other side reset the stream, or its connection ended. */
export class StreamResetError extends Error {
  override readonly name = 'StreamResetError';

  /** @param code null when the connection ended */
  constructor(readonly code: ResetCode | null) {
    super(code === null ? 'the connection of the tunnel ended' : `the stream was reset with code ${code}`);
  }
}

/** A chunk below this size is small. After a few, those that are written in one turn of the event loop share a frame. */
const SMALL_BYTES = 1024;
const FEW_SMALL = 8;
/** The share of the window that is consumed before more is granted. */
const GRANT_BYTES = WINDOW_BYTES / 4;

/**
 * One request and its response on a connection. Its readable side is the body that the other side sends, its writable side
 * the body that this side sends. Each holds at most a window of bytes: a slow reader stops the sender of this stream only.
 */
export class TunnelStream extends Duplex {
  /** Whether the other side has sent the head of the response. */
  hasHead = false;
  private sendCredit = WINDOW_BYTES;
  private receiveCredit = WINDOW_BYTES;
  private consumed = 0;
  private readonly incoming = new ChunkQueue();
  private isReading = false;
  private hasReceivedEnd = false;
  private hasSentEnd = false;
  private hasDeliveredEnd = false;
  private isForgotten = false;
  private resetCode: ResetCode = RESET.canceled;
  private smallChunks = 0;
  private outgoing: { chunk: Buffer; callback: () => void } | null = null;

  constructor(
    private readonly carrier: StreamCarrier,
    readonly id: number,
  ) {
    super({ allowHalfOpen: true, readableHighWaterMark: 16 * 1024, writableHighWaterMark: 64 * 1024 });
    // Users of the stream learn of its end from `close`.
    this.on('error', () => undefined);
  }

  /** Bytes that were received but not read yet, or written but not sent. */
  get bufferedBytes(): number {
    // A destroyed stream keeps its lengths, so a loop that ends streams to free memory would never stop.
    return this.destroyed ? 0 : this.incoming.bytes + this.readableLength + this.writableLength;
  }

  /** Ends the stream in both directions, and tells the other side why. */
  reset(code: ResetCode): void {
    this.resetCode = code;
    this.destroy(new StreamResetError(code));
  }

  /** The other side reset the stream, or the connection ended (null). */
  endByPeer(code: ResetCode | null): void {
    this.forget(true);
    this.destroy(new StreamResetError(code));
  }

  /** Receives a body frame. @returns what is wrong with it, or null */
  receiveBody(chunk: Buffer): string | null {
    if (this.hasReceivedEnd) return 'a body frame follows the end of its stream';
    this.receiveCredit -= chunk.length;
    if (this.receiveCredit < 0) return 'the body exceeds the window of its stream';
    if (this.destroyed) return null;
    this.incoming.add(chunk);
    this.deliver();
    return null;
  }

  /** @returns what is wrong, or null */
  receiveEnd(): string | null {
    if (this.hasReceivedEnd) return 'a stream ends twice';
    this.hasReceivedEnd = true;
    this.deliver();
    this.forgetWhenOver();
    return null;
  }

  /** Receives a grant of more bytes to send. @returns what is wrong, or null */
  receiveCreditOf(bytes: number): string | null {
    if (bytes === 0) return 'a window grants nothing';
    this.sendCredit += bytes;
    if (this.sendCredit > MAX_WINDOW_BYTES) return 'the window of a stream is too large';
    this.continueSending();
    return null;
  }

  /** Sends at most one chunk, and asks for the next turn when there is more. */
  continueSending(): void {
    const { outgoing } = this;
    if (outgoing === null || this.sendCredit === 0 || this.destroyed) return;
    if (this.carrier.hasRoom()) this.sendChunk(outgoing);
    else this.carrier.waitForRoom(this);
  }

  /** Sends one chunk when the turn of this stream comes. */
  takeTurn(): void {
    if (this.outgoing !== null && this.sendCredit > 0 && !this.destroyed) this.sendChunk(this.outgoing);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.outgoing = { chunk, callback };
    this.continueSending();
  }

  override _writev(chunks: { chunk: Buffer }[], callback: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'binary', callback);
  }

  override _final(callback: () => void): void {
    this.hasSentEnd = true;
    this.carrier.send(FRAME.end, this.id);
    callback();
    this.forgetWhenOver();
  }

  override _read(): void {
    this.isReading = true;
    this.deliver();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (!this.isForgotten) {
      this.carrier.send(FRAME.reset, this.id, Buffer.from([this.resetCode]));
      this.forget(false);
    }
    this.incoming.clear();
    this.outgoing = null;
    callback(error);
  }

  private sendChunk(outgoing: { chunk: Buffer; callback: () => void }): void {
    const bytes = Math.min(outgoing.chunk.length, MAX_CHUNK_BYTES, this.sendCredit);
    this.carrier.send(FRAME.body, this.id, outgoing.chunk.subarray(0, bytes));
    this.sendCredit -= bytes;
    outgoing.chunk = outgoing.chunk.subarray(bytes);
    if (outgoing.chunk.length > 0) {
      this.continueSending();
    } else {
      this.outgoing = null;
      if (bytes < SMALL_BYTES) this.smallChunks += 1;
      // A local server that writes single bytes would use up the frames of its owner.
      if (bytes < SMALL_BYTES && this.smallChunks > FEW_SMALL) setImmediate(outgoing.callback);
      else outgoing.callback();
    }
  }

  private deliver(): void {
    while (this.isReading) {
      const chunk = this.incoming.take();
      if (chunk === undefined) break;
      this.consumed += chunk.length;
      this.isReading = this.push(chunk);
    }
    if (this.hasReceivedEnd) {
      if (this.incoming.bytes > 0 || !this.isReading || this.hasDeliveredEnd || this.destroyed) return;
      this.hasDeliveredEnd = true;
      this.push(null);
    } else if (this.consumed >= GRANT_BYTES && !this.destroyed) {
      this.carrier.send(FRAME.window, this.id, encodeCredit(this.consumed));
      this.receiveCredit += this.consumed;
      this.consumed = 0;
    }
  }

  private forgetWhenOver(): void {
    if (this.hasReceivedEnd && this.hasSentEnd) this.forget(true);
  }

  private forget(isClean: boolean): void {
    if (this.isForgotten) return;
    this.isForgotten = true;
    this.carrier.forget(this, isClean);
  }
}

/** Chunks below this size are copied together: a view of one byte would keep an entire read of the socket alive. */
const COPIED_BYTES = 4 * 1024;
const BLOCK_BYTES = 16 * 1024;

/** Chunks that wait for their reader. It uses about as much memory as it holds bytes, however small the chunks are. */
export class ChunkQueue {
  private chunks: Buffer[] = [];
  /** The block that small chunks are copied into; its filled part is not in `chunks` yet. */
  private block: Buffer | null = null;
  private filled = 0;
  private total = 0;

  get bytes(): number {
    return this.total;
  }

  add(chunk: Buffer): void {
    this.total += chunk.length;
    if (chunk.length >= COPIED_BYTES) {
      this.closeBlock();
      this.chunks.push(chunk);
      return;
    }
    if (this.block !== null && this.filled + chunk.length > this.block.length) this.closeBlock();
    this.block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.filled += chunk.copy(this.block, this.filled);
  }

  /** Returns the oldest bytes; undefined when there are none. */
  take(): Buffer | undefined {
    if (this.chunks.length === 0) this.closeBlock();
    const chunk = this.chunks.shift();
    this.total -= chunk?.length ?? 0;
    return chunk;
  }

  clear(): void {
    this.chunks = [];
    this.block = null;
    this.filled = 0;
    this.total = 0;
  }

  private closeBlock(): void {
    if (this.block === null) return;
    this.chunks.push(
      this.filled < COPIED_BYTES
        ? Buffer.from(this.block.subarray(0, this.filled))
        : this.block.subarray(0, this.filled),
    );
    this.block = null;
    this.filled = 0;
  }
}
