import { setTimeout as sleep } from 'node:timers/promises';
import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { directDatabase } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import type { Branch } from './partitions';
import { tryLock, unlock } from './partitions-sql';

const POLL_MS = 150;
const PATIENCE_MS = 30_000;

/** Thrown when another process has been creating partitions of the branch for longer than is worth waiting. */
class BranchBusyError extends Error {
  constructor(branch: Branch) {
    super(`${branch.parent}: another process is making partitions of it`);
    this.name = 'BranchBusyError';
  }
}

/**
 * Runs `work` while no other process creates partitions of the branch. Holds no connection while it waits: all connections
 * could otherwise wait for a holder that needs one more.
 *
 * @throws BranchBusyError
 */
export async function withBranchLock<T>(
  branch: Branch,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (true) {
    const outcome = await tryBranchLock(branch, work);
    if (outcome !== null) return outcome.value;
    if (performance.now() > giveUpAt || signal?.aborted === true) throw new BranchBusyError(branch);
    await sleep(POLL_MS * (0.5 + Math.random()));
  }
}

/** Leaves the work to the other process when one creates partitions of the branch all the time. */
export async function skipWhenBusy(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BranchBusyError)) throw error;
    log().info(error.message);
  }
}

async function tryBranchLock<T>(branch: Branch, work: () => Promise<T>): Promise<{ value: T } | null> {
  const client = await directDatabase().connect();
  let broken: Error | undefined;
  try {
    const { taken } = await tryLock.one(client, branch.parent);
    if (!taken) return null;
    try {
      return { value: await work() };
    } finally {
      // A connection that cannot release the lock must not return to the pool with it.
      await unlock.run(client, branch.parent).catch((error: Error) => {
        broken = error;
      });
    }
  } finally {
    client.release(broken);
  }
}

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
