import { Refusal } from './refusal.mjs';
import { RESTART_POLICY, type RestartPolicy } from './restart-policy';
import type { Running } from './running';
import { Supervisor } from './supervisor';

/** A stop is promised within 10 s: the children get this long, in milliseconds, and PostgreSQL what is left. */
const CHILDREN_DEADLINE_MS = 8000;
const WHOLE_DEADLINE_MS = 9500;
const LEAST_FOR_POSTGRES_MS = 1000;
const SAME_REQUEST_MS = 500;

export interface ChildOptions {
  /** Whether there is no product without it: if it dies over and over before the product was ready, the start has failed. */
  isEssential: boolean;
}

/** Everything that `npm start` runs, and the order in which it ends. */
export class Service {
  readonly #children: Supervisor[] = [];
  #last: Supervisor | null = null;
  #wasReady = false;
  #askedAt: number | null = null;
  readonly #stopping = new AbortController();
  readonly #onNotice: (line: string) => void;
  readonly #policy: RestartPolicy;
  #endBecause: (reason: Refusal | null) => void = () => undefined;
  /** Resolves when it is asked to stop; rejects with a Refusal when the start has failed. */
  readonly ended: Promise<void>;

  constructor(onNotice: (line: string) => void, policy: RestartPolicy = RESTART_POLICY) {
    this.#onNotice = onNotice;
    this.#policy = policy;
    this.ended = new Promise((resolve, reject) => {
      this.#endBecause = (reason) => (reason === null ? resolve() : reject(reason));
    });
    // Whoever awaits it gets the error; before that, it must not count as unhandled.
    this.ended.catch(() => undefined);
  }

  /** Aborted when it is asked to stop. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /**
   * The first request stops everything in order, a second one at once. A request within half a second of the first is the
   * same Ctrl-C: it comes from the terminal, and again from npm.
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

  /** Starts a child and restarts it after each death. */
  supervise(name: string, start: () => Running, options: ChildOptions): Supervisor {
    const child = this.#supervise(name, start, options);
    this.#children.push(child);
    return child;
  }

  /** The same for what the children depend on, which ends after them. */
  superviseLast(name: string, start: () => Running): Supervisor {
    this.#last = this.#supervise(name, start, { isEssential: true });
    return this.#last;
  }

  /** Marks the start as a success: from now on only a request to stop ends the service. */
  markReady(): void {
    this.#wasReady = true;
  }

  /** Waits for something during the start; a stop or a failure of the start ends the waiting with an error. */
  async race<T>(work: Promise<T>): Promise<T> {
    const ended = this.ended.then(() => {
      throw new Refusal('Stopped.');
    });
    return Promise.race([work, ended]);
  }

  /** Stops the children together, then the rest, and resolves when all are gone. */
  async stopAll(): Promise<void> {
    this.#stopping.abort();
    const startedAt = performance.now();
    await Promise.all(this.#children.map((child) => child.stop(CHILDREN_DEADLINE_MS)));
    const leftMs = WHOLE_DEADLINE_MS - (performance.now() - startedAt);
    await this.#last?.stop(Math.max(leftMs, LEAST_FOR_POSTGRES_MS));
  }

  #supervise(name: string, start: () => Running, { isEssential }: ChildOptions): Supervisor {
    const supervisor = new Supervisor(name, start, {
      onNotice: this.#onNotice,
      policy: this.#policy,
      mayGiveUp: (exit) => !this.#wasReady && (isEssential || exit.isConfigFault === true),
    });
    supervisor.failed.then((reason) => this.#endBecause(new Refusal(reason)));
    return supervisor;
  }

  #stopAtOnce(): void {
    for (const child of this.#children) child.kill();
    this.#last?.kill();
    process.exit(130);
  }
}
