import {
  FRAME,
  FRAME_HEADER_BYTES,
  type FrameType,
  MAX_CHUNK_BYTES,
  MAX_REQUEST_HEAD_BYTES,
  MAX_RESPONSE_HEAD_BYTES,
} from './protocol';

/** A decoded frame. The payload is a view of the message. */
export interface Frame {
  streamId: number;
  type: FrameType;
  payload: Buffer;
}

const RESET_BYTES = 1;
const WINDOW_FIELD_BYTES = 4;
const TYPES = new Set<number>(Object.values(FRAME));

/** Encodes a frame. @param payload at most as long as the type allows */
export function encodeFrame(type: FrameType, streamId: number, payload?: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + (payload?.length ?? 0));
  frame.writeUInt32BE(streamId, 0);
  frame[4] = type;
  payload?.copy(frame, FRAME_HEADER_BYTES);
  return frame;
}

/** Encodes the payload of a window. @param bytes 1 to 2^32 - 1 */
export function encodeCredit(bytes: number): Buffer {
  const payload = Buffer.allocUnsafe(WINDOW_FIELD_BYTES);
  payload.writeUInt32BE(bytes);
  return payload;
}

/** Decodes a message, which may be anything. @returns what is wrong with it as a text, for the other side */
export function decodeFrame(message: Buffer): Frame | string {
  if (message.length < FRAME_HEADER_BYTES) return 'a frame has at least five bytes';
  const streamId = message.readUInt32BE(0);
  const type = message[4] as number;
  if (streamId === 0) return 'no stream has the id 0';
  if (!TYPES.has(type)) return `there is no frame of type ${type}`;
  const payload = message.subarray(FRAME_HEADER_BYTES);
  const fault = findSizeFault(type as FrameType, payload.length);
  return fault ?? { streamId, type: type as FrameType, payload };
}

function findSizeFault(type: FrameType, bytes: number): string | null {
  switch (type) {
    case FRAME.requestHead:
      return bytes > 0 && bytes <= MAX_REQUEST_HEAD_BYTES ? null : 'the size of a head is not valid';
    case FRAME.responseHead:
      return bytes > 0 && bytes <= MAX_RESPONSE_HEAD_BYTES ? null : 'the size of a head is not valid';
    case FRAME.body:
      // An empty frame would use no window, so their number would be unlimited.
      return bytes > 0 && bytes <= 2 * MAX_CHUNK_BYTES ? null : 'the size of a body frame is not valid';
    case FRAME.end:
      return bytes === 0 ? null : 'an end has no payload';
    case FRAME.reset:
      return bytes === RESET_BYTES ? null : 'a reset has a payload of one byte';
    case FRAME.window:
      return bytes === WINDOW_FIELD_BYTES ? null : 'a window has a payload of four bytes';
  }
}
