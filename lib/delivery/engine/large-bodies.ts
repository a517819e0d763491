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

/** How long a place in the order is kept for who asked last at that time: a job that waits is released, and claimed again. */
const KEPT_TURN_MS = 30_000;
/** An owner whose attempt has held a body for longer is slow until one takes less: its targets may hang. */
const SLOW_MS = 2_000;
const MAX_SLOW_OWNERS = 1_000;

/**
 * Decides which attempts may hold a large body. One alone may always. What becomes free is kept for the owner that has waited longest, so
 * that smaller bodies do not take it again and again. Slow owners share half of the bytes among themselves: the others never wait for them,
 * but for their first bodies.
 */
export class LargeBodyBudget {
  private readonly byOwner = new Map<string, number>();
  private held = 0;
  private heldBySlow = 0;
  /** The owners that had no room, in the order of asking. */
  private readonly waiting = new Map<string, { bytes: number; untilMs: number }>();
  private readonly slowOwners = new LRUCache<string, true>({ max: MAX_SLOW_OWNERS });
  private readonly attempts = new WeakMap<object, { sinceMs: number; isSlow: boolean }>();

  constructor(private readonly limits = LARGE_BODIES) {}

  get bytes(): number {
    return this.held;
  }

  /** Whether an attempt may start. If so, its body counts until `release`. */
  hold(job: Pick<Job, 'message'>, ownerId: string): boolean {
    const { largeBytes = 0 } = job.message;
    if (largeBytes === 0) return true;
    const nowMs = performance.now();
    const own = this.byOwner.get(ownerId) ?? 0;
    const isSlow = this.slowOwners.has(ownerId);
    // Whoever has used up its own part waits for itself.
    const isWithinOwn = own + largeBytes <= this.limits.bytesOfOwner;
    if (this.held > 0 && !(isWithinOwn && largeBytes <= this.roomFor(ownerId, isSlow, nowMs))) {
      if (isWithinOwn) this.waiting.set(ownerId, { bytes: largeBytes, untilMs: nowMs + KEPT_TURN_MS });
      return false;
    }
    this.waiting.delete(ownerId);
    this.attempts.set(job, { sinceMs: nowMs, isSlow });
    this.count(ownerId, largeBytes, isSlow);
    return true;
  }

  release(job: Pick<Job, 'message'>, ownerId: string): void {
    const { largeBytes = 0 } = job.message;
    const attempt = this.attempts.get(job);
    if (largeBytes === 0 || attempt === undefined) return;
    this.attempts.delete(job);
    this.count(ownerId, -largeBytes, attempt.isSlow);
    if (performance.now() - attempt.sinceMs > SLOW_MS) this.slowOwners.set(ownerId, true);
    else this.slowOwners.delete(ownerId);
  }

  /** What an owner may take now: what is left without the body of the owner that is before it. */
  private roomFor(ownerId: string, isSlow: boolean, nowMs: number): number {
    const { bytes } = this.limits;
    let free = bytes - this.held;
    let freeForSlow = bytes / 2 - this.heldBySlow;
    for (const [other, { bytes: wanted, untilMs }] of this.waiting) {
      if (untilMs < nowMs) this.waiting.delete(other);
      else if (other === ownerId) break;
      else if (!this.slowOwners.has(other)) free -= wanted;
      else if (isSlow) freeForSlow -= wanted;
    }
    return isSlow ? Math.min(free, freeForSlow) : free;
  }

  private count(ownerId: string, bytes: number, isSlow: boolean): void {
    this.held += bytes;
    if (isSlow) this.heldBySlow += bytes;
    const own = (this.byOwner.get(ownerId) ?? 0) + bytes;
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
