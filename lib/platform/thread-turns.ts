import type { ClientInfo } from './client-info';
import { AppError, isAppError } from './errors';
import { FairSemaphore, type Release, SemaphoreFullError, type SemaphoreLimits } from './fair-semaphore';
import { once } from './globals';
import { isPassUsedUp } from './loop-pass';
import { isAlone, type PaceLimits } from './pace';
import { currentHolder, paceWithHolders, waitingTenant } from './place-holder';
import { SharedPace } from './shared-pace';
import { type RateLimits, SharedRate } from './shared-rate';

/** One turn at a time. The bytes that wait are bounded by UnfinishedBodies. */
const LIMITS: SemaphoreLimits = { width: 1, widthPerTenant: 1, waiting: 4_000, waitingPerTenant: 2_000 };
/** After work that takes longer, the thread serves others before the next turn, even if the owner is alone: others may just arrive. */
const SHORT_MS = 2;
/** What a long parse leaves to the garbage collector takes the thread for three times as long, at worst: that of deeply nested arrays. */
const GARBAGE_FACTOR = 4;
/**
 * Milliseconds of the thread that an owner's bodies may take while the process works for others too. An owner rests for two seconds at
 * most, which is what a job of 25 ms costs with its garbage: one that was alone until now owes as much, and a large answer gets 429
 * after three seconds.
 */
const PACE: PaceLimits = { perSecond: 50, burst: 50, mostOwed: 100 };
/** Milliseconds of the thread that the bodies of all owners share: twenty owners at their own pace take all of it. They rest as long, too. */
const SHARED: RateLimits = { perSecond: 300, atOnce: 20, mostOwed: 600 };
/**
 * What the jobs of all owners that hold places share of it, garbage aside. Others wait for these places, so they have more. Half is left to
 * requests that need no turn: beside slices that follow one another, each of their steps waits for one.
 */
const HOLDERS: RateLimits = { perSecond: 500, atOnce: 20, mostOwed: 100 };

const turns = () =>
  once('thread-turns', () => {
    const pace = new SharedPace(PACE, SHARED);
    const holders = new SharedRate(HOLDERS);
    const restOfHolder = (ownerId: string, cost: number) => (isAlone(ownerId) ? 0 : holders.count(ownerId, msOf(cost)));
    return { pace, semaphore: new FairSemaphore(LIMITS, paceWithHolders(pace, restOfHolder)) };
  });

/**
 * Does work that keeps the thread busy, such as parsing, when it is the turn of the request's owner. Its time is counted exactly, as nothing
 * else runs meanwhile. While the owner is not known, nothing is counted.
 *
 * @param needed returns a signal that ends the wait
 * @throws AppError rate_limited when too many of the owner's bodies wait; the reason of the signal
 */
export async function inThreadTurn<T>(client: ClientInfo, needed: () => AbortSignal, work: () => T): Promise<T> {
  if (client.ownerId === undefined) return work();
  return doAndRelease(await takeTurn(client.ownerId, client, needed), work);
}

async function takeTurn(ownerId: string, client: ClientInfo, needed: () => AbortSignal): Promise<Release> {
  const tenant = waitingTenant(ownerId);
  return turns().semaphore.tryAcquire(tenant) ?? (await wait(tenant, client, needed));
}

/** Does work like `countThread` unless the owner has to rest, for work that may be left undone. @returns null when it is left undone */
export function inThreadTurnNow<T>(ownerId: string, work: () => T): T | null {
  return turns().pace.mustRest(ownerId) ? null : countThread(ownerId, work);
}

function doAndRelease<T>(release: Release, work: () => T): T {
  const startedAt = performance.now();
  try {
    return work();
  } finally {
    const ms = performance.now() - startedAt;
    payAsHolder(ms);
    if (!isPassUsedUp(ms) && ms < SHORT_MS) release(ms);
    else setImmediate(() => release(costOf(ms)));
  }
}

/**
 * Waits for the turn of a request's owner like `inThreadTurn`, and keeps it while the callbacks that follow run: for work that is done
 * later, in `countThread`.
 */
export async function waitForThread(client: ClientInfo, needed: () => AbortSignal): Promise<void> {
  if (client.ownerId === undefined) return;
  const release = await takeTurn(client.ownerId, client, needed);
  // A turn without a cost would not rest for what `countThread` counts.
  setImmediate(() => release(Number.MIN_VALUE));
}

async function wait(tenant: string, { disconnectSignal }: ClientInfo, needed: () => AbortSignal) {
  const signals = [needed(), ...(disconnectSignal === undefined ? [] : [disconnectSignal()])];
  return turns()
    .semaphore.acquire(tenant, AbortSignal.any(signals))
    .catch((error: unknown) => {
      if (isAppError(error)) throw error;
      throw error instanceof SemaphoreFullError
        ? refusal()
        : new AppError('invalid_request', 'The client disconnected before the body was parsed.');
    });
}

/** Does work like `inThreadTurn`, at once: its time delays the next turn of the owner. */
export function countThread<T>(ownerId: string | undefined, work: () => T): T {
  const startedAt = performance.now();
  try {
    return work();
  } finally {
    payForThread(ownerId, performance.now() - startedAt);
  }
}

/** Counts what work of an owner took of the thread, as `countThread` does. */
export function payForThread(ownerId: string | undefined, ms: number): void {
  // Work that follows a turn, such as a short check, delays the turns of others.
  isPassUsedUp(ms);
  if (ownerId !== undefined) turns().semaphore.count(ownerId, costOf(ms));
  payAsHolder(ms);
}

function payAsHolder(ms: number): void {
  const holder = currentHolder();
  if (holder !== undefined) holder.threadMs += costOf(ms);
}

/** Returns for how many milliseconds an owner has to rest: after a job that held a place, before the next one. */
export function restOfThread(ownerId: string): number {
  return turns().pace.owedMs(ownerId);
}

function costOf(ms: number): number {
  return ms < SHORT_MS ? ms : ms * GARBAGE_FACTOR;
}

/** Without garbage. */
const msOf = (cost: number) => (cost < SHORT_MS ? cost : cost / GARBAGE_FACTOR);

function refusal(): AppError {
  const detail = 'Too many of your requests wait to be parsed. Send fewer at once, or smaller ones.';
  return new AppError('rate_limited', detail, { retryAfterSeconds: 1 });
}
