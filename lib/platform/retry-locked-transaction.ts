import { setTimeout as sleep } from 'node:timers/promises';
import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { inSqlTransaction, type SqlTransaction } from '@/lib/platform/db';
import { AppError, isAppError } from '@/lib/platform/errors';
import { limitLockWaits } from './session-sql';

/** Longer than any batch takes. A statement that hangs must not hold its locks indefinitely. */
const STATEMENT_TIMEOUT_MS = 30_000;
const PAUSE_MS = 50;
const JITTER_MS = 150;
const MAX_TRIES = 40;
/** For work that is repeated anyway. */
export const FEW_TRIES = 2;

const LOCK_STATES: ReadonlySet<string> = new Set([SQL_STATE.lockNotAvailable, SQL_STATE.deadlockDetected]);

/**
 * Runs a transaction that never waits long for a lock: it rolls back and retries. An erasure touches rows that sign-ins,
 * refreshes and workers lock in other orders. If it waited, one of them could fail with a deadlock.
 *
 * @throws AppError unavailable when the locks stay taken through all tries: by default for about fifteen seconds
 */
export async function retryLockedTransaction<T>(
  work: (tx: SqlTransaction) => Promise<T>,
  maxTries = MAX_TRIES,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inSqlTransaction(
        async (tx) => {
          await limitLockWaits.run(tx);
          return work(tx);
        },
        { statementMs: STATEMENT_TIMEOUT_MS },
      );
    } catch (error) {
      if (!LOCK_STATES.has(sqlState(error) ?? '')) throw error;
      if (tries >= maxTries) {
        throw new AppError('unavailable', 'Other requests are changing the same data. Try again.', {
          retryAfterSeconds: 5,
        });
      }
      await sleep(PAUSE_MS + Math.random() * JITTER_MS);
    }
  }
}

/** Whether `retryLockedTransaction` gave up. */
export function isLockUnavailable(error: unknown): boolean {
  return isAppError(error) && error.code === 'unavailable';
}
