import { AppError } from '@/lib/platform/errors';
import { FairSemaphore, SemaphoreFullError, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';

const LIMITS = {
  /**
   * What a check has read of JSON takes many times the bytes of its text, and stays while it waits for the thread: 8 MiB at worst. So an owner
   * has one at a time, and the others wait with their text.
   */
  check: { width: 20, widthPerTenant: 1, waiting: 400, waitingPerTenant: 100 },
  /** A schema is read from the database, and waits for the thread with a text of 64 KiB. Those that wait here have none yet. */
  schema: { width: 100, widthPerTenant: 10, waiting: 4_000, waitingPerTenant: 2_000 },
} as const satisfies Record<string, SemaphoreLimits>;

const places = (kind: keyof typeof LIMITS) => once(`${kind}-places`, () => new FairSemaphore(LIMITS[kind]));

/** Does work that holds much memory while it waits for the thread. @throws AppError rate_limited when too much of the owner waits */
export async function inPlace<T>(kind: keyof typeof LIMITS, ownerId: string, work: () => Promise<T>): Promise<T> {
  const release = await places(kind)
    .acquire(ownerId, new AbortController().signal)
    .catch((error: unknown) => {
      if (!(error instanceof SemaphoreFullError)) throw error;
      const detail = 'Too many of your requests wait to be checked. Send fewer at once, or smaller ones.';
      throw new AppError('rate_limited', detail, { retryAfterSeconds: 1 });
    });
  return work().finally(release);
}
