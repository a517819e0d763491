import { addMs, DAY_MS } from '@/lib/platform/clock';
import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { type SqlTransaction, sqlWithTimeout } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { type CleanupStep, countBatchResult, type JobRun, type RowsByTable } from '@/lib/retention/jobs/job-run';
import { expiryCutoff } from '@/lib/retention/retention-policy';
import { previewBatches, runInBatches } from './batches';
import {
  type Cursor,
  countRemovable,
  deleteAttemptsInWindow,
  deleteDeliveries,
  deleteEvents,
  deleteOldestAttempts,
  EVENT,
  type EventTable,
  type ExpiredEvents,
  findAttemptWindow,
  INCOMING_EVENT,
  keepLocksOnly,
  type LockedDeliveries,
  lockDeliveries,
  lockExpired,
  lowerCount,
  markLocked,
  preferIndexes,
} from './event-sql';

/*
 * Removes expired events, oldest first, each in one transaction with its deliveries, their attempts and its dead outbox
 * rows. Skips events that are in use (docs/decisions/017-retention.md). One transaction:
 *
 * 1. Lock the next expired events after the cursor. Skip those that another transaction has locked.
 * 2. Delete them with their deliveries and outbox rows in one statement, after locking all of them. An event stays when
 *    one of these rows is pending, or locked by another transaction.
 * 3. Delete the attempts of these deliveries. No worker can add one now.
 * 4. If there are more deliveries or attempts than a batch removes, roll back to 1 and continue with the first half of the
 *    events. Drain a single event: remove a batch of its deliveries and attempts; the next transaction continues with it.
 * 5. Count what was removed. Move the cursor past the last event that was removed or that stays.
 *
 * Nothing waits for a row, so there is no deadlock. The exception is a locked attempt, which DELETE cannot skip: the
 * transaction then ends, and the next one takes half as many events, until the event of that attempt is found and skipped.
 *
 * A killed run loses nothing, because each transaction leaves a valid state. The next run begins at the oldest event again,
 * so it finds events that were skipped or partly drained. Within a run, the cursor avoids reading deleted rows, which stay in
 * the index while a transaction may still see them.
 */

/** Removes events older than DATA_RETENTION_EVENTS_DAYS (docs/specification.md#retention). */
export const cleanEvents: CleanupStep = {
  name: 'events',
  clean: (run) => cleanSource(run, EVENT, run.policy.eventsDays),
  preview: (run) => previewBatches(() => countEvents(run, EVENT, run.policy.eventsDays)),
};

/** Removes incoming events older than DATA_RETENTION_INCOMING_EVENTS_DAYS (docs/specification.md#retention). */
export const cleanIncomingEvents: CleanupStep = {
  name: 'incoming events',
  clean: (run) => cleanSource(run, INCOMING_EVENT, run.policy.incomingEventsDays),
  preview: (run) => previewBatches(() => countEvents(run, INCOMING_EVENT, run.policy.incomingEventsDays)),
};

/** The transaction of one batch. */
interface EventBatch {
  tx: SqlTransaction;
  run: JobRun;
  source: EventTable;
  /** The most rows that it removes from each table. */
  limit: number;
}

const START: Cursor = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
/** The share of its limit that a batch aims to fill: a batch that exceeds the limit must be repeated. */
const FILL = 0.95;

async function cleanSource(run: JobRun, source: EventTable, days: number): Promise<void> {
  const until = expiryCutoff(run.now, days).toISOString();
  let cursor = START;
  let room = run.policy.batchSize;
  await runInBatches(run, async (tx, limit) => {
    const batch = { tx, run, source, limit };
    const wanted = Math.max(1, Math.min(limit, room));
    await preferIndexes(tx);
    const events = await lockExpired[source.table].one(tx, {
      until,
      afterTime: cursor.time,
      afterId: cursor.id,
      limit: wanted,
    });
    if (events.count === 0) return false;
    await markLocked.run(tx);
    const progress = await removeFirst(batch, events).catch((error) => skipLocked(batch, events, error));
    cursor = progress.cursor ?? cursor;
    // It grows slowly: otherwise a large or locked event would make one large batch after another roll back.
    room = Math.min(progress.room, wanted * 2);
    return events.count === wanted || progress.done < events.count;
  });
}

interface Progress {
  /** Events that were removed or that stay. */
  done: number;
  /** Null: unchanged. */
  cursor: Cursor | null;
  /** How many events the next batch can take. */
  room: number;
}

