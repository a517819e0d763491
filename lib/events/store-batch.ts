import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway, LOCK_NOT_AVAILABLE, sqlState } from '@/lib/platform/db';
import { isAppError } from '@/lib/platform/errors';
import { unavailable } from './ingest-connection';
import type { IngestOutcome, IngestRow, StoreOptions } from './ingest-sql';

export type Store = (rows: readonly IngestRow[], options: StoreOptions) => Promise<IngestOutcome[]>;

/** A statement of the fast path holds one of two slots, so it may wait this long for another transaction and no longer. */
const LOCK_TIMEOUT_MS = 200;
const MAX_RESTARTS = 3;
const RESTART_JITTER_MS = 20;

/** What happened to a batch: its outcomes, or the error and whether the rows may have been stored by an earlier try. */
type BatchResult = { outcomes: IngestOutcome[] } | { error: unknown; mayBeStored: boolean };

/**
 * Stores a batch whole. It is sent once more after a lost connection, of which nobody knows whether the commit happened, and
 * a few times after a deadlock or a serialization failure, which took the whole statement back.
 */
export async function storeBatch(store: Store, rows: readonly IngestRow[]): Promise<BatchResult> {
  let mayBeStored = false;
  for (let restarts = 0; ; ) {
    try {
      return { outcomes: await store(rows, { mayBeStored, lockTimeoutMs: LOCK_TIMEOUT_MS }) };
    } catch (error) {
      if (isConnectionLost(error) && !mayBeStored) mayBeStored = true;
      else if (isRolledBackByOthers(error) && restarts < MAX_RESTARTS)
        await sleep(++restarts * Math.random() * RESTART_JITTER_MS);
      else return { error, mayBeStored };
    }
  }
}

function isConnectionLost(error: unknown): boolean {
  return !isAppError(error) && isDatabaseAway(error);
}

/** Deadlock and serialization failure: any row may be innocent, and the same statement can succeed a moment later. */
function isRolledBackByOthers(error: unknown): boolean {
  return /^40(P01|001)$/.test(sqlState(error) ?? '');
}

/** Whether a lock was not to be had in time. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

/** Whether one row of a batch can have caused this, so that the others do well without it: bad data, a constraint, a lock. */
export function isFaultOfRow(error: unknown): boolean {
  return isLockTimeout(error) || /^2[23]...$/.test(sqlState(error) ?? '');
}

/** What the sender of an event is told after `error`: 503 where a repeat may succeed, else the error itself. */
export function toSenderError(error: unknown): unknown {
  // A new error, without its cause: the batch has been logged once, and a route would log it again for each of its rows.
  if (isAppError(error)) return error.code === 'unavailable' ? unavailable() : error;
  const maySucceed = isDatabaseAway(error) || isLockTimeout(error) || isRolledBackByOthers(error) || isCanceled(error);
  return maySucceed ? unavailable() : error;
}

/** A statement that was canceled, by its timeout or an operator. */
function isCanceled(error: unknown): boolean {
  return sqlState(error) === '57014';
}
