import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { clientSite } from '@/lib/platform/net/client-network';
import { sliceReads } from '@/lib/platform/net/slice-reads';
import { RoundRobin } from '@/lib/platform/round-robin';
import type { UnreadBytes } from './unread-bytes';

/** Requests of one connection that may wait for their responses. Browsers and HTTP libraries send one at a time. */
const MAX_UNANSWERED = 32;
/** Requests of all connections that wait. A request takes some KiB; beyond this, none is taken behind another one of its connection. */
const MAX_UNANSWERED_IN_ALL = 10_000;
/** What the parser gets at once from a connection that is read in slices. */
const SLICE_BYTES = 2 * 1024;
/** Connections that are read in slices whose reads reach the parser in a pass of the event loop. Each takes up to half a millisecond. */
const READS_PER_PASS = 32;
/** How long after the last attack connections are still read in slices. */
const ALERT_MS = 10 * MINUTE_MS;
/** How often connections are checked for bytes that their clients do not read. */
const SWEEP_MS = SECOND_MS / 4;
/** How long a connection of a closing server may take to send the rest of a request. */
const LONGEST_SILENCE_MS = SECOND_MS;

interface Connection {
  /** Those that have not ended, oldest first. Not a Set: what is deleted from one may live until the next full collection of garbage. */
  responses: ServerResponse[];
  /** Starts the requests that wait for the first one, in order; null while none has ever waited. */
  starts: Map<ServerResponse, () => void> | null;
  /** A response closes the connection. What still arrives is dropped. */
  isClosing: boolean;
  /** Reads it as usual again; null when it is read as usual. */
  unslice: (() => void) | null;
}

