import { LRUCache } from 'lru-cache';
import { readHeavily } from '@/lib/platform/connection-shares';
import { hotDatabase } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { selectBodyPiece } from './messages-sql';
import type { Job, Message } from './types';

const MIB = 1024 * 1024;

/**
 * Bytes of large bodies that a worker's attempts hold at once, and those of one owner: four and two of the largest. Attempts of one event
 * share its body, and count each, since each sends it.
 */
export const LARGE_BODIES: LargeBodyLimits = { bytes: 100 * MIB, bytesOfOwner: 50 * MIB };

export interface LargeBodyLimits {
  bytes: number;
  bytesOfOwner: number;
}

/** How long room is kept for a body: two attempts. */
const RESERVED_MS = 30_000;

/**
 * Decides which attempts may hold a large body. One alone may always. What becomes free is kept for the first that had no room, so that
 * smaller bodies do not take it again and again.
 */
export class LargeBodyBudget {
  private readonly byOwner = new Map<string, number>();
  private held = 0;
  private next: { ownerId: string; bytes: number; untilMs: number } | null = null;

  constructor(private readonly limits = LARGE_BODIES) {}

  get bytes(): number {
    return this.held;
  }

  /** Whether an attempt may start. If so, its body counts until `release`. */
  hold({ message: { largeBytes = 0 } }: Pick<Job, 'message'>, ownerId: string): boolean {
    if (largeBytes === 0) return true;
    const nowMs = performance.now();
    if (this.next !== null && this.next.untilMs < nowMs) this.next = null;
    const own = this.byOwner.get(ownerId) ?? 0;
    const { bytes, bytesOfOwner } = this.limits;
    const reserved = this.next === null || this.next.ownerId === ownerId ? 0 : this.next.bytes;
    const isWithinOwn = own + largeBytes <= bytesOfOwner;
    if (this.held > 0 && !(isWithinOwn && this.held + reserved + largeBytes <= bytes)) {
      // Whoever has used up its own part waits for itself.
      if (isWithinOwn) this.next ??= { ownerId, bytes: largeBytes, untilMs: nowMs + RESERVED_MS };
      return false;
    }
    if (this.next?.ownerId === ownerId && this.next.bytes <= largeBytes) this.next = null;
    this.held += largeBytes;
    this.byOwner.set(ownerId, own + largeBytes);
    return true;
  }

  release({ message: { largeBytes = 0 } }: Pick<Job, 'message'>, ownerId: string): void {
    if (largeBytes === 0) return;
    this.held -= largeBytes;
    const own = (this.byOwner.get(ownerId) ?? 0) - largeBytes;
    if (own > 0) this.byOwner.set(ownerId, own);
    else this.byOwner.delete(ownerId);
  }
}

/**
 * PostgreSQL sends two characters for each byte. The strings of larger pieces are collected with all that is old, which stops the thread
 * for up to 90 ms.
 */
const PIECE_BYTES = 128 * 1024;

/** Bytes of bodies that are kept for the next attempts of their events, besides those that attempts hold, and for how long. */
const KEPT_BYTES = 100 * MIB;
const KEPT_MS = 5_000;

const kept = new LRUCache<string, Promise<Buffer>>({
  maxSize: KEPT_BYTES,
  ttl: KEPT_MS,
  ttlAutopurge: true,
  updateAgeOnGet: true,
});
/** What attempts use at the moment, and how many do. */
const used = new Map<string, { body: Promise<Buffer>; users: number }>();

/**
 * Does work with a message and its entire body, which is read from the database if it is large.
 * @throws Error when the body is gone, or cannot be read
 */
export async function withWholeBody<T>(message: Message, work: (message: Message) => Promise<T>): Promise<T> {
  const { id, largeBytes } = message;
  if (largeBytes === undefined) return work(message);
  const shared = used.get(id) ?? { body: kept.get(id) ?? readLargeBody(id, largeBytes), users: 0 };
  used.set(id, shared);
  shared.users += 1;
  try {
    const body = await shared.body;
    kept.set(id, shared.body, { size: largeBytes });
    return await work({ ...message, body });
  } finally {
    shared.users -= 1;
    if (shared.users === 0) used.delete(id);
  }
}

/**
 * Reads the first bytes of the body of an incoming event, or all of it.
 * @throws AppError not_found when the event has been deleted, rate_limited and overloaded as for a connection
 */
export async function readLargeBody(incomingEvent: string, bytes: number): Promise<Buffer> {
  const body = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for await (const piece of readBodyPieces(incomingEvent, bytes)) at += piece.copy(body, at);
  return body;
}

/** Reads a body like `readLargeBody`, piece by piece. Requests read one piece at a time, over one connection; owners take turns. */
export async function* readBodyPieces(incomingEvent: string, bytes: number): AsyncGenerator<Buffer, undefined> {
  for (let at = 0; at < bytes; at += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, bytes - at);
    const read = () => selectBodyPiece.first(hotDatabase(), { incomingEvent, start: at + 1, length });
    const row = await readHeavily(read, 'piece');
    if (row?.piece.length !== length) throw notFound('incoming event');
    yield row.piece;
  }
}
