import { FRAME_HEADER_BYTES, MAX_RESPONSE_HEAD_BYTES, WINDOW_BYTES } from './protocol';

/** What the other side may have sent on a stream before it learns of the reset, as a cost. */
const ALLOWED_PER_STREAM = MAX_RESPONSE_HEAD_BYTES + WINDOW_BYTES + 64 * FRAME_HEADER_BYTES;
/** As many streams as may be in flight. */
const MAX_ALLOWED = 100 * ALLOWED_PER_STREAM;
/** The cost of a frame without a payload. Bytes of a body cost one each: a window may be sent in single bytes. */
const FRAME_COST = 32;
/** Window frames may cross the end of their stream. */
const ALLOWED_PER_END = 16 * FRAME_COST;

/** Frames of ended streams. Those of a stream that this side reset are expected; any others break the protocol. */
export class StrayFrames {
  private allowed = ALLOWED_PER_STREAM;

  /** Call this when a stream ends. @param isClean both sides ended it; otherwise this side reset it */
  allow(isClean: boolean): void {
    this.allowed = Math.min(MAX_ALLOWED, this.allowed + (isClean ? ALLOWED_PER_END : ALLOWED_PER_STREAM));
  }

  /** Counts a frame of an ended stream. @returns what is wrong, or null */
  count(payloadBytes: number): string | null {
    this.allowed -= payloadBytes === 0 ? FRAME_COST : payloadBytes;
    return this.allowed < 0 ? 'too many frames belong to ended streams' : null;
  }
}
