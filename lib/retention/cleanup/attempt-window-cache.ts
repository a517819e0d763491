import { MINUTE_MS } from '@/lib/platform/clock';
import type { SqlTransaction } from '@/lib/platform/db';
import { findAttemptWindow } from './event-sql';

/*
 * Attempts have no foreign key. Their only index is by delivery, in each of some hundred partitions. Looking up a thousand
 * deliveries in every partition takes longer than the rest of a batch. So a query reads one range of ids in each partition, and
 * returns when the attempts were made. Usually there are none, because attempts expire before events.
 *
 * Even that takes a quarter of the time of a batch. A query therefore also covers the ids of the next batches: without this
 * cache, removing events with deliveries is a third slower (`npm run bench -- retention`).
 */

/** How far past its batch a query reads, as a multiple of the batch's range of ids. */
const SPANS_AHEAD = 16n;
/** Longer than any transaction that records attempts: `created_at` of an attempt is the start of its transaction. */
const SLACK_MS = MINUTE_MS;

/** The first and the last time at which attempts were made. They are text, since a Date has no microseconds. */
export interface AttemptWindow {
  first: string;
  last: string;
}

/** A range of locked deliveries. */
export interface DeliveryRange {
  firstId: string;
  lastId: string;
  /** When the last attempt of any of them was recorded. */
  touchedAt: Date | null;
}

interface Cached {
  firstId: string;
  lastId: string;
  readAtMs: number;
  window: AttemptWindow | null;
}

/** Finds when the attempts of a batch's deliveries were made. Caches the last query for the next batches of the run. */
export class AttemptWindowCache {
  #cached: Cached | null = null;

  /** @returns a window that contains all attempts of these deliveries, and maybe others; null when they have none */
  async find(tx: SqlTransaction, { firstId, lastId, touchedAt }: DeliveryRange): Promise<AttemptWindow | null> {
    const cached = this.#cached;
    if (cached !== null && firstId >= cached.firstId && lastId <= cached.lastId) {
      if (touchedAt === null || touchedAt.getTime() < cached.readAtMs - SLACK_MS) return cached.window;
      return (await this.#read(tx, firstId, lastId)).window;
    }
    this.#cached = await this.#read(tx, firstId, idAhead(firstId, lastId));
    return this.#cached.window;
  }

  async #read(tx: SqlTransaction, firstId: string, lastId: string): Promise<Cached> {
    const { first, last, at } = await findAttemptWindow.one(tx, firstId, lastId);
    return {
      firstId,
      lastId,
      readAtMs: at.getTime(),
      window: first === null || last === null ? null : { first, last },
    };
  }
}

const HIGHEST_ID = (1n << 128n) - 1n;

/** Returns an id SPANS_AHEAD ranges later. Ids are UUIDv7, so a range of ids is also a range of creation times. */
function idAhead(firstId: string, lastId: string): string {
  const [first, last] = [firstId, lastId].map((id) => BigInt(`0x${id.replaceAll('-', '')}`)) as [bigint, bigint];
  const ahead = last + (last - first) * SPANS_AHEAD;
  const hex = (ahead > HIGHEST_ID ? HIGHEST_ID : ahead).toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
