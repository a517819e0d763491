import { setTimeout as sleep } from 'node:timers/promises';

/** How a process ended. */
export interface Exit {
  /** Null after a signal, or when the process could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The last line of its output, usually the reason. May be empty. */
  lastLine: string;
  /** The configuration is invalid: another start with the same one ends the same way. */
  isConfigFault?: boolean;
  isOutOfMemory?: boolean;
}

/** A process under supervision: a part of the service, or PostgreSQL. */
export interface SupervisedProcess {
  /** Resolves when the process is ready; stays pending when it exits earlier. */
  ready: Promise<void>;
  exited: Promise<Exit>;
  /** Asks the process to exit. */
  stop(): void;
  /** Kills the process. */
  kill(): void;
}

/** "worker ended (exit code 1: the reason)". */
function describeExit(name: string, { code, signal, lastLine, isOutOfMemory }: Exit): string {
  const how = signal ?? (code === null ? 'not started' : `exit code ${code}`);
  const verb = isOutOfMemory ? 'ran out of memory' : 'ended';
  return `${name} ${verb} (${lastLine === '' ? how : `${how}: ${lastLine}`})`;
}

/** Calls `start` and turns an exception into an exit, so that a full disk or process table leads to a restart too. */
function startSafely(start: () => SupervisedProcess): SupervisedProcess {
  try {
    return start();
  } catch (error) {
    const lastLine = error instanceof Error ? error.message : String(error);
    const nothing = () => undefined;
    return {
      ready: new Promise(nothing),
      exited: Promise.resolve({ code: null, signal: null, lastLine }),
      stop: nothing,
      kill: nothing,
    };
  }
}

export interface RestartPolicy {
  /** Pause before the first restart, in milliseconds; doubles after each further exit, up to `maxPauseMs`. */
  firstPauseMs: number;
  maxPauseMs: number;
  /** A child that was ready for this long restarts after the first pause again. */
  steadyMs: number;
  /** Exits in a row after which a supervisor that may give up does so. */
  quickExits: number;
}

export const RESTART_POLICY: RestartPolicy = {
  firstPauseMs: 500,
  // The service recovers from any fault within 15 s, so it cannot wait longer; one start in 10 s costs a tenth of a core.
  maxPauseMs: 10_000,
  steadyMs: 10_000,
  quickExits: 5,
};

/** Jitter, as a share of the pause: children that exit together do not restart together. */
const JITTER = 0.2;

/**
 * Returns the milliseconds to wait before the next start.
 *
 * @param exits in a row, at least 1
 * @param chance from 0 up to 1
 */
export function restartPause(policy: RestartPolicy, exits: number, chance = Math.random()): number {
  const longest = Math.min(policy.firstPauseMs * 2 ** (exits - 1), policy.maxPauseMs);
  return Math.round(longest * (1 - JITTER * chance));
}

export interface SupervisorOptions {
  /** Called with a line for each exit, and with one when the child runs again after several exits. */
  onNotice: (line: string) => void;
  /** Called at each exit: whether a repeated fault fails the start. By default it never does. */
  mayGiveUp?: (exit: Exit) => boolean;
  policy?: RestartPolicy;
}

/** Runs one child for the lifetime of the service: starts it, and restarts it after each exit, with growing pauses. */
export class Supervisor {
  readonly name: string;
  /** Resolves when the child is ready for the first time. */
  readonly ready: Promise<void>;
  /** Resolves when the child is ready or has exited for the first time. */
  readonly settled: Promise<void>;
  /** Resolves with the reason when the supervisor gives up; stays pending otherwise. */
  readonly failed: Promise<string>;
  readonly #start: () => SupervisedProcess;
  readonly #onNotice: (line: string) => void;
  readonly #mayGiveUp: (exit: Exit) => boolean;
  readonly #policy: RestartPolicy;
  readonly #stopping = new AbortController();
  readonly #finished: Promise<void>;
  #current: SupervisedProcess | null = null;
  #readyAt: number | null = null;
  #wasReady = false;
  #exits = 0;
  #onReady: () => void = () => undefined;
  #onSettled: () => void = () => undefined;

  constructor(name: string, start: () => SupervisedProcess, options: SupervisorOptions) {
    this.name = name;
    this.#start = start;
    this.#onNotice = options.onNotice;
    this.#mayGiveUp = options.mayGiveUp ?? (() => false);
    this.#policy = options.policy ?? RESTART_POLICY;
    this.ready = new Promise((resolve) => {
      this.#onReady = resolve;
    });
    this.settled = new Promise((resolve) => {
      this.#onSettled = resolve;
    });
    const run = this.#superviseUntilStopped();
    this.#finished = run.then(() => undefined);
    this.failed = run.then((reason) => reason ?? new Promise<string>(() => undefined));
  }

  /** Whether the child is ready at this moment. */
  get isRunning(): boolean {
    return this.#readyAt !== null;
  }

  /** Asks the child to exit, kills it at the deadline, and resolves when it has exited. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopping.abort();
    this.#current?.stop();
    const timer = setTimeout(() => this.#current?.kill(), deadlineMs);
    await this.#finished;
    clearTimeout(timer);
  }

  /** Kills the child and does not restart it. */
  kill(): void {
    this.#stopping.abort();
    this.#current?.kill();
  }

  /** Resolves with the reason for giving up, or null after a stop. */
  async #superviseUntilStopped(): Promise<string | null> {
    const { signal } = this.#stopping;
    for (;;) {
      const exit = await this.#runOnce();
      if (signal.aborted) return null;
      if (this.#shouldGiveUp(exit)) return this.#reasonToGiveUp(exit);
      const pauseMs = this.#pauseAfter(exit);
      this.#onNotice(`${describeExit(this.name, exit)}; restarting in ${(pauseMs / 1000).toFixed(1)} s`);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return null;
    }
  }

  async #runOnce(): Promise<Exit> {
    const run = startSafely(this.#start);
    this.#current = run;
    run.ready.then(
      () => this.#noteReady(run),
      () => undefined,
    );
    const exit = await run.exited;
    this.#current = null;
    const wasSteady = this.#readyAt !== null && performance.now() - this.#readyAt >= this.#policy.steadyMs;
    this.#readyAt = null;
    this.#exits = wasSteady ? 1 : this.#exits + 1;
    this.#onSettled();
    return exit;
  }

  #noteReady(run: SupervisedProcess): void {
    if (run !== this.#current) return;
    this.#readyAt = performance.now();
    this.#wasReady = true;
    if (this.#exits > 1) this.#onNotice(`${this.name} is running again after ${this.#exits} exits in a row`);
    this.#onReady();
    this.#onSettled();
  }

  #shouldGiveUp(exit: Exit): boolean {
    const isHopeless = exit.isConfigFault ? !this.#wasReady : this.#exits >= this.#policy.quickExits;
    return isHopeless && this.#mayGiveUp(exit);
  }

  #reasonToGiveUp(exit: Exit): string {
    if (exit.isConfigFault) return exit.lastLine;
    return `${describeExit(this.name, exit)}, as it did ${this.#exits} times in a row.`;
  }

  /** A configuration fault of a child that once ran, such as a port in use, goes away slowly if at all. */
  #pauseAfter(exit: Exit): number {
    return restartPause(this.#policy, exit.isConfigFault ? Number.POSITIVE_INFINITY : this.#exits);
  }
}
