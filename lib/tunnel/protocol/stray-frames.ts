import { FRAME_HEADER_BYTES, MAX_HEAD_BYTES, WINDOW_BYTES } from './protocol';

/** What the other side may have sent on a stream before it hears that the stream was reset. */
const ALLOWED_PER_STREAM = MAX_HEAD_BYTES + WINDOW_BYTES + 64 * FRAME_HEADER_BYTES;
/** As many streams as may be in flight. */
const MAX_ALLOWED = 100 * ALLOWED_PER_STREAM;
/** The cost of a frame without a payload. Bytes of a body cost one each: a window may be sent in single bytes. */
const FRAME_COST = 32;
/** A window may cross the end of its stream. */
const ALLOWED_PER_END = 16 * FRAME_COST;

/** Frames of streams that are over. Those of a stream that this side reset are expected; others break the protocol. */
export class StrayFrames {
  private allowed = ALLOWED_PER_STREAM;

  /** A stream is over. @param isClean both sides have ended it; else this side has reset it */
  allow(isClean: boolean): void {
    this.allowed = Math.min(MAX_ALLOWED, this.allowed + (isClean ? ALLOWED_PER_END : ALLOWED_PER_STREAM));
  }

  /** Counts a frame of a stream that is over. @returns what is wrong, or null */
  count(payloadBytes: number): string | null {
    this.allowed -= payloadBytes === 0 ? FRAME_COST : payloadBytes;
    return this.allowed < 0 ? 'too many frames belong to streams that are over' : null;
  }
}
