import { hotDatabase, type Sql } from '@/lib/platform/db';
import { selectBodyPiece } from './messages-sql';
import type { Job, Message } from './types';

/**
 * Bytes of large bodies that a worker's attempts hold at once, and those of one owner: five and two of the largest. Attempts of one event
 * share its body, and count each, since each sends it.
 */
export const LARGE_BODIES: LargeBodyLimits = { bytes: 128 * 1024 * 1024, bytesOfOwner: 50 * 1024 * 1024 };

export interface LargeBodyLimits {
  bytes: number;
  bytesOfOwner: number;
}

/** Decides which attempts may hold a large body. One alone may always. */
export class LargeBodyBudget {
  private readonly byOwner = new Map<string, number>();
  private held = 0;

  constructor(private readonly limits = LARGE_BODIES) {}

  get bytes(): number {
    return this.held;
  }

  /** Whether an attempt may start. If so, its body counts until `release`. */
  hold({ message: { largeBytes = 0 } }: Pick<Job, 'message'>, ownerId: string): boolean {
    if (largeBytes === 0) return true;
    const own = this.byOwner.get(ownerId) ?? 0;
    const { bytes, bytesOfOwner } = this.limits;
    const isWithin = this.held + largeBytes <= bytes && own + largeBytes <= bytesOfOwner;
    if (this.held > 0 && !isWithin) return false;
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

/** PostgreSQL sends two characters for each byte, and parsing them takes a millisecond for each MiB. */
const PIECE_BYTES = 2 * 1024 * 1024;

interface Shared {
  body: Promise<Buffer>;
  users: number;
}

/** The large bodies that attempts use at the moment, by the id of the incoming event. */
const shared = new Map<string, Shared>();

/**
 * Does work with a message and its entire body, which is read from the database if it is large.
 * @throws Error when the body is gone, or cannot be read
 */
export async function withWholeBody<T>(message: Message, work: (message: Message) => Promise<T>): Promise<T> {
  const { id, largeBytes } = message;
  if (largeBytes === undefined) return work(message);
  const own = shared.get(id) ?? { body: readLargeBody(hotDatabase(), id, largeBytes), users: 0 };
  shared.set(id, own);
  own.users += 1;
  try {
    return await work({ ...message, body: await own.body });
  } finally {
    own.users -= 1;
    if (own.users === 0) shared.delete(id);
  }
}

/** Reads the body of an incoming event in pieces. @throws Error when the event has been deleted */
export async function readLargeBody(sql: Sql, incomingEvent: string, bytes: number): Promise<Buffer> {
  const body = Buffer.allocUnsafeSlow(bytes);
  for (let at = 0; at < bytes; at += PIECE_BYTES) {
    const row = await selectBodyPiece.first(sql, { incomingEvent, start: at + 1, length: PIECE_BYTES });
    if (row === undefined) throw new Error('the incoming event has been deleted');
    row.piece.copy(body, at);
  }
  return body;
}
