import { setTimeout as sleep } from 'node:timers/promises';
import { LOCK_NOT_AVAILABLE, sqlState } from '@/lib/platform/db';

/**
 * For DDL on tables in use. It gives up soon: every later write waits behind a lock that is waited for. With the time of
 * the work that is done under the lock then, no write stands still for more than 150 ms.
 */
export const DDL_LOCK_TIMEOUT_MS = 75;

const [RETRY_MS, JITTER_MS] = [400, 200];

export interface LockRetries {
  /** Of half a second each, about. */
  maxTries?: number;
  /** Ends the waiting between two tries. */
  signal?: AbortSignal | undefined;
}

const MAX_TRIES = 50;

/**
 * Does again what could not get its lock at once.
 *
 * @param what names it in the error
 * @throws Error when others hold the lock at every try, or the signal ends the waiting; no longer lock_not_available
 */
export async function withLockRetries<T>(what: string, options: LockRetries, work: () => Promise<T>): Promise<T> {
  const { maxTries = MAX_TRIES, signal } = options;
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      if (tries >= maxTries || signal?.aborted === true) {
        throw new Error(`${what}: others hold its lock for too long`, { cause: error });
      }
      await sleep(RETRY_MS + Math.random() * JITTER_MS, undefined, signal === undefined ? {} : { signal }).catch(
        () => undefined,
      );
    }
  }
}
