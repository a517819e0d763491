import { IncomingMessage, type ServerResponse } from 'node:http';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { TokenBuckets } from '@/lib/platform/token-buckets';

/*
 * The HTTP parser calls JavaScript for each chunk of a body, which costs about a microsecond, however small the chunk is: 8 MB/s of one-byte
 * chunks keep the thread busy. See docs/decisions/055-bodies-in-pieces.md.
 */

/** The chunks that a body may have: some at once, one for each 64 bytes, and some a second for a sender that produces slowly. */
const FREE_CHUNKS = 256;
const BYTES_OF_CHUNK = 64;
const CHUNKS_PER_SECOND = 500;
/**
 * Chunks of less than a KiB of all bodies of a network, and of all networks, without the first ones of each body, which each event may have.
 * With what reads them, each takes some 5 µs: a thousand bodies within the bounds of one would keep the thread busy.
 */
const SMALL_BYTES = 1024;
const FIRST_CHUNKS = 16;
const OF_NETWORK = { perSecond: 10_000, burst: 30_000, mostOwed: 1 };
const OF_ALL = { perSecond: 40_000, burst: 60_000, mostOwed: 1 };
/** A network that sends fewer keeps its bodies when all together send too many. Hundreds of networks may share in an attack. */
const OF_FEW = { perSecond: 200, burst: 300, mostOwed: 1 };
/** Bodies that are refused in one turn of the event loop: each refusal takes half a millisecond, and thousands of bodies end together. */
const REFUSED_PER_TURN = 4;
/** The trailers that a request may have. They are ignored. The parser takes some 0.3 µs for each, which may have four bytes. */
const MAX_TRAILERS = 32;
/** A body that nobody reads is drained up to this size, so that its connection can be used again. */
const MAX_DRAINED_BYTES = 64 * 1024;
/** How long a client has to read a response to a request whose body is not read, before its connection is reset. */
const LINGER_MS = 500;

const smallChunks = () =>
  once('small-chunks', () => ({
    ofNetwork: new TokenBuckets(OF_NETWORK),
    ofFew: new TokenBuckets(OF_FEW),
    ofAll: new TokenBuckets(OF_ALL),
    /** At most one for each open connection, which is not read meanwhile. */
    refused: [] as GuardedMessage[],
  }));

function refuseSome(): void {
  const { refused } = smallChunks();
  const detail = 'Too many small pieces of bodies arrive from your network. Send larger ones.';
  for (const message of refused.splice(0, REFUSED_PER_TURN)) {
    const headers = { Connection: 'close' };
    message.refuse?.(message, new AppError('rate_limited', detail, { retryAfterSeconds: 1, headers }));
  }
  if (refused.length > 0) setImmediate(refuseSome);
}

/** A request whose body ends when it arrives in absurdly small pieces, or when those of its network do. */
export class GuardedMessage extends IncomingMessage {
  // One function for all in each of these: a closure for each message keeps requests until a full collection.
  /** Answers the request in place of whoever reads its body. */
  refuse: ((message: GuardedMessage, error: AppError) => void) | null = null;
  /** Ends the reading of its connection. */
  endReading: ((message: GuardedMessage) => void) | null = null;
  /** Names the network of the client. */
  networkOf: ((message: GuardedMessage) => string) | null = null;
  /** Null once it has ended. */
  response: ServerResponse | null = null;
  private chunks = 0;
  private bytes = 0;
  private readonly startedAt = performance.now();
  private isRefused = false;
  private network: string | null = null;

  /** Takes a chunk from the parser. A body of which something was dropped never ends: its reader would take it as complete. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (chunk === null) return this.isRefused || this.hasManyTrailers() ? false : super.push(chunk, encoding);
    this.chunks += 1;
    this.bytes += chunk.length;
    if (this.chunks > FREE_CHUNKS) this.isRefused ||= this.isInTinyPieces();
    if (this.chunks > FIRST_CHUNKS && chunk.length < SMALL_BYTES) this.isRefused ||= this.isOneOfTooMany();
    // The parser stops reading the connection when a stream wants no more.
    if (this.isRefused) return false;
    return super.push(chunk, encoding);
  }

  /** Refuses a request with many trailers. They are known at the end of the body. */
  private hasManyTrailers(): boolean {
    if (this.rawTrailers.length <= 2 * MAX_TRAILERS) return false;
    this.isRefused = true;
    const detail = `The request has more than ${MAX_TRAILERS} trailers.`;
    this.refuse?.(this, new AppError('invalid_request', detail, { headers: { Connection: 'close' } }));
    return true;
  }

  private isInTinyPieces(): boolean {
    const seconds = (performance.now() - this.startedAt) / 1000;
    if (this.chunks <= FREE_CHUNKS + this.bytes / BYTES_OF_CHUNK + seconds * CHUNKS_PER_SECOND) return false;
    const detail = 'The body arrives in too many small pieces. Send it in larger ones.';
    this.refuse?.(this, new AppError('invalid_request', detail, { headers: { Connection: 'close' } }));
    return true;
  }

  private isOneOfTooMany(): boolean {
    const { ofNetwork, ofFew, ofAll, refused } = smallChunks();
    this.network ??= this.networkOf?.(this) ?? '';
    const now = performance.now();
    const left = ofNetwork.take(this.network, 1, now);
    const leftOfFew = ofFew.take(this.network, 1, now);
    const leftOfAll = ofAll.take('', 1, now);
    if (left >= 0 && (leftOfAll >= 0 || leftOfFew >= 0)) return false;
    this.endReading?.(this);
    if (refused.push(this) === 1) setImmediate(refuseSome);
    return true;
  }
}

/** Closes the connection after the response, unless the body was read, or is so small that it is drained. */
export function closeUnlessRead(message: IncomingMessage, response: ServerResponse): void {
  const { 'transfer-encoding': coding, 'content-length': length } = message.headers;
  if (coding === undefined && Number(length ?? 0) <= MAX_DRAINED_BYTES) return;
  const { socket } = message;
  const { shouldKeepAlive } = response;
  const { destroySoon } = socket;
  response.shouldKeepAlive = false;
  // The server would let the parser drain a body that nobody has begun to read, past `push`.
  response.prependOnceListener('finish', () => message.complete || message.read());
  // A connection that is destroyed with unread data is reset, and the client may lose the response.
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    // Later than the server, which resumes the body to drain it.
    setImmediate(() => socket.pause());
  };
  message.once('end', () => {
    response.shouldKeepAlive = shouldKeepAlive;
    socket.destroySoon = destroySoon;
  });
}
