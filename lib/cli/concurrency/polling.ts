import { setTimeout as sleep } from 'node:timers/promises';
import { describeError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { Progress } from '@/lib/cli/output/progress';
import { isApiError, NetworkError } from '@/lib/client';

const JOB_POLL_MS = 500;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 10_000;

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

interface JobCalls<Job> {
  read: (job: Job) => Promise<Job>;
  /** Called after Ctrl-C, when `context.signal` is aborted already. */
  cancel: (job: Job) => Promise<Job>;
  /** How far it is: "Retried 20 of 50 deliveries". */
  describe: (job: Job) => string;
}

/**
 * Polls until a job of the server has ended, and shows its progress. Ctrl-C cancels it: whoever stops the command wants no more
 * of it done.
 */
export async function followJob<Job extends { status: string }>(
  { signal, terminal, out }: Context,
  started: Job,
  { read, cancel, describe }: JobCalls<Job>,
): Promise<Job> {
  let current = started;
  const progress = new Progress(terminal);
  try {
    while (current.status === 'RUNNING') {
      progress.show(`${describe(current)}…`);
      await sleep(JOB_POLL_MS, undefined, { signal });
      current = await read(current);
    }
    return current;
  } catch (error) {
    progress.clear();
    if (!signal.aborted) throw error;
    out.note(`Canceled. ${describe(await cancel(current))}. Those are still sent.`);
    throw error;
  } finally {
    progress.clear();
  }
}

/** Repeats requests until the server is back, and says once that it is away and once that it is back. */
export class Reconnecting {
  #isAway = false;

  constructor(private readonly context: Context) {}

  /** Runs a request until it succeeds. @throws an error that does not pass by itself, or the reason of the signal */
  async run<T>(request: () => Promise<T>): Promise<T> {
    const { signal } = this.context;
    for (let failures = 0; ; failures += 1) {
      try {
        const result = await request();
        this.#noteBack();
        return result;
      } catch (error) {
        if (signal.aborted || !isTemporary(error)) throw error;
        this.#noteAway(error);
        const askedMs = isApiError(error) ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
        await sleep(Math.max(askedMs, Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS)), undefined, {
          signal,
        });
      }
    }
  }

  #noteAway(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.context.out.note(`${describeError(error).message} Trying again…`);
  }

  #noteBack(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.context.out.note('The server is back.');
  }
}

function isTemporary(error: unknown): boolean {
  if (!isApiError(error)) return error instanceof NetworkError;
  return error.status === 429 || error.status >= 500 || error.code === 'unexpected_response';
}
