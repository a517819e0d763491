import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { TokenBuckets } from '@/lib/platform/token-buckets';
import { ExchangeError } from './failure-reason';

/** A chain of certificates has 3 to 6 KB. */
const HANDSHAKE_BYTES = 16 * 1024;
/** Milliseconds of the processor that a handshake may take; most take one or two. */
const HANDSHAKE_MS = 4;
/** What the handshakes of a tenant may take beyond that, in milliseconds. One takes 70 at most. */
const EXCESS = { perSecond: 20, burst: 200, mostOwed: 100 };

/**
 * Bounds the processor time that the handshakes of a tenant take of the main thread. This also holds for a tenant who seems alone: while
 * its handshakes keep the thread from all other work, everybody does.
 */
export class HandshakePace {
  private readonly excess = new TokenBuckets(EXCESS);

  /** Returns how many milliseconds a handshake waits. */
  restMs(tenant: string): number {
    return this.excess.owedMs(tenant);
  }

  count(tenant: string, excessMs: number): void {
    if (excessMs > 0) this.excess.take(tenant, excessMs);
  }
}

/**
 * The connection below TLS. It ends once it has read more than it may, and continues a handshake when its tenant has time for it.
 *
 * What TLS reads does not show above it: requests for a handshake and tickets come without end, before any byte of a response.
 * OpenSSL verifies each signature of a chain of certificates, trusted or not, in one go; keys on slow curves take 2 ms each.
 */
export class LimitedSocket extends Duplex {
  /** How many more bytes it may read. */
  private allowedBytes = HANDSHAKE_BYTES;
  private freeMs = HANDSHAKE_MS;
  private isSecured = false;
  /** Whether a chunk waits. The next ones stay in the socket. */
  private isResting = false;

  constructor(
    private readonly socket: Socket,
    private readonly pace: HandshakePace,
    private readonly tenant: string,
  ) {
    super({ allowHalfOpen: false });
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** Lets it read so many bytes, and as fast as they come: the handshake is over. */
  allow(bytes: number): void {
    this.isSecured = true;
    this.allowedBytes = bytes;
  }

  override _read(): void {
    if (!this.isResting) this.socket.resume();
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
      this.destroy(new ExchangeError(this.isSecured ? 'INVALID_RESPONSE' : 'INVALID_HANDSHAKE'));
      return;
    }
    if (this.restMs === 0) this.pass(chunk);
    else void this.passLater(chunk);
  }

  private async passLater(chunk: Buffer): Promise<void> {
    this.isResting = true;
    this.socket.pause();
    for (let { restMs } = this; restMs > 0; { restMs } = this) await sleep(restMs);
    this.isResting = false;
    if (this.destroyed) return;
    this.socket.resume();
    this.pass(chunk);
  }

  private get restMs(): number {
    return this.isSecured || this.destroyed ? 0 : this.pace.restMs(this.tenant);
  }

  private pass(chunk: Buffer): void {
    const before = this.isSecured ? null : process.cpuUsage();
    // TLS works on the chunk before `push` returns.
    if (!this.push(chunk)) this.socket.pause();
    if (before === null) return;
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1_000;
    this.pace.count(this.tenant, ms - this.freeMs);
    this.freeMs = Math.max(0, this.freeMs - ms);
  }
}
