import { AppError } from '@/lib/platform/errors';
import { FairSemaphore, SemaphoreFullError, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';

/**
 * What a check has read of JSON takes many times the bytes of its text, and stays while it waits for the thread: 8 MiB at worst. So an owner
 * has one at a time, and the others wait with their text.
 */
const LIMITS: SemaphoreLimits = { width: 20, widthPerTenant: 1, waiting: 400, waitingPerTenant: 100 };

const places = () => once('check-places', () => new FairSemaphore(LIMITS));

/** Does work that holds much memory while it waits for the thread. @throws AppError rate_limited when too much of the owner waits */
export async function inPlace<T>(ownerId: string, work: () => Promise<T>): Promise<T> {
  const release = await places()
    .acquire(ownerId, new AbortController().signal)
    .catch((error: unknown) => {
      if (!(error instanceof SemaphoreFullError)) throw error;
      const detail = 'Too many of your requests wait to be checked. Send fewer at once, or smaller ones.';
      throw new AppError('rate_limited', detail, { retryAfterSeconds: 1 });
    });
  return work().finally(release);
}
