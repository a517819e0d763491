import type { IncomingMessage } from 'node:http';
import { isAlone } from '@/lib/platform/active-owners';
import { FairSemaphore, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';
import { Pace, type PaceLimits } from '@/lib/platform/pace';

const MIB = 1024 * 1024;
/**
 * Large bodies that are read at once. The connections of those that wait are not read. Each of them holds 64 KiB at least, so the bound of
 * unfinished bodies is reached before this one.
 */
const LIMITS: SemaphoreLimits = { width: 16, widthPerTenant: 2, waiting: 2_000, waitingPerTenant: 2_000 };
/** Bytes of large bodies that are read for an owner while the process works for others too. */
const PACE: PaceLimits = { perSecond: 2 * MIB, burst: MIB };
/** A body of which less arrives in this time is a slow one, and lets the next one begin. */
const [SLOW_BYTES, SLOW_MS] = [64 * 1024, 50];

const turns = () =>
  once('body-turns', () => {
    const pace = new Pace(PACE, isAlone);
    return { pace, semaphore: new FairSemaphore(LIMITS, pace) };
  });

/** A large body that is read in turn. */
export interface LargeBody {
  /** Call this when it is complete, or is not read on. */
  end(): void;
}

/**
 * Pauses a message until its owner, or its network if the owner is not known, may have a large body read. Hundreds that are read at once
 * take seconds of the thread before the first of them is complete (docs/decisions/055-bodies-in-pieces.md).
 *
 * @param sizeOf returns the bytes that have arrived
 */
export function readInTurn(
  message: IncomingMessage,
  { network, ownerId }: { network: string; ownerId: string | undefined },
  sizeOf: () => number,
): LargeBody {
  const { pace, semaphore } = turns();
  const tenant = ownerId ?? network;
  const waiting = new AbortController();
  let counted = 0;
  const declared = Number(message.headers['content-length'] ?? 0);
  // Many senders share a network, which has no pace.
  const countNew = () => {
    const bytes = ownerId === undefined ? 0 : Math.max(sizeOf(), declared) - counted;
    counted += bytes;
    return bytes;
  };
  let endTurn = () => waiting.abort();
  const begin = (release: (cost: number) => void) => {
    let [seen, seenAt] = [sizeOf(), performance.now()];
    const timer = setInterval(() => {
      // A busy thread has not read yet what has arrived.
      const isLate = performance.now() - seenAt > 2 * SLOW_MS;
      if (!isLate && sizeOf() - seen < SLOW_BYTES) return endTurn();
      [seen, seenAt] = [sizeOf(), performance.now()];
    }, SLOW_MS);
    endTurn = () => {
      endTurn = () => undefined;
      clearInterval(timer);
      release(countNew());
    };
  };
  const immediate = semaphore.tryAcquire(tenant);
  if (immediate !== null) {
    begin(immediate);
  } else {
    message.pause();
    semaphore.acquire(tenant, waiting.signal).then(
      (release) => {
        begin(release);
        message.resume();
      },
      (error: Error) => waiting.signal.aborted || message.destroy(error),
    );
  }
  const end = () => {
    endTurn();
    // What arrived after the turn.
    pace.restAfter(tenant, countNew());
  };
  return { end };
}
