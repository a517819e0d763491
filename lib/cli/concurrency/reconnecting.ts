import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '@/lib/cli/context';
import { describeError } from '@/lib/cli/describe-error';
import { sanitize } from '@/lib/cli/output/sanitize';
import { isApiError, NetworkError } from '@/lib/client';

const FIRST_MS = 1_000;
const LONGEST_MS = 10_000;

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
        await sleep(Math.max(askedMs, Math.min(FIRST_MS * 2 ** failures, LONGEST_MS)), undefined, { signal });
      }
    }
  }

  #noteAway(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.context.out.note(`${sanitize(describeError(error).message)} Trying again…`);
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
