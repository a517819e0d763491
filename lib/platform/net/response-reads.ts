import type { Duplex } from 'node:stream';
import { ORDINARY_MS, processorMs, type TurnsOfConnection } from './connection-turns';
import { ExchangeError } from './failure-reason';

/**
 * What a parser of responses gets at once. undici does not stop at headers that are too large before the end of what it was given, and
 * makes an error for each further one: a read of 64 KiB may have 16,000 of them, which take a second.
 */
export const PIECE_BYTES = 1024;
/**
 * What one response may take from its connection. Headers have 16 KiB, responses before the final one 256 KiB, and of a body far less is
 * read. Trailers and extensions of chunks count for none of these, and a hostile receiver sends them without end.
 */
export const MAX_RESPONSE_BYTES = 512 * 1024;
/**
 * Lines before the body, those of responses before the final one included. undici keeps a buffer for each name and value: 3,500 headers
 * in 14 KB, a hundred times a second, took two thirds of the thread, most of it to collect the garbage.
 */
export const MAX_HEAD_LINES = 512;
const LINE_END = 0x0a;

/**
 * Lets undici read a connection in pieces, and not at all once it is destroyed. The first piece of a response is most often all of it. For
 * each further one it waits for a turn of its tenant, and what the parser does with it counts for the tenant.
 */
export class ResponseReads {
  private readBytes = 0;
  /** The lines before the body; null in the body. */
  private headLines: number | null = 0;
  /** What the response may still take without being costly. */
  private ordinaryMs = ORDINARY_MS;
  private isWaiting = false;
  private hasTurn = false;
  /** The processor's time when the parser got the last piece; null for the first one. */
  private givenAtMs: number | null = null;

  constructor(
    private readonly stream: Duplex,
    private readonly turns: Pick<TurnsOfConnection, 'enter' | 'count'>,
  ) {
    const read = stream.read.bind(stream);
    // Node itself reads nothing with a size of zero, to make the stream look for more.
    stream.read = (size?: number) => (size === undefined ? this.readPiece(read) : read(size));
  }

  /** Lets it read one more response. */
  allow(): void {
    this.readBytes = 0;
    this.headLines = 0;
    this.ordinaryMs = ORDINARY_MS;
  }

  /** Whether anything of the response has been read. */
  get hasBegun(): boolean {
    return this.readBytes > 0;
  }

  /** What follows is the body. */
  endHead(): void {
    this.headLines = null;
  }

  private readPiece(read: Duplex['read']): Buffer | null {
    this.countLastPiece();
    const { stream } = this;
    const bytes = Math.min(stream.readableLength, PIECE_BYTES);
    if (stream.destroyed || (bytes > 0 && !this.mayRead())) return null;
    // Without anything to read, it tells the end.
    if (bytes === 0) return read();
    this.readBytes += bytes;
    const hasTooManyLines = (this.headLines ?? 0) > MAX_HEAD_LINES;
    if (this.readBytes > MAX_RESPONSE_BYTES || hasTooManyLines) {
      stream.destroy(new ExchangeError(hasTooManyLines ? 'TOO_MANY_HEADERS' : 'INVALID_RESPONSE'));
      return null;
    }
    this.givenAtMs = this.readBytes > bytes ? processorMs() : null;
    const piece = read(bytes) as Buffer | null;
    if (piece !== null && this.headLines !== null) this.headLines += countLines(piece);
    return piece;
  }

  /** Whether it has a turn for a piece. If not, it asks for one. */
  private mayRead(): boolean {
    if (this.readBytes === 0) return true;
    if (!this.hasTurn && !this.isWaiting) this.waitForTurn();
    const { hasTurn } = this;
    this.hasTurn = false;
    return hasTurn;
  }

  private waitForTurn(): void {
    const { stream } = this;
    this.isWaiting = true;
    let isLate = false;
    const resume = () => {
      this.isWaiting = false;
      this.hasTurn = true;
      // undici reads when it is told so.
      if (isLate) stream.emit('readable');
    };
    this.turns.enter({ resume, isGone: () => stream.destroyed });
    isLate = true;
  }

  private countLastPiece(): void {
    if (this.givenAtMs === null) return;
    const ms = Math.max(0, processorMs() - this.givenAtMs);
    this.givenAtMs = null;
    const costlyMs = Math.max(0, ms - this.ordinaryMs);
    this.ordinaryMs = Math.max(0, this.ordinaryMs - ms);
    this.turns.count(ms, costlyMs);
  }
}

function countLines(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, at + 1)) count += 1;
  return count;
}
