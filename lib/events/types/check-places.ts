import { SECOND_MS } from '@/lib/platform/clock';
import { AppError } from '@/lib/platform/errors';
import { FairSemaphore, type Release, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';
import { holdingPlace } from '@/lib/platform/place-holder';
import { restOfThread } from '@/lib/platform/thread-turns';

const LIMITS = {
  /**
   * What a check has read of JSON takes many times the bytes of its text, and stays while it waits for the thread: 8 MiB at worst. The others
   * wait with their text. Few at once share the thread, so that a place is soon free.
   */
  check: { width: 4, widthPerTenant: 1, waiting: 400, waitingPerTenant: 100 },
  /** The same of checks that take long, which nobody else waits for. */
  longCheck: { width: 2, widthPerTenant: 1, waiting: 400, waitingPerTenant: 100 },
  /** A schema is read from the database, and waits for the thread with a text of 64 KiB. Those that wait here have none yet. */
  schema: { width: 100, widthPerTenant: 10, waiting: 4_000, waitingPerTenant: 2_000 },
} as const satisfies Record<string, SemaphoreLimits>;

/** A check that waits for longer gets 503, or 429 if it waits for others of its owner. */
const LONGEST_WAIT_MS = 10 * SECOND_MS;

/** A check costs what it uses of the thread. Who has a place does not rest with it, but afterwards. */
const pace = { mostUsed: 50, restAfter: restOfThread };
const places = (kind: keyof typeof LIMITS) => once(`${kind}-places`, () => new FairSemaphore(LIMITS[kind], pace));

/**
 * Does work that holds much memory while it waits for the thread.
 * @param beforeWaiting called if no place is free
 * @throws AppError overloaded, or rate_limited when too much of the owner waits
 */
export async function inPlace<T>(
  kind: keyof typeof LIMITS,
  ownerId: string,
  work: () => Promise<T>,
  beforeWaiting = () => {},
): Promise<T> {
  let release = places(kind).tryAcquire(ownerId);
  if (release === null) {
    beforeWaiting();
    release = await wait(kind, ownerId);
  }
  return holdingPlace(work, release);
}

async function wait(kind: keyof typeof LIMITS, ownerId: string): Promise<Release> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), LONGEST_WAIT_MS).unref();
  return places(kind)
    .acquire(ownerId, late.signal)
    .catch(() => {
      throw refusal(places(kind).hasShareLeft(ownerId));
    })
    .finally(() => clearTimeout(timer));
}

function refusal(isOverloaded: boolean): AppError {
  if (isOverloaded) {
    return new AppError('overloaded', 'Too much waits to be checked. Try again shortly.', { retryAfterSeconds: 5 });
  }
  const detail = 'Too many of your requests wait to be checked. Send fewer at once, or smaller ones.';
  return new AppError('rate_limited', detail, { retryAfterSeconds: 1 });
}
