import { setTimeout as sleep } from 'node:timers/promises';
import { withoutShare } from '@/lib/platform/connection-shares';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';

/** Work starts after the response has been sent, so that it does not slow the response down. */
const START_DELAY_MS = 50;
/** Work runs one after the other in each queue: a flood must not take all connections of the pool. */
const QUEUES = 4;
const MAX_UNDER_WAY = 1000;
const RETRY_AFTER_SECONDS = 5;

interface Background {
  queues: Promise<void>[];
  nextQueue: number;
  underWay: Set<Promise<void>>;
  stopping: AbortController;
}

function background(): Background {
  return once('background', () => ({
    queues: Array.from({ length: QUEUES }, () => Promise.resolve()),
    nextQueue: 0,
    underWay: new Set<Promise<void>>(),
    stopping: new AbortController(),
  }));
}

/**
 * Runs `work` after the response, outside the share of connections of the request. A failure is logged under `name` and not retried, and a killed process loses its pending
 * work: use this only for work that a person can request again.
 * @throws AppError overloaded when too much work is pending
 */
export function runInBackground(name: string, work: () => Promise<void>): void {
  const state = background();
  if (state.underWay.size >= MAX_UNDER_WAY) {
    throw new AppError('overloaded', 'Too many requests at once. Try again in a few seconds.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  const queue = state.nextQueue;
  state.nextQueue = (queue + 1) % QUEUES;
  const done = Promise.all([state.queues[queue], sleep(START_DELAY_MS)])
    .then(() => withoutShare(work))
    .catch((error: unknown) => log().error({ err: error, work: name }, 'background work failed'))
    .finally(() => state.underWay.delete(done));
  state.queues[queue] = done;
  state.underWay.add(done);
}

/**
 * Runs long work outside the queues, and outside the share of connections of a request, and returns its result. The signal aborts when the process stops.
 */
export function runLongTask<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { underWay, stopping } = background();
  const result = withoutShare(() => work(stopping.signal));
  const settled: Promise<void> = result.then(
    () => undefined,
    () => undefined,
  );
  underWay.add(settled);
  void settled.finally(() => underWay.delete(settled));
  return result;
}

/** Aborts the work of `runLongTask`. For shutdown, before waiting for requests that depend on it. */
export function abortLongTasks(): void {
  background().stopping.abort();
}

/** Waits for all work, including work that starts meanwhile. For shutdown, before the database is closed, and tests. */
export async function settleBackground(): Promise<void> {
  const { underWay } = background();
  while (underWay.size > 0) await Promise.all(underWay);
}
