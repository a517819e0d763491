import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { measure, ORDINARY_MS, type TurnsOfConnection } from './connection-turns';
import { ExchangeError } from './failure-reason';

/** A chain of certificates has 3 to 6 KB. */
const HANDSHAKE_BYTES = 10 * 1024;
/** What TLS gets at once: a record, which takes some milliseconds if it has nothing but tickets. */
const PIECE_BYTES = 16 * 1024;

/**
 * The connection below TLS. It ends once it has read more than it may, and passes on what it has read when it is the turn of its tenant.
 *
 * What TLS reads does not show above it: requests for a handshake, tickets and key updates come without end. OpenSSL verifies each
 * signature of a chain of certificates, trusted or not, in one go; keys on slow curves take 2 ms each.
 */
export class LimitedSocket extends Duplex {
  /** How many more bytes it may read. */
  private allowedBytes = HANDSHAKE_BYTES;
  /** What the handshake or the response may still take without being costly. */
  private ordinaryMs = ORDINARY_MS;
  private isSecured = false;
  /** What was read and not passed on. Meanwhile the next chunks stay in the socket. */
  private readonly pieces: Buffer[] = [];
  /** Whether TLS takes more. */
  private hasDemand = true;
  private isFinished = false;

  constructor(
    private readonly socket: Socket,
    private readonly turns: Pick<TurnsOfConnection, 'enter' | 'count'>,
  ) {
    super({ allowHalfOpen: false });
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('end', () => this.finish());
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => (this.pieces.length === 0 ? this.destroy() : this.finish()));
  }

  /** The handshake is over: lets it read so many bytes for a response. */
  allow(bytes: number): void {
    this.isSecured = true;
    this.allowedBytes = bytes;
    this.ordinaryMs = ORDINARY_MS;
  }

  override _read(): void {
    this.hasDemand = true;
    if (this.pieces.length === 0) this.socket.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.socket.write(chunk, encoding, callback);
  }

  override _final(callback: () => void): void {
    this.socket.end(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.socket.destroy();
    callback(error);
  }

  private receive(chunk: Buffer): void {
    this.allowedBytes -= chunk.length;
    if (this.allowedBytes < 0) {
      this.fail(new ExchangeError('INVALID_HANDSHAKE'));
      return;
    }
    const isWaiting = this.pieces.length > 0;
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) this.pieces.push(chunk.subarray(at, at + PIECE_BYTES));
    if (!isWaiting) this.passAll();
  }

  private passAll(): void {
    while (this.pieces.length > 0 && !this.destroyed) {
      if (!this.isSecured || this.ordinaryMs === 0) {
        this.socket.pause();
        const resume = () => {
          this.passOne();
          this.passAll();
        };
        this.turns.enter({ resume, isGone: () => this.destroyed });
        return;
      }
      this.passOne();
    }
    if (this.destroyed) return;
    if (this.isFinished) this.push(null);
    else if (this.hasDemand) this.socket.resume();
    else this.socket.pause();
  }

  /** The receiver sends no more. What waits for its turn comes first. */
  private finish(): void {
    if (this.isFinished) return;
    this.isFinished = true;
    this.once('end', () => this.destroy());
    if (this.pieces.length === 0) this.push(null);
  }

  private passOne(): void {
    if (this.destroyed) return;
    const { isSecured } = this;
    // TLS, and HTTP above it, work on the piece before `push` returns.
    const ms = measure(() => (this.hasDemand = this.push(this.pieces.shift())));
    const costlyMs = Math.max(0, ms - this.ordinaryMs);
    this.ordinaryMs = Math.max(0, this.ordinaryMs - ms);
    if (!isSecured || costlyMs > 0) this.turns.count(isSecured ? costlyMs : ms, costlyMs);
  }

  /**
   * An error after the handshake ends the connection without one: undici has no parser any more when TLS reports it late, and the
   * exception would end the process. It notices the end.
   */
  private fail(error: Error): void {
    if (this.isSecured) this.destroy();
    else this.destroy(error);
  }
}
