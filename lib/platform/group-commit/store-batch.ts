import { setTimeout as sleep } from 'node:timers/promises';
import { hasMoved, isDatabaseUnreachable, SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { isAppError } from '@/lib/platform/errors';
import { unavailable } from './hot-connection';
import { type QueuedRow, settleBatch } from './lane-queue';

export interface StoreOptions {
  /** How long the statement waits for each lock before it fails with 55P03. */
  lockTimeoutMs: number;
  /** Whether an earlier try may have stored these rows. An existing row then counts as stored. */
  mayBeStored: boolean;
}

/** Stores rows in one statement, in the order of its unique keys, and returns an outcome for each. */
export type Store<Row, Outcome> = (rows: readonly Row[], options: StoreOptions) => Promise<Outcome[]>;

/** The statement occupies one of two slots, so it must not wait long for another transaction. */
const LOCK_TIMEOUT_MS = 200;
const MAX_RESTARTS = 3;
/** How long a batch is repeated while the commit of another transaction stalls, as on a slow disk. */
const STALLED_MS = 4_000;
const RESTART_JITTER_MS = 20;

export type BatchResult<Outcome> = { outcomes: Outcome[] } | { error: unknown; mayBeStored: boolean };

/**
 * Stores a batch in one statement. Repeats it once after a lost connection, since the commit may have happened, and a few times
 * after a deadlock or serialization failure, since those roll the statement back; and for some seconds while it waits for another commit.
 * @param mayBeStoredBefore whether an earlier try may have stored the rows
 * @returns the outcomes; or the error, and whether the rows may have been stored
 */
export async function storeBatch<Row, Outcome>(
  store: Store<Row, Outcome>,
  rows: readonly Row[],
  mayBeStoredBefore = false,
): Promise<BatchResult<Outcome>> {
  let mayBeStored = mayBeStoredBefore;
  const endsAt = performance.now() + STALLED_MS;
  for (let restarts = 0; ; ) {
    try {
      return { outcomes: await store(rows, { mayBeStored, lockTimeoutMs: LOCK_TIMEOUT_MS }) };
    } catch (error) {
      if (isConnectionLost(error) && !mayBeStored) mayBeStored = true;
      else if (isRolledBackByOthers(error) && restarts < MAX_RESTARTS)
        await sleep(++restarts * Math.random() * RESTART_JITTER_MS);
      else if (!isStalledByCommit(error) || performance.now() > endsAt) return { error, mayBeStored };
    }
  }
}

function isConnectionLost(error: unknown): boolean {
  return !isAppError(error) && isDatabaseUnreachable(error);
}

/** A deadlock or serialization failure: no row need be faulty, and the same statement can succeed a moment later. */
function isRolledBackByOthers(error: unknown): boolean {
  const state = sqlState(error);
  return state === SQL_STATE.deadlockDetected || state === SQL_STATE.serializationFailure;
}

export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === SQL_STATE.lockNotAvailable;
}

/**
 * Whether a statement waited for the lock of NOTIFY, which each commit holds until it is on the disk, or of a table. For the lock of a row,
 * PostgreSQL gives the context.
 */
function isStalledByCommit(error: unknown): boolean {
  return isLockTimeout(error) && (error as { where?: unknown }).where === undefined;
}

/** Whether a single row can have caused the error, so that the others can be stored without it: bad data, a constraint, a lock. */
export function isRowError(error: unknown): boolean {
  return isLockTimeout(error) || /^2[23]...$/.test(sqlState(error) ?? '');
}

/** Converts an error of the batch for the sender of one row: 503 if a repeat may succeed, else the error itself. */
export function toSenderError(error: unknown): unknown {
  // Without a cause: the batch has been logged, and the route would log the cause again for each row.
  if (isAppError(error)) return error.code === 'unavailable' ? unavailable() : error;
  const maySucceed =
    hasMoved(error) ||
    isDatabaseUnreachable(error) ||
    isLockTimeout(error) ||
    isRolledBackByOthers(error) ||
    isCanceled(error);
  return maySucceed ? unavailable() : error;
}

/** Whether a timeout or an operator canceled the statement. */
function isCanceled(error: unknown): boolean {
  return sqlState(error) === SQL_STATE.queryCanceled;
}

/** How long a part of a batch waits for a lock. A single row waits longer, after all others have been tried. */
const REPAIR_LOCK_TIMEOUT_MS = 50;
const ALONE_LOCK_TIMEOUT_MS = 1_000;
/** No statement starts later than this. The remaining rows fail with 503. */
const REPAIR_MS = 4_000;

/**
 * Stores the good rows of a batch that failed: splits it in halves until each faulty row is alone. One faulty row of 64 costs
 * about twelve statements. A split between two lanes is preferred, so that the rows of other lanes are stored first.
 *
 * @param mayBeStored whether an earlier try may have stored the rows
 */
export async function repairBatch<Row, Outcome>(
  store: Store<Row, Outcome>,
  batch: readonly QueuedRow<Row, Outcome>[],
  mayBeStored: boolean,
): Promise<void> {
  const endsAt = performance.now() + REPAIR_MS;
  const locked: QueuedRow<Row, Outcome>[] = [];
  const tryPart = async (part: readonly QueuedRow<Row, Outcome>[], lockTimeoutMs: number): Promise<void> => {
    if (performance.now() > endsAt) throw unavailable();
    const outcomes = await store(
      part.map(({ row }) => row),
      { mayBeStored, lockTimeoutMs },
    );
    settleBatch(part, outcomes);
  };
  const parts = cut([...batch].sort(byLane));
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    try {
      await tryPart(part, REPAIR_LOCK_TIMEOUT_MS);
    } catch (error) {
      if (part.length > 1 && isRowError(error)) parts.push(...cut(part));
      else if (isLockTimeout(error)) locked.push(...part);
      else for (const waiting of part) waiting.reject(error);
    }
  }
  for (const waiting of locked) await tryPart([waiting], ALONE_LOCK_TIMEOUT_MS).catch(waiting.reject);
}

interface InLane {
  owner: string;
  lane: string;
}

function byLane(a: InLane, b: InLane): number {
  if (a.owner !== b.owner) return a.owner < b.owner ? -1 : 1;
  return a.lane < b.lane ? -1 : Number(a.lane > b.lane);
}

/** Splits rows that are sorted by lane between two lanes, as near to the middle as possible. */
function cut<Queued extends InLane>(rows: readonly Queued[]): Queued[][] {
  if (rows.length < 2) return [[...rows]];
  const middle = rows.length >> 1;
  const isBoundary = (at: number) => rows[at - 1]?.lane !== rows[at]?.lane;
  let at = middle;
  for (let away = 0; away < middle; away++) {
    const near = [middle - away, middle + away].find((place) => place > 0 && place < rows.length && isBoundary(place));
    if (near === undefined) continue;
    at = near;
    break;
  }
  return [rows.slice(0, at), rows.slice(at)];
}
