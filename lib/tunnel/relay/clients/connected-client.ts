import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { AppError } from '@/lib/platform/errors';
import { sliceReads } from '@/lib/platform/net/slice-reads';
import type { OpenAccess } from '@/lib/platform/open-connections';
import { findResponseFault, type ResponseHead } from '@/lib/tunnel/protocol/heads';
import type { HeartbeatTimes } from '@/lib/tunnel/protocol/protocol';
import { RESET, type ResetCode } from '@/lib/tunnel/protocol/protocol';
import { type FrameKind, TunnelSession } from '@/lib/tunnel/protocol/session';
import { StreamResetError, type TunnelStream } from '@/lib/tunnel/protocol/stream';
import { busy, failed, offline } from '@/lib/tunnel/relay/errors';
import { pumpBody } from '@/lib/tunnel/relay/flow';
import { MAX_CLIENT_BACKLOG_BYTES, MAX_IN_FLIGHT, SLICE_BYTES } from '@/lib/tunnel/relay/limits';
import type { RelayedRequest, RelayedResponse } from '@/lib/tunnel/relay/relay-types';

interface ConnectedClientOptions {
  tunnelId: string;
  projectId: string;
  ownerId: string;
  connectionId: string;
  access: OpenAccess;
  /** The socket below the WebSocket, and how many bytes it brought with the request that opened it. */
  socket: Socket;
  headBytes: number;
  /** Called when bytes arrive or start to wait for the socket. */
  onBytes(bytes: number): void;
  /** Called with the size of each frame. Returns for how many milliseconds the connection is not read: see `FrameBudget` and `BytePace`. */
  onFrame(bytes: number, kind: FrameKind): number;
  /** In how many milliseconds the owner may send more frames. */
  owedMs(): number;
  onClose(): void;
  heartbeat?: HeartbeatTimes;
}

/** A request in flight. `resolve` and `reject` settle the promise of its response head. */
interface Pending {
  resolve(head: ResponseHead): void;
  reject(error: unknown): void;
  heldBytes(): number;
}

/** A client that is connected to this process, with the requests that are in flight on its connection. */
export class ConnectedClient {
  readonly session: TunnelSession;
  private readonly inFlight = new Map<TunnelStream, Pending>();
  private readonly unfinished: UnfinishedMessage;
  private isDraining = false;

  constructor(
    webSocket: WebSocket,
    readonly options: ConnectedClientOptions,
  ) {
    const { socket, onBytes } = options;
    this.unfinished = new UnfinishedMessage(socket, options.headBytes);
    this.session = new TunnelSession(webSocket, {
      onResponse: (head, stream) => this.receive(head, stream),
      onWaiting: onBytes,
      owedMs: options.owedMs,
      onFrame: (bytes, kind) => {
        this.unfinished.end(bytes, kind === 'control');
        return options.onFrame(bytes, kind);
      },
      onClose: options.onClose,
      ...(options.heartbeat === undefined ? {} : { heartbeat: options.heartbeat }),
    });
    // After the listener of `ws`.
    socket.on('data', ({ length }: Buffer) => onBytes(length));
    // When a connection breaks off, `ws` would parse all that is still buffered at once.
    socket.prependOnceListener('close', () => {
      socket.removeAllListeners('data');
      socket.read();
    });
    const listeners = socket.listenerCount('data');
    sliceReads(socket, SLICE_BYTES, (bytes) => {
      // Several connections of an owner may be readable in one turn of the event loop: this one waits if others spent the budget.
      this.session.rest();
      this.unfinished.read(bytes);
      // After a close frame or a fault, `ws` removes its listener but keeps the socket flowing.
      return !socket.destroyed && socket.listenerCount('data') >= listeners;
    });
  }

  /** Whether requests can be sent. */
  get isOpen(): boolean {
    return this.session.isOpen && !this.isDraining;
  }

  get requestsInFlight(): number {
    return this.inFlight.size;
  }

  /** Bytes in memory: of exchanges with slow readers, of requests that wait for a slow client, and of its unfinished message. */
  get memoryBytes(): number {
    return this.bufferedBytes + this.connectionBytes;
  }

  private get connectionBytes(): number {
    return this.session.isOpen ? this.session.unsentBytes + this.unfinished.bytes : 0;
  }

  private get bufferedBytes(): number {
    let bytes = 0;
    for (const exchange of this.inFlight) bytes += bytesOf(exchange);
    return bytes;
  }

