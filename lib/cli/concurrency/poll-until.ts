import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_MS = 100;
const LONGEST_MS = 2_000;
const GROWTH = 1.5;

export interface PollOptions {
  timeoutMs: number;
  /** Ends the polling with an error. */
  signal: AbortSignal;
}

/**
 * Asks again, at growing intervals, until the response is final or the time is up.
 * @returns the last response, which is not final when the time was up
 */
export async function pollUntil<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  isFinal: (response: T) => boolean,
  { timeoutMs, signal }: PollOptions,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  let last = await ask(signal);
  for (let ms = FIRST_MS; !isFinal(last); ms = Math.min(ms * GROWTH, LONGEST_MS)) {
    try {
      await sleep(ms, undefined, { signal: either });
      last = await ask(either);
    } catch (error) {
      if (timeout.aborted && !signal.aborted) return last;
      throw error;
    }
  }
  return last;
}
