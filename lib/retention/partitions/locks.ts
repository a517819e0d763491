import { setTimeout as sleep } from 'node:timers/promises';
import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';

const RETRY_MS = 400;
const JITTER_MS = 200;

export interface LockRetries {
  /** Each takes about half a second. */
  maxTries?: number;
  /** Ends the wait between two tries. */
  signal?: AbortSignal | undefined;
}

const MAX_TRIES = 50;

/**
 * Repeats work that could not get its lock.
 *
 * @param what its name in the error
 * @throws Error when every try times out waiting for the lock, or when the signal ends the wait
 */
export async function withLockRetries<T>(what: string, options: LockRetries, work: () => Promise<T>): Promise<T> {
  const { maxTries = MAX_TRIES, signal } = options;
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) !== SQL_STATE.lockNotAvailable) throw error;
      if (tries >= maxTries || signal?.aborted === true) {
        throw new Error(`${what}: could not get its lock in time`, { cause: error });
      }
      await sleep(RETRY_MS + Math.random() * JITTER_MS, undefined, signal === undefined ? {} : { signal }).catch(
        () => undefined,
      );
    }
  }
}
