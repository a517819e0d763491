import { outboxLease } from '@/lib/delivery/engine/lease';
import type { Message, OutboxEntry } from '@/lib/delivery/engine/types';
import { type FilteredEvent, toFilteredEvent } from '@/lib/delivery/filters/filter';
import { SECOND_MS } from '@/lib/platform/clock';
import { hotDatabase } from '@/lib/platform/db';
import { FairSemaphore, type Release, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';
import { isPassUsedUp, wouldUsePassUp } from '@/lib/platform/loop-pass';
import type { PaceLimits } from '@/lib/platform/pace';
import { SharedPace } from '@/lib/platform/shared-pace';
import type { RateLimits } from '@/lib/platform/shared-rate';
import { renewTaken } from './outbox-sql';

/** More filters of an event take turns, and so do those that read more bytes together: ten of 8 KiB may take 4 ms, and one of 256 KiB 5 ms. */
const AT_ONCE = { filters: 10, bytes: 8 * 1024 };

/** Whether so many filters of a message are tried at once, and do not take turns: once compiled, they take about half a millisecond. */
export function mayTryAtOnce({ event, body }: Message, filters: number): boolean {
  return filters <= AT_ONCE.filters && (event === undefined || filters * body.length <= AT_ONCE.bytes);
}

/** Returns what filters read of a message; null for one that they do not read. Its payload is read once for all of them. */
export function filteredEventOf({ event, body }: Message): FilteredEvent | null {
  return event === undefined ? null : toFilteredEvent(event.type, body.subarray(event.dataStart, event.dataEnd));
}

/** One slice at a time. Those that wait are bounded by the batches that are fanned out at once. */
const LIMITS: SemaphoreLimits = { width: 1, widthPerTenant: 1, waiting: 10_000, waitingPerTenant: 10_000 };
/** Milliseconds of the thread that an owner's filters may take while the worker works for others too. */
const PACE: PaceLimits = { perSecond: 100, burst: 200 };
/** Milliseconds of the thread that the filters of all owners share: ten owners at their own pace take all of it. */
const SHARED: RateLimits = { perSecond: 300, atOnce: 20, mostOwed: 900 };
const state = () =>
  once('filter-turns', () => {
    const pace = new SharedPace(PACE, SHARED);
    return { pace, slices: new FairSemaphore(LIMITS, pace) };
  });
/** Rows whose lease ends sooner get a new one. An owner rests for three seconds at most. */
const RENEWED_MS = 8 * SECOND_MS;
/** What must remain of a row's lease when a turn begins. */
const LEFT_MS = 4 * SECOND_MS;

/** Counts what else an owner takes of the thread before deliveries are made, as if its filters had taken it. */
export function countForFilters(ownerId: string, ms: number): void {
  state().slices.count(ownerId, ms);
}

/** The turns of one owner's filters, and of its other work in the background, among those of all owners. A turn lasts for a slice. */
export class FilterSlices {
  /** Milliseconds that tests have taken. */
  usedMs = 0;
  private release: Release | null = null;
  private costMs = 0;
  private startedAt = 0;

  constructor(private readonly ownerId: string) {}

  /** Whether the owner has its turn. */
  get hasTurn(): boolean {
    return this.release !== null;
  }

  /** Whether the turn has lasted for its slice. */
  get isUsedUp(): boolean {
    return wouldUsePassUp(performance.now() - this.startedAt);
  }

  /** Waits for the owner's turn. @throws the signal's reason when it aborts before */
  async begin(signal = new AbortController().signal): Promise<void> {
    this.release = await state().slices.acquire(this.ownerId, signal);
    this.startedAt = performance.now();
  }

  /** Runs work that counts for the pace of the owner, such as the test of a filter. The owner has its turn. */
  run<T>(work: () => T): T {
    const startedAt = performance.now();
    const result = work();
    const ms = performance.now() - startedAt;
    this.costMs += ms;
    this.usedMs += ms;
    if (this.isUsedUp) this.end();
    return result;
  }

  /** Leaves the turn to others. */
  end(): void {
    const { release, costMs } = this;
    if (release === null) return;
    this.release = null;
    this.costMs = 0;
    if (isPassUsedUp(performance.now() - this.startedAt)) setImmediate(() => release(costMs));
    else release(costMs);
  }
}

/** How the filters of an event are tried, and its targets prepared. */
export interface FilterRuns {
  /** Whether the owner's filters must take turns instead, because they have to rest. */
  readonly mustRest: boolean;
  /** Runs the test of a filter of the row's event, or the preparation of one of its targets. */
  run<T>(work: () => T, entry: OutboxEntry): T | Promise<T>;
  /** No more of them follow for now. */
  end(): void;
}

/** When others have a turn while an event's deliveries are made. */
export interface DeliveryTurns {
  shouldYield(): boolean;
  yield(entry: OutboxEntry): Promise<void>;
}

/** Tries the few filters of a short event at once. Their time counts for the turns of the owner. */
export class QuickFilters implements FilterRuns {
  private usedMs = 0;

  constructor(private readonly ownerId: string) {}

  get mustRest(): boolean {
    return state().pace.mustRest(this.ownerId);
  }

  run<T>(work: () => T): T {
    const startedAt = performance.now();
    const result = work();
    this.usedMs += performance.now() - startedAt;
    return result;
  }

  end(): void {
    countForFilters(this.ownerId, this.usedMs);
    this.usedMs = 0;
  }
}

/**
 * The turns of one owner's events in the background. After filters and preparations the owner rests, and nobody else waits for that.
 * Making deliveries takes slices, too, and no rest.
 */
export class FilterTurns implements FilterRuns, DeliveryTurns {
  /** It rests within its turns. */
  readonly mustRest = false;
  private readonly slices: FilterSlices;

  /**
   * @param entries the rows that are fanned out one after the other
   * @param onFirst called when the first turn begins
   */
  constructor(
    ownerId: string,
    private readonly entries: readonly OutboxEntry[],
    private readonly onFirst: () => void,
  ) {
    this.slices = new FilterSlices(ownerId);
  }

  /**
   * Runs work in a turn. Keeps the leases of the rows meanwhile.
   * @throws Error when another worker has taken the row
   */
  async run<T>(work: () => T, entry: OutboxEntry): Promise<T> {
    if (!this.slices.hasTurn) await this.yield(entry);
    return this.slices.run(work);
  }

  /** Whether the next delivery waits for another turn. */
  shouldYield(): boolean {
    return !this.slices.hasTurn || this.slices.isUsedUp;
  }

  /** Waits for the next turn like `run`. */
  async yield(entry: OutboxEntry): Promise<void> {
    this.slices.end();
    this.onFirst();
    for (;;) {
      // Before the turn, which is the only one of all owners: a statement may wait for a lock.
      await this.keepLeases(entry);
      await this.slices.begin();
      if (entry.leaseEndsAt - performance.now() > LEFT_MS) return;
      this.slices.end();
    }
  }

  /** Leaves the turn to others. */
  end(): void {
    this.slices.end();
  }

  /** Also keeps the rows that wait for this one, and those that are removed with it. */
  private async keepLeases(entry: OutboxEntry): Promise<void> {
    if (entry.leaseEndsAt - performance.now() > RENEWED_MS) return;
    const held = this.entries.filter((each) => each === entry || each.unstored === 0);
    const lease = outboxLease();
    const renewed = await renewTaken.all(hotDatabase(), {
      rows: held.map(({ id }) => id),
      takes: held.map(({ takes }) => takes),
      leaseSeconds: lease.seconds,
    });
    const ids = new Set(renewed.map(({ id }) => id));
    for (const each of held) if (ids.has(each.id)) each.leaseEndsAt = lease.endsAt;
    if (!ids.has(entry.id)) throw new Error('another worker has taken the row');
  }
}