/** Removes as many of the first events as fit into a batch. */
async function removeFirst(batch: EventBatch, { ids, count }: Pick<ExpiredEvents, 'ids' | 'count'>): Promise<Progress> {
  const { tx, run, source, limit } = batch;
  const deleted = await deleteEvents[source.table].one(tx, { events: ids, count, maxDeliveries: limit });
  const attempts = deleted.isTooLarge ? null : await deleteAttempts(batch, deleted);
  if (attempts === null) {
    await keepLocksOnly.run(tx);
    if (count > 1) return removeFirst(batch, { ids, count: Math.floor(count / 2) });
    const isDrained = await drainEvent(batch, idAt(ids, 0));
    return isDrained ? { done: 0, cursor: null, room: 1 } : { done: 1, cursor: deleted.cursor, room: limit };
  }
  const { events, outbox, count: deliveries, cursor } = deleted;
  await countBatchResult(tx, run, {
    rows: { [source.table]: events, outbox, deliveries, delivery_attempts: attempts },
  });
  return { done: count, cursor, room: Math.floor((count * limit * FILL) / Math.max(deliveries, attempts, 1)) };
}

async function skipLocked({ tx, run, source }: EventBatch, events: ExpiredEvents, error: unknown): Promise<Progress> {
  if (!(error instanceof AttemptLockedError)) throw error;
  await keepLocksOnly.run(tx);
  if (events.count > 1) return { done: 0, cursor: null, room: Math.floor(events.count / 2) };
  const id = idAt(events.ids, 0);
  log().warn({ job: run.job, runId: run.id, table: source.table, id }, 'attempt is locked; event left to the next run');
  return { done: 1, cursor: events.cursor, room: 1 };
}

const UUID_LENGTH = 36;

/** Returns the id at an index of an array in PostgreSQL's syntax. */
function idAt(ids: string, index: number): string {
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
async function deleteAttempts({ tx, limit }: EventBatch, { ids, count }: LockedDeliveries): Promise<number | null> {
  if (count === 0) return 0;
  const { first, last } = await findAttemptWindow.one(tx, { firstId: idAt(ids, 0), lastId: idAt(ids, count - 1) });
  if (first === null || last === null) return 0;
  const { exceedsLimit, deleted } = await orAttemptLocked(
    deleteAttemptsInWindow.one(tx, { deliveries: ids, count, first, last, limit }),
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
  const deliveries = await lockDeliveries[source.table].one(tx, {
    events: `{${eventId}}`,
    count: 1,
    maxDeliveries: ALL,
    limit,
  });
  if (deliveries.count === 0) return false;
  const { ids } = deliveries;
  for (let { count } = deliveries; count > 0; count = Math.floor(count / 2)) {
    const attempts = await deleteAttempts(batch, { ...deliveries, count });
    if (attempts === null) continue;
    await deleteDeliveries.run(tx, { deliveries: ids, count });
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
  const attempts = await orAttemptLocked(deleteOldestAttempts.run(tx, { delivery: id, count: limit }));
  await lowerCount.run(tx, { removed: attempts, delivery: id });
  await countBatchResult(tx, run, { rows: { delivery_attempts: attempts } });
}

/**
 * Counts what a run would remove now. Excludes attempts that have expired themselves: a run removes them in an earlier step,
 * whose preview counts them.
 */
async function countEvents(run: JobRun, source: EventTable, days: number): Promise<RowsByTable> {
  const { now, policy } = run;
  const { events, deliveries, outbox, delivery_attempts } = await countRemovable[source.table].one(
    sqlWithTimeout(LONG_STATEMENT_MS),
    {
      until: expiryCutoff(now, days),
      succeededFrom: attemptsKeptFrom(run, policy.succeededAttemptsDays),
      failedFrom: attemptsKeptFrom(run, policy.failedAttemptsDays),
    },
  );
  return {
    [source.table]: Number(events),
    deliveries: Number(deliveries),
    outbox: Number(outbox),
    delivery_attempts: Number(delivery_attempts),
  };
}

/** The earliest attempt that is kept: the start of a UTC day where partitions are dropped by day. */
function attemptsKeptFrom({ now, policy }: JobRun, days: number): Date {
  const cutoff = expiryCutoff(now, days);
  return policy.maintainsPartitions ? new Date(Math.floor(cutoff.getTime() / DAY_MS) * DAY_MS) : addMs(cutoff, 1);
}