  /** Sends no further requests. */
  drain(): void {
    this.isDraining = true;
  }

  /** Ends what holds the most memory: the connection of a client that does not read or finish, or the largest exchange. */
  endLargest(): void {
    if (this.connectionBytes > this.bufferedBytes) {
      this.session.terminate();
      return;
    }
    const [largest] = [...this.inFlight].sort((a, b) => bytesOf(b) - bytesOf(a));
    largest?.[0].reset(RESET.failed);
  }

  /** Sends a request to the client. See `Exchange`. */
  async exchange({ head, body, onChunk, heldBytes = () => 0, signal }: RelayedRequest): Promise<RelayedResponse> {
    const { access } = this.options;
    // Nothing is sent to a client whose access may just have ended.
    if (access.isInDoubt) await access.checked();
    signal.throwIfAborted();
    if (!this.isOpen) throw offline();
    if (access.isInDoubt) throw offline('The access of the client of this tunnel could not be checked.');
    if (this.inFlight.size >= MAX_IN_FLIGHT) throw busy(`${MAX_IN_FLIGHT} requests are in flight in this tunnel.`);
    if (this.session.unsentBytes > MAX_CLIENT_BACKLOG_BYTES) throw busy('The client of this tunnel reads too slowly.');
    const stream = this.session.open(head);
    const abort = () => stream.reset(resetCodeOf(signal.reason));
    signal.addEventListener('abort', abort);
    stream.once('close', () => signal.removeEventListener('abort', abort));
    const answered = new Promise<ResponseHead>((resolve, reject) => {
      this.inFlight.set(stream, { resolve, reject, heldBytes });
      stream.once('close', () => {
        this.inFlight.delete(stream);
        reject(signal.aborted ? signal.reason : errorOf(stream));
      });
    });
    if (body === null) stream.end();
    else {
      const count = (chunk: Buffer) => {
        this.options.onBytes(chunk.length);
        return onChunk?.(chunk) ?? 0;
      };
      pumpBody(body, stream, { onChunk: count, onBroken: () => stream.reset(RESET.canceled) });
    }
    return { head: await answered, body: stream };
  }

  private receive(head: ResponseHead, stream: TunnelStream): void {
    const fault = findResponseFault(head);
    const pending = this.inFlight.get(stream);
    if (fault === null) {
      pending?.resolve(head);
      return;
    }
    pending?.reject(failed(`The response cannot be passed on: ${fault}.`));
    stream.reset(RESET.invalid);
  }
}

function bytesOf([stream, { heldBytes }]: [TunnelStream, Pending]): number {
  return stream.destroyed ? 0 : stream.bufferedBytes + heldBytes();
}

function errorOf(stream: TunnelStream): AppError {
  const { errored } = stream;
  const isGone = errored instanceof StreamResetError && errored.code === null;
  return isGone
    ? offline('The client of this tunnel disconnected before it responded.')
    : failed('The client of this tunnel canceled the request before it responded.');
}

function resetCodeOf(reason: unknown): ResetCode {
  const code = (reason as Partial<AppError> | undefined)?.code;
  if (code === 'payload_too_large') return RESET.tooLarge;
  return code === 'tunnel_timeout' ? RESET.timeout : RESET.canceled;
}

/** The header of a client's frame with a payload of so many bytes (RFC 6455 section 5.2). */
const headerBytes = (payloadBytes: number) => 6 + (payloadBytes < 126 ? 0 : payloadBytes < 65_536 ? 2 : 8);

/** What was read from the socket of a client and is not a complete message yet. `ws` holds it, without a figure for it. */
class UnfinishedMessage {
  private finished = 0;

  /** @param received bytes that were read before the first slice */
  constructor(
    private readonly socket: Socket,
    private received: number,
  ) {}

  get bytes(): number {
    return this.socket.destroyed ? 0 : this.received - this.finished;
  }

  /** Counts a slice before `ws` gets it. */
  read(bytes: number): void {
    this.received += bytes;
  }

  /** Counts a message that is complete, or a ping or pong, which may come within one. */
  end(payloadBytes: number, isControl: boolean): void {
    this.finished = Math.min(this.received, this.finished + payloadBytes + headerBytes(payloadBytes));
    if (isControl) return;
    // The fragments of a message have more headers than that. After it, `ws` holds the rest of one slice at most.
    this.finished = Math.max(this.finished, this.received - this.socket.readableLength - SLICE_BYTES);
  }
}
