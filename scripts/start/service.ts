import { Keeper, type Running } from './keeper';
import { Refusal } from './refusal.mjs';

/** A stop is promised within 10 s: the children get this long, in milliseconds, and PostgreSQL what is left. */
const CHILDREN_DEADLINE_MS = 8000;
const WHOLE_DEADLINE_MS = 9500;
const LEAST_FOR_POSTGRES_MS = 1000;
const SAME_REQUEST_MS = 500;

/** Everything `npm start` keeps running, and the order in which it ends. */
export class Service {
  readonly #children: Keeper[] = [];
  #last: Keeper | null = null;
  #askedAt: number | null = null;
  readonly #stopping = new AbortController();
  readonly #onNotice: (line: string) => void;
  #endBecause: (reason: Refusal | null) => void = () => undefined;
  /** Resolves when it was asked to stop; rejects with a Refusal when something has been given up. */
  readonly ended: Promise<void>;

  constructor(onNotice: (line: string) => void) {
    this.#onNotice = onNotice;
    this.ended = new Promise((resolve, reject) => {
      this.#endBecause = (reason) => (reason === null ? resolve() : reject(reason));
    });
    // Heard by whoever awaits it; until then it must not count as unhandled.
    this.ended.catch(() => undefined);
  }

  /** Aborted when it was asked to stop. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /**
   * The first time everything is stopped in order, a second time at once. What follows within half a second is the same
   * Ctrl-C: the terminal sends it to us, and npm passes its own on.
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

  /** Keeps a child running. Resolves when it is first ready. */
  keep(name: string, start: () => Running): Promise<void> {
    return this.#keep(name, start, (keeper) => this.#children.push(keeper));
  }

  /** Keeps running what the children stand on: it ends after them. */
  keepLast(name: string, start: () => Running): Promise<void> {
    return this.#keep(name, start, (keeper) => {
      this.#last = keeper;
    });
  }

  /** Waits for something no longer than the service goes on: a stop or a giving up ends the waiting with an error. */
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

  #keep(name: string, start: () => Running, add: (keeper: Keeper) => void): Promise<void> {
    const keeper = new Keeper(name, start, this.#onNotice);
    add(keeper);
    keeper.gaveUp.then((reason) => this.#endBecause(new Refusal(reason)));
    return keeper.ready;
  }

  #stopAtOnce(): void {
    for (const keeper of this.#children) keeper.kill();
    this.#last?.kill();
    process.exit(130);
  }
}
