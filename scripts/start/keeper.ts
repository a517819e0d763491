import { setTimeout as sleep } from 'node:timers/promises';

/** How something that was started has ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The last thing it said, which usually is the reason. */
  lastLine: string;
  /** Whether another try is pointless. */
  forGood?: boolean;
}

/** Something started once: a child process or the database server. */
export interface Running {
  /** Resolves once it does its work; stays pending when it ends before. */
  ready: Promise<void>;
  exited: Promise<Exit>;
  /** Asks it to end. */
  stop(): void;
  /** Ends it at once. */
  kill(): void;
}

export interface Policy {
  /** Pause before the first restart, in milliseconds; doubles with each further one, up to `maxPauseMs`. */
  firstPauseMs: number;
  maxPauseMs: number;
  /** Deaths in a row, each sooner than `steadyMs` after its start, that end the trying. */
  quickDeaths: number;
  steadyMs: number;
}

export const POLICY: Policy = { firstPauseMs: 500, maxPauseMs: 30_000, quickDeaths: 5, steadyMs: 60_000 };

/** Keeps something running: starts it, and again after each death, with growing pauses. */
export class Keeper {
  readonly name: string;
  /** Resolves when it has first become ready. */
  readonly ready: Promise<void>;
  /** Resolves with the reason when it has been given up. */
  readonly gaveUp: Promise<string>;
  readonly #start: () => Running;
  readonly #policy: Policy;
  readonly #onRestart: (line: string) => void;
  readonly #stopping = new AbortController();
  readonly #finished: Promise<void>;
  #current: Running | null = null;
  #onReady: () => void = () => undefined;

  constructor(name: string, start: () => Running, onRestart: (line: string) => void, policy: Policy = POLICY) {
    this.name = name;
    this.#start = start;
    this.#onRestart = onRestart;
    this.#policy = policy;
    this.ready = new Promise((resolve) => {
      this.#onReady = resolve;
    });
    const run = this.#keepRunning();
    this.#finished = run.then(() => undefined);
    // Pending for as long as it is kept running, and for ever when it was stopped on purpose.
    this.gaveUp = run.then((reason) => reason ?? new Promise<string>(() => undefined));
  }

  /** Asks it to end, ends it at the deadline, and resolves when it is gone. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopping.abort();
    this.#current?.stop();
    const timer = setTimeout(() => this.#current?.kill(), deadlineMs);
    await this.#finished;
    clearTimeout(timer);
  }

  /** Ends it at once; it is not started again. */
  kill(): void {
    this.#stopping.abort();
    this.#current?.kill();
  }

  /** Resolves with the reason of giving up, or with null when it was asked to stop. */
  async #keepRunning(): Promise<string | null> {
    const { steadyMs, quickDeaths, firstPauseMs, maxPauseMs } = this.#policy;
    for (let deaths = 0; ; ) {
      const startedAt = performance.now();
      this.#current = this.#start();
      this.#current.ready.then(this.#onReady, () => undefined);
      const exit = await this.#current.exited;
      if (this.#stopping.signal.aborted) return null;
      deaths = performance.now() - startedAt >= steadyMs ? 1 : deaths + 1;
      if (exit.forGood || deaths >= quickDeaths) return reasonFor(this.name, exit, deaths);
      const pauseMs = Math.min(firstPauseMs * 2 ** (deaths - 1), maxPauseMs);
      this.#onRestart(`${this.name} ended (${describeExit(exit)}); starting it again in ${pauseMs / 1000} s`);
      await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (this.#stopping.signal.aborted) return null;
    }
  }
}

function reasonFor(name: string, exit: Exit, deaths: number): string {
  if (exit.forGood) return exit.lastLine;
  return `${name} ended ${deaths} times in a row, the last time with ${describeExit(exit)}.`;
}

function describeExit({ code, signal, lastLine }: Exit): string {
  const how = signal ?? `exit code ${code}`;
  return lastLine === '' ? how : `${how}: ${lastLine}`;
}
