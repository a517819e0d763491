import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, LOCK_NOT_AVAILABLE, sqlState, type Transaction } from '@/lib/platform/db';
import { AppError, isAppError } from '@/lib/platform/errors';

/** PostgreSQL looks for a deadlock after one second of waiting: whoever gives way sooner is never in one. */
const LOCK_TIMEOUT_MS = 250;
/** Longer than any batch takes; a statement that hangs must not hold its locks for ever. */
const STATEMENT_TIMEOUT_MS = 30_000;
const [PAUSE_MS, JITTER_MS, MAX_TRIES] = [50, 150, 40];
/** For what comes again by itself. */
export const FEW_TRIES = 2;

/** With deadlock_detected. */
const LOCK_STATES = new Set([LOCK_NOT_AVAILABLE, '40P01']);

/**
 * A transaction that never waits long for a lock: it lets go of all it holds and begins again. An erasure touches rows
 * that sign-ins, refreshes and workers lock in orders of their own; were it to wait, one of them could end in a deadlock.
 *
 * @throws AppError unavailable when others hold what it needs all the time: by default for some fifteen seconds
 */
export async function yieldingTransaction<T>(work: (tx: Transaction) => Promise<T>, maxTries = MAX_TRIES): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(
        async (tx) => {
          await tx.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
          return work(tx);
        },
        { statementMs: STATEMENT_TIMEOUT_MS },
      );
    } catch (error) {
      if (!LOCK_STATES.has(sqlState(error) ?? '')) throw error;
      if (tries >= maxTries) {
        throw new AppError('unavailable', 'Too much else is going on here. Try again.', { retryAfterSeconds: 5 });
      }
      await sleep(PAUSE_MS + Math.random() * JITTER_MS);
    }
  }
}

/** Whether an error is the giving up of `yieldingTransaction`. */
export function isStillHeld(error: unknown): boolean {
  return isAppError(error) && error.code === 'unavailable';
}
