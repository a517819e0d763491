import { StartupError } from './startup-error.mjs';
import type { SupervisedProcess } from './supervisor';
import { RESTART_POLICY, type RestartPolicy, Supervisor } from './supervisor';

/** A stop takes at most 10 s: the children get this long, in milliseconds, and PostgreSQL the rest. */
const CHILDREN_DEADLINE_MS = 8000;
const WHOLE_DEADLINE_MS = 9500;
const LEAST_FOR_POSTGRES_MS = 1000;
const SAME_REQUEST_MS = 500;

export interface ChildOptions {
  /** Whether the service cannot work without it: when it keeps exiting before the service is ready, the start fails. */
  isEssential: boolean;
}

/** Runs everything that `npm start` starts, and stops it in order. */
export class Service {
  readonly #children: Supervisor[] = [];
  #last: Supervisor | null = null;
  #wasReady = false;
  #askedAt: number | null = null;
  readonly #stopping = new AbortController();
  readonly #onNotice: (line: string) => void;
  readonly #policy: RestartPolicy;
  #endBecause: (reason: StartupError | null) => void = () => undefined;
  /** Resolves on a request to stop; rejects with a StartupError when the start fails. */
  readonly ended: Promise<void>;

  constructor(onNotice: (line: string) => void, policy: RestartPolicy = RESTART_POLICY) {
    this.#onNotice = onNotice;
    this.#policy = policy;
    this.ended = new Promise((resolve, reject) => {
      this.#endBecause = (reason) => (reason === null ? resolve() : reject(reason));
    });
    // The error reaches those who await the promise; until then it must not count as unhandled.
    this.ended.catch(() => undefined);
  }

  /** Aborts on a request to stop. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /**
   * The first request stops everything in order; a second one kills everything. A second request within half a second is the
   * same Ctrl-C, which arrives from the terminal and from npm.
   */
  askToStop(): void {
    if (this.#askedAt === null) {
      this.#askedAt = performance.now();
      this.#stopping.abort();
      this.#endBecause(null);
    } else if (performance.now() - this.#askedAt > SAME_REQUEST_MS) {
      this.#stopAtOnce();
    }
  }

  /** Starts a child and restarts it after each exit. */
  supervise(name: string, start: () => SupervisedProcess, options: ChildOptions): Supervisor {
    const child = this.#supervise(name, start, options);
    this.#children.push(child);
    return child;
  }

  /** Supervises the process that the children depend on; it stops after them. */
  superviseLast(name: string, start: () => SupervisedProcess): Supervisor {
    this.#last = this.#supervise(name, start, { isEssential: true });
    return this.#last;
  }

  /** Marks the start as successful: after it, only a request to stop ends the service. */
  markReady(): void {
    this.#wasReady = true;
  }

  /** Awaits work of the start; throws when the service is asked to stop or the start fails. */
  async race<T>(work: Promise<T>): Promise<T> {
    const ended = this.ended.then(() => {
      throw new StartupError('Stopped.');
    });
    return Promise.race([work, ended]);
  }

  /** Stops the children together, then the database. Resolves when all have exited. */
  async stopAll(): Promise<void> {
    this.#stopping.abort();
    const startedAt = performance.now();
    await Promise.all(this.#children.map((child) => child.stop(CHILDREN_DEADLINE_MS)));
    const leftMs = WHOLE_DEADLINE_MS - (performance.now() - startedAt);
    await this.#last?.stop(Math.max(leftMs, LEAST_FOR_POSTGRES_MS));
  }

  #supervise(name: string, start: () => SupervisedProcess, { isEssential }: ChildOptions): Supervisor {
    const supervisor = new Supervisor(name, start, {
      onNotice: this.#onNotice,
      policy: this.#policy,
      mayGiveUp: (exit) => !this.#wasReady && (isEssential || exit.isConfigFault === true),
    });
    supervisor.failed.then((reason) => this.#endBecause(new StartupError(reason)));
    return supervisor;
  }

  #stopAtOnce(): void {
    for (const child of this.#children) child.kill();
    this.#last?.kill();
    process.exit(130);
  }
}
