import { MINUTE_MS } from '@/lib/platform/clock';
import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import type { SqlTransaction } from '@/lib/platform/db';
import { countBatchResult, type JobRun } from '@/lib/retention/jobs/job-run';
import {
  deleteAttemptsInWindow,
  deleteDeliveries,
  deleteOldestAttempts,
  type EventTable,
  findAttemptWindow,
  type LockedDeliveries,
  lockDeliveries,
  lowerCount,
} from './event-sql';

/** The transaction of one batch. */
export interface EventBatch {
  tx: SqlTransaction;
  run: JobRun;
  source: EventTable;
  windows: AttemptWindowCache;
  /** The most rows that it removes from each table. */
  limit: number;
}

const UUID_LENGTH = 36;

/** Returns the id at an index of an array in PostgreSQL's syntax. */
export function idAt(ids: string, index: number): string {
  const start = 1 + index * (UUID_LENGTH + 1);
  return ids.slice(start, start + UUID_LENGTH);
}

/** Thrown when another transaction has locked an attempt to delete: DELETE has no SKIP LOCKED. */
export class AttemptLockedError extends Error {}

/**
 * Deletes every attempt of these deliveries.
 * @returns how many; null, and deletes nothing, when there are more than the batch's limit
 * @throws AttemptLockedError
 */
export async function deleteAttempts(
  { tx, windows, limit }: EventBatch,
  { ids, count, touchedAt }: LockedDeliveries,
): Promise<number | null> {
  if (count === 0) return 0;
  const window = await windows.find(tx, { firstId: idAt(ids, 0), lastId: idAt(ids, count - 1), touchedAt });
  if (window === null) return 0;
  const { exceedsLimit, deleted } = await orAttemptLocked(
    deleteAttemptsInWindow.one(tx, ids, count, window.first, window.last, limit),
  );
  return exceedsLimit ? null : deleted;
}

/** @throws AttemptLockedError when the statement timed out waiting for a lock */
async function orAttemptLocked<T>(deleting: Promise<T>): Promise<T> {
  return deleting.catch((error) => {
    if (sqlState(error) !== SQL_STATE.lockNotAvailable) throw error;
    throw new AttemptLockedError('another transaction has locked an attempt', { cause: error });
  });
}

const ALL = 2_147_483_647;

/**
 * Removes a batch of the rows of one locked event that has more than a batch: its first deliveries with their attempts, or the
 * oldest attempts of a delivery that has more than a batch itself. The event stays for the next batch or the next run.
 *
 * Locks all deliveries each time, though it removes only a batch of them: a manual retry, even an uncommitted one, keeps all
 * that remain. The total time grows with the square of the deliveries: 0.5 s for 10,000, 10 s for 50,000. An event has at most
 * one per endpoint of its project: 1,000, unless PROJECT_MAX_ENDPOINTS is raised.
 *
 * @returns false when the event is in use; then nothing is removed
 */
export async function drainEvent(batch: EventBatch, eventId: string): Promise<boolean> {
  const { tx, run, source, limit } = batch;
  const deliveries = await lockDeliveries[source.table].one(tx, `{${eventId}}`, 1, ALL, limit);
  if (deliveries.count === 0) return false;
  const { ids } = deliveries;
  for (let { count } = deliveries; count > 0; count = Math.floor(count / 2)) {
    const attempts = await deleteAttempts(batch, { ...deliveries, count });
    if (attempts === null) continue;
    await deleteDeliveries.run(tx, ids, count);
    await countBatchResult(tx, run, { rows: { deliveries: count, delivery_attempts: attempts } });
    return true;
  }
  await drainDelivery(batch, idAt(ids, 0));
  return true;
}

/**
 * Removes one batch of the attempts of a locked delivery that has more than a batch, lowest numbers first.
 * @throws AttemptLockedError
 */
async function drainDelivery({ tx, run, limit }: EventBatch, id: string): Promise<void> {
  const attempts = await orAttemptLocked(deleteOldestAttempts.run(tx, id, limit));
  await lowerCount.run(tx, id, attempts);
  await countBatchResult(tx, run, { rows: { delivery_attempts: attempts } });
}

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
interface AttemptWindow {
  first: string;
  last: string;
}

/** A range of locked deliveries. */
interface DeliveryRange {
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
