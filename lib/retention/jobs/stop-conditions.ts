import { SECOND_MS } from '@/lib/platform/clock';

/** How long a stopping process waits for the batch under way. It has 7 s in total (lib/platform/process.ts). */
const GRACE_MS = 4 * SECOND_MS;

/**
 * How long a run that lost its lock waits. PostgreSQL ends every statement of a batch within 30 s (batches.ts). A result that
 * has not arrived by then was lost with the network; on a silent connection the run would wait for it until a restart.
 */
const LOST_GRACE_MS = 45 * SECOND_MS;

interface StopReasons {
  /** The process must stop. */
  asked?: AbortSignal | undefined;
  /** Another process may have the lock. */
  lockLost: AbortSignal;
  /** Undefined: no limit. */
  timeLimitMs?: number | undefined;
}

/**
 * Everything that ends a run before its work is done, as one signal. AbortSignal.any and AbortSignal.timeout are of no use
 * here: in Node 20 the one leaks under a signal as old as the process, and the other may be collected before it fires.
 */
export class StopConditions {
  readonly #reasons: StopReasons;
  readonly #ending = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #graceEnds: Promise<void>;
  #endGrace: () => void = () => undefined;
  #isOutOfTime = false;

  constructor(reasons: StopReasons) {
    this.#reasons = reasons;
    this.#graceEnds = new Promise((resolve) => {
      this.#endGrace = resolve;
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
   * Waits for a step; once the process must stop or the lock is lost, only for the grace period. The database rolls back the
   * abandoned batch when the process or its connection ends.
   */
  async waitFor(step: Promise<void>): Promise<void> {
    await Promise.race([step, this.#graceEnds]);
  }

  /** Removes the timers and listeners. */
  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#reasons.asked?.removeEventListener('abort', this.#onAsked);
    this.#reasons.lockLost.removeEventListener('abort', this.#onLockLost);
  }

  readonly #onAsked = () => {
    this.#timers.push(setTimeout(this.#endGrace, GRACE_MS));
    this.#ending.abort();
  };

  readonly #onLockLost = () => {
    this.#timers.push(setTimeout(this.#endGrace, LOST_GRACE_MS));
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
