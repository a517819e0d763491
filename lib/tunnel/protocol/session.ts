import type { WebSocket } from 'ws';
import { decodeFrame, encodeFrame, type Frame } from './frames';
import { decodeRequestHead, decodeResponseHead, encodeHead, type RequestHead, type ResponseHead } from './heads';
import {
  CLOSE,
  CLOSING_MS,
  FRAME,
  FRAME_HEADER_BYTES,
  type FrameType,
  Heartbeat,
  type HeartbeatTimes,
  HIGH_WATER_BYTES,
  MAX_RESPONSE_HEAD_BYTES,
  MAX_UNSENT_BYTES,
  RESET,
  type ResetCode,
  WINDOW_BYTES,
} from './protocol';
import { type StreamCarrier, TunnelStream } from './stream';

/** A head of a response, bytes of a body, another message, or a ping or pong. */
export type FrameKind = 'head' | 'body' | 'message' | 'control';

interface SessionOptions {
  /** For the client: called for each request. The relay opens streams itself. */
  onRequest?(head: RequestHead, stream: TunnelStream): void;
  /** For the relay: called at most once per stream. */
  onResponse?(head: ResponseHead, stream: TunnelStream): void;
  /** Called when bytes of a head or a body start to wait for the socket. */
  onWaiting?(bytes: number): void;
  /** For the relay: called with the size of each frame, also of pings. Returns for how many milliseconds the connection is not read. */
  onFrame?(bytes: number, kind: FrameKind): number;
  /** For the relay: for how long the connection is not read because of others of its owner. */
  owedMs?(): number;
  /** Called once, when the connection has ended and all streams have been reset. */
  onClose?(code: number, reason: string): void;
  heartbeat?: HeartbeatTimes;
}

/** Bytes that a small frame, such as a pong, counts as while it waits for the socket. */
const SMALL_FRAME_BYTES = 256;
const LAST_STREAM_ID = 0xffff_ffff;
/** A close reason has at most 123 bytes (RFC 6455 section 5.5). */
const MAX_REASON_CHARS = 120;

