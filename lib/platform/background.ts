import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';

/** Work begins when the answer has left: what it costs must not be felt in the time of the answer. */
const START_DELAY_MS = 50;
/** Lanes of work, one after the other in each: a flood must not take every connection of the pool. */
const LANES = 4;
const MAX_UNDER_WAY = 1000;
const RETRY_AFTER_SECONDS = 5;

interface Background {
  lanes: Promise<void>[];
  nextLane: number;
  underWay: Set<Promise<void>>;
  stopping: AbortController;
}

function background(): Background {
  return once('background', () => ({
    lanes: Array.from({ length: LANES }, () => Promise.resolve()),
    nextLane: 0,
    underWay: new Set<Promise<void>>(),
    stopping: new AbortController(),
  }));
}

/**
 * Does `work` after the answer. A failure is logged under `name` and tried no more; a process that is killed loses what
 * has not been done. So this is for what a person can ask for again.
 * @throws AppError overloaded when too much is under way
 */
export function runInBackground(name: string, work: () => Promise<void>): void {
  const state = background();
  if (state.underWay.size >= MAX_UNDER_WAY) {
    throw new AppError('overloaded', 'Too much is being asked for at once. Try again in a few seconds.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  const lane = state.nextLane;
  state.nextLane = (lane + 1) % LANES;
  const done = Promise.all([state.lanes[lane], sleep(START_DELAY_MS)])
    .then(work)
    .catch((error: unknown) => log().error({ err: error, work: name }, 'work after an answer failed'))
    .finally(() => state.underWay.delete(done));
  state.lanes[lane] = done;
  state.underWay.add(done);
}

/**
 * Does work that may last, beside the lanes, and gives its result to whoever still waits for it. The signal tells it that
 * the process is to stop.
 */
export function runLasting<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { underWay, stopping } = background();
  const result = work(stopping.signal);
  const settled: Promise<void> = result.then(
    () => undefined,
    () => undefined,
  );
  underWay.add(settled);
  void settled.finally(() => underWay.delete(settled));
  return result;
}

/** Tells what `runLasting` has begun to end. For shutdown, before requests that wait for it are waited for. */
export function stopLasting(): void {
  background().stopping.abort();
}

/** Waits until all work is done, also what is begun meanwhile. For shutdown, before the database is closed, and tests. */
export async function settleBackground(): Promise<void> {
  const { underWay } = background();
  while (underWay.size > 0) await Promise.all(underWay);
}