/**
 * The connections of a server. The parser handles what it gets at once, 64 KiB, to its end. That may be 10,000 chunks of a byte or 2,000
 * requests: 10 to 50 ms in which everybody waits, even if the first of them closes the connection. So after the first attack, the
 * parser gets slices, of few connections in a pass of the event loop. They take 8 µs a request, which nobody pays while there is no
 * attack (docs/decisions/055-bodies-in-pieces.md).
 *
 * What clients do not read is bounded by `UnreadBytes`.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private readonly known = new WeakSet<Socket>();
  private alertUntil = 0;
  /** What has been read and waits for its turn, by network. */
  private readonly reads = new RoundRobin<() => void>();
  private readsLeft = READS_PER_PASS;
  private isPassDue = false;
  private unanswered = 0;
  private sweeping: NodeJS.Timeout | undefined;
  private closingSinceMs: number | undefined;

  /** @param isClosing whether the server takes no more connections */
  constructor(
    private readonly unread: UnreadBytes,
    private readonly isClosing: () => boolean = () => false,
    private readonly sweepMs = SWEEP_MS,
    private readonly maxUnanswered = MAX_UNANSWERED_IN_ALL,
  ) {}

  /** Call this for each connection, also for one that comes back from an upgrade. */
  add(socket: Socket): void {
    if (!this.known.has(socket)) socket.once('close', () => this.forget(socket));
    this.known.add(socket);
    const connection = { responses: [] as ServerResponse[], starts: null, isClosing: false, unslice: null };
    this.open.set(socket, connection);
    this.sweeping ??= setInterval(() => this.sweep(), this.sweepMs).unref();
    if (performance.now() < this.alertUntil) this.slice(socket, connection);
  }

  /**
   * Call this when a connection offers another protocol, before somebody reads it.
   * @returns false when requests before this one still wait for their responses: the connection must end
   */
  release(socket: Socket): boolean {
    const connection = this.open.get(socket);
    connection?.unslice?.();
    this.forget(socket);
    return connection === undefined || connection.responses.length === 0;
  }

  /**
   * Counts a request, until `leave`.
   * @returns 'wait' while others of its connection are served, 'refuse' when too many of them wait, and 'drop' for those after it
   */
  enter(socket: Socket, response: ServerResponse): 'serve' | 'wait' | 'refuse' | 'drop' {
    const connection = this.open.get(socket);
    if (connection === undefined) return 'serve';
    if (connection.isClosing) return 'drop';
    const size = connection.responses.push(response);
    this.unanswered += 1;
    if (size === 1) return 'serve';
    if (size <= MAX_UNANSWERED && this.unanswered <= this.maxUnanswered) return 'wait';
    this.refuse(socket);
    return 'refuse';
  }

  /** Whether a response on the connection has begun and has not ended: what is written now would be part of it. */
  isAnswering(socket: Duplex): boolean {
    const { responses } = this.open.get(socket as Socket) ?? { responses: [] };
    return responses.some(({ headersSent, writableEnded }) => headersSent && !writableEnded);
  }

  /** Starts a request when those before it on its connection have ended, unless the response of one has closed the connection. */
  onNext(socket: Socket, response: ServerResponse, start: () => void): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    connection.starts ??= new Map();
    connection.starts.set(response, start);
  }

  /** Call this when the response of a request that `enter` counted has ended. */
  leave(socket: Socket, response: ServerResponse): void {
    const connection = this.open.get(socket);
    const index = connection?.responses.indexOf(response) ?? -1;
    if (connection === undefined || index < 0) return;
    const { responses, starts } = connection;
    responses.splice(index, 1);
    this.unanswered -= 1;
    if (starts === null) return;
    starts.delete(response);
    const [next] = responses;
    const start = next === undefined ? undefined : starts.get(next);
    if (next === undefined || start === undefined || !socket.writable) return;
    starts.delete(next);
    start();
  }

  /**
   * Drops what a connection still sends, and reads all connections in slices for a while. Call this when a client makes the parser do
   * much work with few bytes, and close the connection with the response.
   */
  refuse(socket: Socket): void {
    const connection = this.open.get(socket);
    if (connection !== undefined) connection.isClosing = true;
    socket.pause();
    const isNew = performance.now() >= this.alertUntil;
    this.alertUntil = performance.now() + ALERT_MS;
    if (!isNew) return;
    log().warn('a client makes the parser work much for few bytes; reading connections in slices');
    for (const entry of this.open) this.slice(...entry);
  }

  private forget(socket: Socket): void {
    this.unanswered -= this.open.get(socket)?.responses.length ?? 0;
    this.open.delete(socket);
  }

  private sweep(): void {
    if (this.open.size === 0) {
      clearInterval(this.sweeping);
      this.sweeping = undefined;
    }
    this.unread.sweep(this.open);
    if (this.isClosing()) this.endSilent();
  }

  /** Node waits for the first request of each connection, which a client need not send. */
  private endSilent(): void {
    this.closingSinceMs ??= performance.now();
    if (performance.now() - this.closingSinceMs < LONGEST_SILENCE_MS) return;
    for (const [socket, { responses }] of this.open) if (responses.length === 0) socket.destroy();
  }

  private slice(socket: Socket, connection: Connection): void {
    if (connection.unslice !== null) return;
    // A listener to its data would remove those by which Node reads a paused connection again.
    if (socket.isPaused()) {
      socket.once('resume', () => this.open.get(socket) === connection && this.slice(socket, connection));
      return;
    }
    // The parser reads a connection itself, past its stream, until somebody listens to its data.
    const ignore = () => undefined;
    socket.on('data', ignore).off('data', ignore);
    connection.unslice = sliceReads(socket, SLICE_BYTES, () => !socket.destroyed && !connection.isClosing);
    this.readInTurn(socket);
  }

  /** The event loop reads up to a thousand sockets at once. Their networks take turns, so that those of an attack wait for the others. */
  private readInTurn(socket: Socket): void {
    const { push } = socket;
    const network = clientSite(socket.remoteAddress ?? '');
    socket.push = (data: Buffer | null) => {
      if (data === null) return push(data);
      this.scheduleNextPass();
      if (this.reads.length === 0 && this.readsLeft > 0) {
        this.readsLeft -= 1;
        return push(data);
      }
      this.reads.push(network, () => push(data));
      // The socket is not read on until its data was pushed.
      return false;
    };
  }

  private scheduleNextPass(): void {
    if (this.isPassDue) return;
    this.isPassDue = true;
    setImmediate(() => this.pass());
  }

  private pass(): void {
    this.isPassDue = false;
    for (this.readsLeft = READS_PER_PASS; this.readsLeft > 0; this.readsLeft -= 1) {
      const read = this.reads.shift();
      if (read === undefined) return;
      read();
    }
    this.scheduleNextPass();
  }
}