/** Streams over one WebSocket. Checks every frame: one that breaks the protocol ends the connection, and never throws. */
export class TunnelSession implements StreamCarrier {
  private readonly streams = new Map<number, TunnelStream>();
  private readonly waiting = new Set<TunnelStream>();
  private readonly stray = new StrayFrames();
  private readonly heartbeat: Heartbeat;
  private lastStreamId = 0;
  private unsent = 0;
  private isTurnDue = false;
  private isClosing = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly options: SessionOptions,
  ) {
    this.heartbeat = new Heartbeat(socket, options.heartbeat);
    socket.on('message', (data: Buffer, isBinary) => {
      this.heard(data, kindOf(data));
      if (this.isClosing) return;
      const fault = isBinary ? this.receive(data) : 'a message is not binary';
      if (fault !== null) this.close(CLOSE.malformed, fault);
    });
    // Pings are answered here, so that a side that pings without reading cannot fill the memory.
    socket.on('ping', (data: Buffer) => {
      this.heard(data, 'control');
      if (this.isClosing || !this.hasRoom()) return;
      this.unsent += SMALL_FRAME_BYTES;
      socket.pong(data, undefined, () => this.sent(SMALL_FRAME_BYTES));
    });
    socket.on('pong', (data: Buffer) => this.heard(data, 'control'));
    // `ws` has already closed the connection with the code of the error.
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => this.end(code, reason.toString('utf8')));
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** Bytes that wait for the socket. */
  get unsentBytes(): number {
    return this.unsent;
  }

  /** Opens the stream of a request. Write its body, or end it. */
  open(head: RequestHead): TunnelStream {
    do this.lastStreamId = this.lastStreamId === LAST_STREAM_ID ? 1 : this.lastStreamId + 1;
    while (this.streams.has(this.lastStreamId));
    const stream = this.add(this.lastStreamId);
    this.send(FRAME.requestHead, stream.id, encodeHead(head));
    return stream;
  }

  /** Sends the head of the response on a stream that is not destroyed. */
  respond(stream: TunnelStream, head: ResponseHead): void {
    if (!stream.destroyed) this.send(FRAME.responseHead, stream.id, encodeHead(head));
  }

  /** Ends all streams and closes the connection; destroys it when the other side does not respond in time. */
  close(code: number, reason: string): void {
    this.socket.close(code, reason.slice(0, MAX_REASON_CHARS));
    // What still arrives is ignored, and counts.
    this.isClosing = true;
    this.endStreams();
    setTimeout(() => this.socket.terminate(), CLOSING_MS).unref();
  }

  /** Destroys the connection. */
  terminate(): void {
    this.socket.terminate();
  }

  send(type: FrameType, streamId: number, payload?: Buffer): void {
    if (!this.isOpen) return;
    const frame = encodeFrame(type, streamId, payload);
    this.unsent += frame.length;
    if (this.unsent > MAX_UNSENT_BYTES) {
      this.terminate();
      return;
    }
    this.socket.send(frame, () => this.sent(frame.length));
    if (type === FRAME.body || type === FRAME.requestHead) this.options.onWaiting?.(frame.length);
  }

  hasRoom(): boolean {
    return this.unsent < HIGH_WATER_BYTES && this.waiting.size === 0;
  }

  waitForRoom(stream: TunnelStream): void {
    this.waiting.add(stream);
    if (this.unsent >= HIGH_WATER_BYTES || this.isTurnDue) return;
    this.isTurnDue = true;
    setImmediate(() => {
      this.isTurnDue = false;
      this.giveTurns();
    });
  }

  forget(stream: TunnelStream, isClean: boolean): void {
    this.streams.delete(stream.id);
    this.waiting.delete(stream);
    // The other side may have sent frames before it learns of the end.
    this.stray.allow(isClean);
  }

  private sent(bytes: number): void {
    this.unsent -= bytes;
    this.giveTurns();
  }

  private giveTurns(): void {
    for (const stream of this.waiting) {
      if (this.unsent >= HIGH_WATER_BYTES) return;
      this.waiting.delete(stream);
      stream.takeTurn();
    }
  }

  private add(id: number): TunnelStream {
    const stream = new TunnelStream(this, id);
    this.streams.set(id, stream);
    return stream;
  }

  private heard({ length }: Buffer, kind: FrameKind): void {
    this.heartbeat.heard();
    this.pause(this.options.onFrame?.(length, kind) ?? 0);
  }

  /** Stops reading the connection while its owner owes time. */
  rest(): void {
    this.pause(this.options.owedMs?.() ?? 0);
  }

  private pause(ms: number): void {
    if (ms === 0 || this.socket.isPaused) return;
    this.socket.pause();
    this.resumeIn(ms);
  }

  /** Connections that are due together resume one by one: each spends part of the budget before the next one checks it. */
  private resumeIn(ms: number): void {
    const resume = () => {
      const owedMs = this.options.owedMs?.() ?? 0;
      if (owedMs > 0 && this.isOpen) this.resumeIn(owedMs);
      else this.socket.resume();
    };
    setTimeout(resume, ms).unref();
  }

  /** @returns what is wrong with the message, or null */
  private receive(data: Buffer): string | null {
    const frame = decodeFrame(data);
    if (typeof frame === 'string') return frame;
    if (frame.type === FRAME.requestHead) return this.receiveRequest(frame);
    const stream = this.streams.get(frame.streamId);
    if (stream !== undefined) return this.receiveOn(stream, frame);
    if (frame.streamId > this.lastStreamId) return 'a frame belongs to no stream';
    return this.stray.count(frame.payload.length);
  }

  private receiveRequest({ streamId, payload }: Frame): string | null {
    const { onRequest } = this.options;
    if (onRequest === undefined) return 'only the relay opens streams';
    if (this.streams.has(streamId)) return 'a stream is opened twice';
    const head = decodeRequestHead(payload);
    if (head === null) return 'the head of a request is not valid';
    this.lastStreamId = Math.max(this.lastStreamId, streamId);
    onRequest(head, this.add(streamId));
    return null;
  }

  private receiveOn(stream: TunnelStream, { type, payload }: Frame): string | null {
    if (type === FRAME.responseHead) return this.receiveResponse(stream, payload);
    const needsHead = this.options.onResponse !== undefined && !stream.hasHead;
    if (needsHead && (type === FRAME.body || type === FRAME.end)) return 'a body comes before its head';
    if (type === FRAME.body) return stream.receiveBody(payload);
    if (type === FRAME.end) return stream.receiveEnd();
    if (type === FRAME.window) return stream.receiveCreditOf(payload.readUInt32BE());
    const code = payload[0] as number;
    stream.endByPeer(Object.values(RESET).includes(code as ResetCode) ? (code as ResetCode) : RESET.failed);
    return null;
  }

  private receiveResponse(stream: TunnelStream, payload: Buffer): string | null {
    const { onResponse } = this.options;
    if (onResponse === undefined) return 'only the client responds';
    if (stream.hasHead) return 'a stream has two heads';
    const head = decodeResponseHead(payload);
    if (head === null) return 'the head of a response is not valid';
    stream.hasHead = true;
    onResponse(head, stream);
    return null;
  }

  private end(code: number, reason: string): void {
    this.heartbeat.stop();
    this.endStreams();
    this.options.onClose?.(code, reason);
  }

  private endStreams(): void {
    for (const stream of [...this.streams.values()]) stream.endByPeer(null);
  }
}

function kindOf(message: Buffer): FrameKind {
  const type = message[FRAME_HEADER_BYTES - 1];
  if (type === FRAME.responseHead) return 'head';
  return type === FRAME.body ? 'body' : 'message';
}

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
