import { recheckAfter } from './connection-shares';
import { AppError } from './errors';
import { FairSemaphore, SemaphoreFullError } from './fair-semaphore';
import { once } from './globals';

const MAX_WAITING = 50;
const RETRY_AFTER_SECONDS = 1;

/**
 * Runs changes of one row after the other in this process. Waiting for the lock of a row occupies a connection, so thirty requests for
 * one row would take those of everybody.
 * @param rowId the row that `work` locks
 * @throws AppError rate_limited when 50 wait for the row
 */
export async function inRowTurn<T>(rowId: string, work: () => Promise<T>): Promise<T> {
  const turns = once('row-turns', () => {
    const width = Number.POSITIVE_INFINITY;
    const waiting = Number.POSITIVE_INFINITY;
    return new FairSemaphore({ width, widthPerTenant: 1, waiting, waitingPerTenant: MAX_WAITING });
  });
  const startedAt = performance.now();
  const release = await turns.acquire(rowId, new AbortController().signal).catch((error: unknown) => {
    if (!(error instanceof SemaphoreFullError)) throw error;
    const retryAfterSeconds = RETRY_AFTER_SECONDS;
    throw new AppError('rate_limited', 'Too many changes of the same resource are waiting.', { retryAfterSeconds });
  });
  try {
    await recheckAfter(performance.now() - startedAt);
    return await work();
  } finally {
    release();
  }
}
