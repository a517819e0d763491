import { SECOND_MS } from '@/lib/platform/clock';

/** How long a process that is to stop waits for the batch under way: it has 7 s in all (lib/platform/process.ts). */
const GRACE_MS = 4 * SECOND_MS;

/**
 * How long a run that lost its lock waits: PostgreSQL ends every statement of a batch within 30 s (batches.ts). An answer
 * that has not come by then was lost with the network, and on a silent connection would be waited for until a restart.
 */
const LOST_GRACE_MS = 45 * SECOND_MS;

export interface StopReasons {
  /** The process is to stop. */
  asked?: AbortSignal | undefined;
  /** Another may have the lock by now. */
  lockLost: AbortSignal;
  /** Milliseconds the run may take; undefined: as long as it needs. */
  timeLimitMs?: number | undefined;
}

/**
 * Everything that ends a run before its work is done, as one signal. Not made of AbortSignal.any and AbortSignal.timeout: in
 * Node 20 the one leaks under a signal as old as the process, and the other may be collected before it fires.
 */
export class StopConditions {
  readonly #reasons: StopReasons;
  readonly #ending = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #patienceEnds: Promise<void>;
  #endPatience: () => void = () => undefined;
  #isOutOfTime = false;

  constructor(reasons: StopReasons) {
    this.#reasons = reasons;
    this.#patienceEnds = new Promise((resolve) => {
      this.#endPatience = resolve;
    });
    listen(reasons.asked, this.#onAsked);
    listen(reasons.lockLost, this.#onLockLost);
    if (reasons.timeLimitMs !== undefined) this.#timers.push(setTimeout(this.#onTimeOver, reasons.timeLimitMs));
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get isAskedToStop(): boolean {
    return this.#reasons.asked?.aborted === true;
  }

  get isLockLost(): boolean {
    return this.#reasons.lockLost.aborted;
  }

  get isOutOfTime(): boolean {
    return this.#isOutOfTime;
  }

  /**
   * Waits for a step, and no longer than the grace period once the process is to stop, or the lock was lost: what is given up
   * then, the database rolls back when the process or its connection has gone.
   */
  async waitFor(step: Promise<void>): Promise<void> {
    await Promise.race([step, this.#patienceEnds]);
  }

  /** Forgets the timers and the listeners. */
  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#reasons.asked?.removeEventListener('abort', this.#onAsked);
    this.#reasons.lockLost.removeEventListener('abort', this.#onLockLost);
  }

  readonly #onAsked = () => {
    this.#timers.push(setTimeout(this.#endPatience, GRACE_MS));
    this.#ending.abort();
  };

  readonly #onLockLost = () => {
    this.#timers.push(setTimeout(this.#endPatience, LOST_GRACE_MS));
    this.#ending.abort();
  };

  readonly #onTimeOver = () => {
    this.#isOutOfTime = true;
    this.#ending.abort();
  };
}

function listen(signal: AbortSignal | undefined, handle: () => void): void {
  if (signal?.aborted === true) handle();
  else signal?.addEventListener('abort', handle);
}
