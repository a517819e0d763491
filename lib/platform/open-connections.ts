import { SECOND_MS } from '@/lib/platform/clock';
import { withoutShare } from '@/lib/platform/connection-shares';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { groupBy } from '@/lib/platform/group-by';
import { log } from '@/lib/platform/log';

/** The channel on which the database tells which session, key, person, project or organization has lost access. */
export const ACCESS_CHANNEL = 'eds_access';

/** Finds what no notification told, while the listener has no connection for example. */
const CHECK_MS = 5 * SECOND_MS;
/** A connection ends when its caller could not be checked for this long. */
const MAX_UNCHECKED_MS = 30 * SECOND_MS;
/** Callers in a statement. */
const MAX_BATCH = 1_000;

/** What a check found out about a caller. */
export interface Verdict {
  /** Why the caller has no access any more; null while it has. */
  refusal: AppError | null;
  /** Milliseconds until its access ends by itself; null when it does not. */
  endsInMs: number | null;
}

/** Checks callers, and returns a verdict for each, in their order. */
export type CheckCallers<Caller> = (callers: readonly Caller[]) => Promise<readonly Verdict[]>;

/** What is known of the caller of an open connection. */
export interface OpenAccess {
  /** Whether it has not been checked since it was opened, or since a notification named it. */
  readonly isInDoubt: boolean;
  /** Checks a caller that is in doubt. Resolves after that, also when the check failed. */
  checked(): Promise<void>;
  /** Call this when the connection has ended. */
  release(): void;
}

/** Watches the caller of a connection that stays open. `end` is called once, when the caller has no access any more. */
export type WhileAllowed = (end: (reason: AppError) => void) => OpenAccess;

/** For connections whose callers have nothing that can end. */
export const ALWAYS_ALLOWED: WhileAllowed = () => ({
  isInDoubt: false,
  checked: async () => undefined,
  release: () => undefined,
});

interface Watched {
  caller: unknown;
  check: CheckCallers<unknown>;
  /** Notifications of these concern it. */
  ids: readonly string[];
  end(reason: AppError): void;
  isInDoubt: boolean;
  /** When its last good check began, by performance.now(). */
  checkedAtMs: number;
  expiry: NodeJS.Timeout | undefined;
}

/**
 * The connections of a process that stay open: tunnels, streams and downloads. Each ends within a second of its caller's access,
 * by notification or by a timer (docs/decisions/060-revocation-ends-open-connections.md).
 */
export class OpenConnections {
  readonly #all = new Set<Watched>();
  readonly #byId = new Map<string, Set<Watched>>();
  readonly #due = new Set<Watched>();
  #interval: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #isFailing = false;

  constructor(private readonly checkMs = CHECK_MS) {}

  get size(): number {
    return this.#all.size;
  }

  /** Watches a caller until it is released. It is checked at once: its access may have ended since it was admitted. */
  watch<Caller>(
    caller: Caller,
    check: CheckCallers<Caller>,
    ids: readonly string[],
    end: (reason: AppError) => void,
  ): OpenAccess {
    const started = { caller, check: check as CheckCallers<unknown>, ids, end };
    const watched: Watched = { ...started, isInDoubt: true, checkedAtMs: performance.now(), expiry: undefined };
    this.#all.add(watched);
    for (const id of ids) this.#byId.set(id, (this.#byId.get(id) ?? new Set()).add(watched));
    this.#interval ??= setInterval(() => this.#checkSoon(this.#all), this.checkMs).unref();
    this.#checkSoon([watched]);
    return {
      get isInDoubt() {
        return watched.isInDoubt;
      },
      checked: async () => {
        if (watched.isInDoubt && this.#all.has(watched)) this.#checkSoon([watched]);
        await this.#running;
      },
      release: () => this.#remove(watched),
    };
  }

  /** Receives a notification. An empty one follows each connect of the listener: others may have been missed. */
  receive(id: string): void {
    this.#doubt(id === '' ? this.#all : (this.#byId.get(id) ?? []));
  }

  #doubt(watched: Iterable<Watched>): void {
    for (const each of watched) each.isInDoubt = true;
    this.#checkSoon(watched);
  }

  #checkSoon(watched: Iterable<Watched>): void {
    for (const each of watched) this.#due.add(each);
    if (this.#due.size > 0) this.#running ??= withoutShare(() => this.#checkDue());
  }

  async #checkDue(): Promise<void> {
    // Those that are due in the same turn share a statement.
    await Promise.resolve();
    try {
      while (this.#due.size > 0) await this.#checkBatch([...this.#due].slice(0, MAX_BATCH));
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) log().warn({ err: error }, 'access of open connections could not be checked; trying again');
      this.#isFailing = true;
      this.#endUnchecked();
    }
    this.#running = null;
  }

  async #checkBatch(batch: readonly Watched[]): Promise<void> {
    const startedAtMs = performance.now();
    for (const [check, group] of groupBy(batch, (watched) => watched.check)) {
      // A notification that arrives during the check makes it due again.
      for (const each of group) this.#due.delete(each);
      const verdicts = await check(group.map(({ caller }) => caller));
      for (const [index, each] of group.entries()) this.#apply(each, verdicts[index] as Verdict, startedAtMs);
    }
  }

  #apply(watched: Watched, { refusal, endsInMs }: Verdict, startedAtMs: number): void {
    if (!this.#all.has(watched)) return;
    if (refusal !== null) {
      this.#remove(watched);
      watched.end(refusal);
      return;
    }
    watched.checkedAtMs = startedAtMs;
    watched.isInDoubt = this.#due.has(watched);
    clearTimeout(watched.expiry);
    // The next regular check sets the timer of what ends later.
    if (endsInMs === null || endsInMs > 2 * this.checkMs) return;
    watched.expiry = setTimeout(() => this.#doubt([watched]), Math.max(0, endsInMs) + 1).unref();
  }

  #endUnchecked(): void {
    const leastMs = performance.now() - MAX_UNCHECKED_MS;
    for (const watched of [...this.#all].filter(({ checkedAtMs }) => checkedAtMs < leastMs)) {
      this.#remove(watched);
      watched.end(new AppError('unavailable', 'The access of this connection could not be checked.'));
    }
  }

  #remove(watched: Watched): void {
    clearTimeout(watched.expiry);
    this.#all.delete(watched);
    this.#due.delete(watched);
    for (const id of watched.ids) {
      const same = this.#byId.get(id);
      same?.delete(watched);
      if (same?.size === 0) this.#byId.delete(id);
    }
    if (this.#all.size > 0) return;
    clearInterval(this.#interval);
    this.#interval = undefined;
  }
}

/** Returns those of this process. */
export function openConnections(): OpenConnections {
  return once('open-connections', () => new OpenConnections());
}
