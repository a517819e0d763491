import type { WebSocket } from 'ws';

/** The WebSocket subprotocol. An incompatible change needs a new name. */
export const SUBPROTOCOL = 'eds-tunnel.v1';

/** The header with the client's own secret, which lets only this client replace its connection without `takeover`. */
export const CLIENT_HEADER = 'tunnel-client';

/** What a frame carries. A frame is the id of its stream (uint32), its type (uint8), and a payload. */
export const FRAME = {
  /** JSON of a `RequestHead`. Opens a stream. */
  requestHead: 1,
  /** JSON of a `ResponseHead`. */
  responseHead: 2,
  body: 3,
  /** The sender's body is complete. No payload. */
  end: 4,
  /** Ends a stream in both directions. One byte: a `RESET`. */
  reset: 5,
  /** The receiver has room for that many more bytes (uint32). */
  window: 6,
} as const;
export type FrameType = (typeof FRAME)[keyof typeof FRAME];

/** Why a stream was reset. */
export const RESET = {
  /** The requester disconnected, or needs no more of the response. */
  canceled: 1,
  /** The request body is over the limit. */
  tooLarge: 2,
  /** The head or the body of the response is not valid. */
  invalid: 3,
  /** The response came too late, or paused for too long. */
  timeout: 4,
  /** The local server broke the connection. */
  failed: 5,
} as const;
export type ResetCode = (typeof RESET)[keyof typeof RESET];

/** How long the other side may take for the closing handshake. */
export const CLOSING_MS = 2_000;

/** Close codes of the WebSocket (RFC 6455 section 7.4). */
export const CLOSE = {
  normal: 1000,
  /** The web process is stopping. The client reconnects at once. */
  restart: 1012,
  /** The web process has no room, or cannot check the client's access. The client reconnects with backoff. */
  later: 1013,
  /** The other side broke the protocol; the reason says how. The client reconnects with backoff. */
  malformed: 4400,
  /** The client has lost its access. Final. */
  forbidden: 4403,
  /** The tunnel was deleted, or its connection is no longer known. The client reconnects to find out. */
  unknown: 4404,
  /** Another client took the tunnel over. Final. */
  replaced: 4409,
} as const;

export const FRAME_HEADER_BYTES = 5;
/** Visitors send heads of at most 32 KiB; JSON escapes make them longer. */
export const MAX_REQUEST_HEAD_BYTES = 128 * 1024;
/** The relay serves all tunnels with one thread, so it parses less than a client does. */
export const MAX_RESPONSE_HEAD_BYTES = 32 * 1024;
export const MAX_FRAME_BYTES = MAX_REQUEST_HEAD_BYTES + FRAME_HEADER_BYTES;
/** Bytes of a body in one frame. Small, so that streams can take turns. */
export const MAX_CHUNK_BYTES = 32 * 1024;
/** Bytes that a side may send on a stream before the other grants more. */
export const WINDOW_BYTES = 256 * 1024;
/** The largest window, in bytes. */
export const MAX_WINDOW_BYTES = 16 * 1024 * 1024;
/** The most headers in a message. */
export const MAX_REQUEST_HEADERS = 2_000;
export const MAX_RESPONSE_HEADERS = 200;

/** Each side pings every `pingMs`, and considers the other one dead after `deadMs` of silence. */
export const HEARTBEAT = { pingMs: 15_000, deadMs: 30_000 } as const;

/**
 * Bytes waiting for the socket beyond which bodies wait too, and beyond which the connection ends, because it is not read.
 */
export const HIGH_WATER_BYTES = 1024 * 1024;
export const MAX_UNSENT_BYTES = 8 * 1024 * 1024;

export interface HeartbeatTimes {
  pingMs: number;
  deadMs: number;
}

/** Pings the other side, and destroys the connection when nothing arrives. */
export class Heartbeat {
  private readonly timer: NodeJS.Timeout;
  private heardAt = performance.now();

  constructor(socket: WebSocket, { pingMs, deadMs }: HeartbeatTimes = HEARTBEAT) {
    this.timer = setInterval(() => {
      if (performance.now() - this.heardAt >= deadMs) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.ping();
    }, pingMs);
    this.timer.unref();
  }

  /** Call this when anything arrives from the other side. */
  heard(): void {
    this.heardAt = performance.now();
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
