import { setImmediate as nextTurn } from 'node:timers/promises';
import { outboxLease } from '@/lib/delivery/engine/lease';
import type { Message, OutboxEntry } from '@/lib/delivery/engine/types';
import { type FilteredEvent, toFilteredEvent } from '@/lib/delivery/filters/filter';
import { SECOND_MS } from '@/lib/platform/clock';
import { hotDatabase } from '@/lib/platform/db';
import { FairSemaphore, type Release, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';
import { isAlone, Pace, type PaceLimits } from '@/lib/platform/pace';
import { renewTaken } from './outbox-sql';

/** The filters of an event with more bytes always take turns: the first one may take 30 ms. */
const LONG_BYTES = 8 * 1024;

/** Whether the filters of a message take turns however few they are. */
export function hasLongData({ event, body }: Message): boolean {
  return event !== undefined && body.length > LONG_BYTES;
}

/** Returns what filters read of a message; null for one that they do not read. Its payload is read once for all of them. */
export function filteredEventOf({ event, body }: Message): FilteredEvent | null {
  return event === undefined
    ? null
    : toFilteredEvent(event.type, body.toString('utf8', event.dataStart, event.dataEnd));
}

/** Filters take the thread for about so long before others have a turn. */
const SLICE_MS = 4;
/** One slice at a time. Those that wait are bounded by the batches that are fanned out at once. */
const LIMITS: SemaphoreLimits = { width: 1, widthPerTenant: 1, waiting: 10_000, waitingPerTenant: 10_000 };
const slices = () => once('filter-turns', () => new FairSemaphore(LIMITS));
const NEVER = new AbortController().signal;
/** A row whose lease ends sooner gets a new one. */
const RENEWED_MS = 5 * SECOND_MS;

/** The turns of the filters of one owner's events. */
export class FilterTurns {
  private release: Release | null = null;
  private sliceMs = 0;
  /** What the filters have taken of the thread. */
  spentMs = 0;

  /** @param onFirst called when the first filter waits for its turn */
  constructor(
    private readonly ownerId: string,
    private readonly onFirst: () => void,
  ) {}

  /**
   * Runs the test of a filter in a turn, which lasts for a slice. Keeps the lease of its row meanwhile.
   * @throws Error when another worker has taken the row
   */
  async run(test: () => boolean, entry: OutboxEntry): Promise<boolean> {
    if (this.release === null) {
      this.onFirst();
      this.release = await slices().acquire(this.ownerId, NEVER);
      await keepLease(entry);
    }
    const startedAt = performance.now();
    const isMatch = test();
    const ms = performance.now() - startedAt;
    this.spentMs += ms;
    this.sliceMs += ms;
    if (this.sliceMs >= SLICE_MS) {
      await nextTurn();
      this.end();
    }
    return isMatch;
  }

  /** Leaves the turn to others. */
  end(): void {
    this.release?.();
    this.release = null;
    this.sliceMs = 0;
  }
}

async function keepLease(entry: OutboxEntry): Promise<void> {
  if (entry.leaseEndsAt - performance.now() > RENEWED_MS) return;
  const lease = outboxLease();
  const count = await renewTaken.run(hotDatabase(), { row: entry.id, takes: entry.takes, leaseSeconds: lease.seconds });
  if (count === 0) throw new Error('another worker has taken the row');
  entry.leaseEndsAt = lease.endsAt;
}

/** Milliseconds of the thread that an owner's filters may take while the worker works for others too. An owner rests at most for 20 s. */
const PACE: PaceLimits = { perSecond: 100, burst: 200, mostOwed: 2_000 };
/** Owners who rest. Beyond that, the one who began first is forgotten. */
const MAX_RESTING = 1_000;

/** The owners whose filters have taken much of the thread: they get no take until they have rested. */
export class FilterRests {
  private readonly pace = new Pace(PACE, isAlone);
  /** By performance.now(). */
  private readonly until = new Map<string, number>();

  restAfter(ownerId: string, ms: number): void {
    const rest = this.pace.restAfter(ownerId, ms);
    if (rest === 0) return;
    if (this.until.size >= MAX_RESTING) this.forgetRested();
    const [first] = this.until.keys();
    if (this.until.size >= MAX_RESTING && first !== undefined) this.until.delete(first);
    this.until.set(ownerId, performance.now() + rest);
  }

  /** In how many milliseconds an owner has rested; 0 for one that does not rest. */
  inMs(ownerId: string): number {
    return Math.max(0, (this.until.get(ownerId) ?? 0) - performance.now());
  }

  /** In how many milliseconds the next owner has rested; null when none rests. */
  nextInMs(): number | null {
    this.forgetRested();
    return this.until.size === 0 ? null : Math.min(...this.until.values()) - performance.now();
  }

  private forgetRested(): void {
    const now = performance.now();
    for (const [ownerId, until] of this.until) if (until <= now) this.until.delete(ownerId);
  }
}
