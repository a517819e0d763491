import { movedLane, SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { AppError, isAppError } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { declareHistogram } from '@/lib/platform/metrics';
import { noteActive } from '@/lib/platform/pace';
import { storageRoom } from '@/lib/platform/storage-room';
import { LaneQueue, type QueuedRow, settleBatch } from './lane-queue';
import {
  type BatchResult,
  isLockTimeout,
  isRowError,
  repairBatch,
  type Store,
  storeBatch,
  toSenderError,
} from './store-batch';

/**
 * The most statements in flight, and the most batches under repair. Events and incoming events each have a group commit on the
 * same pool of ten connections: two remain for lookups.
 */
const MAX_IN_FLIGHT = 2;
const MAX_REPAIRS = 2;
/** A statement that takes longer waits for something, such as a lock, and no longer keeps further rows waiting. */
const LONG_STATEMENT_MS = 12;

/** How a row is queued. */
interface Placement {
  /** Owners take turns, weighted by size. */
  owner: string;
  /** The lanes of an owner take turns within its share. */
  lane: string;
  /** Its size in characters or bytes. */
  size: number;
}

/**
 * Stores rows that arrive together in one statement (group commit). No row waits while no statement is in flight. The rows that arrive
 * during one make the next, so batches grow with the load: a second one starts with a full batch, or when the first one takes long.
 */
export class GroupCommit<Row, Outcome> {
  private readonly queue: LaneQueue<Row, Outcome>;
  /** The batches with rows that have no outcome yet. */
  private readonly unsettled = new Set<readonly QueuedRow<Row, Outcome>[]>();
  private inFlight = 0;
  private repairs = 0;
  private startedAt = 0;
  private isScheduled = false;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param what the rows, for the log, such as `events`
   * @param limits of rows that their senders bound otherwise: statements in flight, and what the queue holds
   */
  constructor(
    private readonly store: Store<Row, Outcome>,
    private readonly what: string,
    private readonly limits: { inFlight: number; weight?: number } = { inFlight: MAX_IN_FLIGHT },
  ) {
    this.queue = new LaneQueue<Row, Outcome>(limits.weight);
  }

  /** Milliseconds since the oldest row arrived that is not stored yet; 0 if there is none. */
  get oldestWaitMs(): number {
    let oldest = this.queue.oldestSince;
    for (const batch of this.unsettled) {
      for (const { isSettled, arrivedAt } of batch) if (!isSettled && arrivedAt < oldest) oldest = arrivedAt;
    }
    return oldest === Number.POSITIVE_INFINITY ? 0 : Math.max(0, performance.now() - oldest);
  }

  /**
   * Stores one row.
   * @throws AppError overloaded when the queue is full; unavailable when the row may not have been stored and the sender
   * should repeat it
   */
  add(row: Row, { owner, lane, size }: Placement): Promise<Outcome> {
    noteActive(owner);
    return new Promise((resolve, reject) => {
      const waiting: QueuedRow<Row, Outcome> = {
        row,
        owner,
        lane,
        size,
        arrivedAt: performance.now(),
        isSettled: false,
        resolve: (outcome) => {
          waiting.isSettled = true;
          resolve(outcome);
        },
        reject: (error) => {
          waiting.isSettled = true;
          reject(toSenderError(error));
        },
      };
      for (const refused of this.queue.push(waiting)) refused.reject(overloaded());
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.inFlight >= this.limits.inFlight || this.queue.length === 0) return;
    if (this.inFlight === 0 || this.queue.hasFullBatch) {
      this.isScheduled = true;
      // Lets every request of this turn of the event loop join the batch.
      setImmediate(() => this.flush());
      return;
    }
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        if (!this.isScheduled && this.inFlight < this.limits.inFlight) this.flush();
      },
      this.startedAt + LONG_STATEMENT_MS - performance.now(),
    );
  }

  private flush(): void {
    this.isScheduled = false;
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = this.queue.take();
    if (batch.length === 0) return;
    this.startedAt = performance.now();
    this.inFlight++;
    this.unsettled.add(batch);
    observeBatch(this.what, batch.length);
    this.schedule();
    void this.storeAndSettle(batch);
  }

  private async storeAndSettle(batch: readonly QueuedRow<Row, Outcome>[]): Promise<void> {
    const { left, result } = await this.storeUnmoved(batch);
    this.inFlight--;
    this.schedule();
    if ('outcomes' in result) settleBatch(left, result.outcomes);
    else if (left.length > 0) await this.settleFailed(left, result.error, result.mayBeStored);
    this.unsettled.delete(batch);
  }

  /**
   * Stores a batch without the lanes whose organization moves to another cell: the error names the lane, so that nobody else waits for a
   * search. A second lane is refused with all of its owner, who may have a hundred of them.
   * @returns the other rows, and what became of them
   */
  private async storeUnmoved(batch: readonly QueuedRow<Row, Outcome>[]) {
    let left = batch;
    const moving = new Set<string>();
    for (let mayBeStored = false; ; ) {
      const rows = left.map(({ row }) => row);
      const result: BatchResult<Outcome> = await storeBatch(this.store, rows, mayBeStored);
      const lane = 'error' in result ? movedLane(result.error) : undefined;
      const named = left.find((each) => each.lane === lane);
      if (!('error' in result) || named === undefined) return { left, result };
      const isRefused = (each: QueuedRow<Row, Outcome>) =>
        moving.has(named.owner) ? each.owner === named.owner : each.lane === lane;
      for (const waiting of left.filter(isRefused)) waiting.reject(result.error);
      left = left.filter((each) => !isRefused(each));
      moving.add(named.owner);
      if (left.length === 0) return { left, result };
      mayBeStored = result.mayBeStored;
    }
  }

  /** A faulty row must not fail the others. The search for it must not delay other batches, so it needs no slot. */
  private async settleFailed(
    batch: readonly QueuedRow<Row, Outcome>[],
    error: unknown,
    mayBeStored: boolean,
  ): Promise<void> {
    log().warn({ err: error, rows: batch.length, what: this.what }, 'batch failed');
    if (sqlState(error) === SQL_STATE.diskFull) storageRoom().noteDiskFull();
    const isRepairable = isRowError(error) && (batch.length > 1 || isLockTimeout(error));
    if (isRepairable && this.repairs < MAX_REPAIRS) {
      this.repairs++;
      await repairBatch(this.store, batch, mayBeStored).finally(() => this.repairs--);
      return;
    }
    for (const waiting of batch) waiting.reject(isRepairable ? overloaded() : error);
    // There is no connection, so the queued rows would fail too, only later.
    if (isAppError(error)) for (const waiting of this.queue.drain()) waiting.reject(error);
  }
}

function overloaded(): AppError {
  const detail = 'Too many requests are waiting to be stored. Send this one again.';
  return new AppError('overloaded', detail, { retryAfterSeconds: 1 });
}

const batchRows = declareHistogram({
  name: 'ingest_batch_rows',
  help: 'Rows that one statement stores, of events or incoming events',
  labelNames: ['kind'],
  // A batch has at most 64 rows.
  buckets: [1, 2, 4, 8, 16, 32, 64],
});

/** Notes the size of a batch. @param what its rows, such as `incoming events` */
function observeBatch(what: string, rows: number): void {
  batchRows().observe({ kind: what.replace(' ', '_') }, rows);
}
