import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Message } from '@/lib/delivery/engine/types';
import { type Filter, type FilteredEvent, toFilteredEvent } from '@/lib/delivery/filters/filter';
import { FairSemaphore, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';

/** Filters of an event with more bytes take turns: one of 256 KiB takes up to 10 ms, and an event may have thousands. */
const LONG_BYTES = 8 * 1024;
/** One at a time. Those that wait are bounded by the batches that are fanned out at once. */
const LIMITS: SemaphoreLimits = { width: 1, widthPerTenant: 1, waiting: 10_000, waitingPerTenant: 10_000 };
const turns = () => once('filter-turns', () => new FairSemaphore(LIMITS));
const NEVER = new AbortController().signal;

/** Whether filters of a message take turns. */
export function hasLongData({ event, body }: Message): boolean {
  return event !== undefined && body.length > LONG_BYTES;
}

/** Tells which filters an event matches. Its payload is read once for all of them. */
export class EventMatcher {
  private readonly event: FilteredEvent | null;

  constructor({ event, body }: Message) {
    this.event =
      event === undefined ? null : toFilteredEvent(event.type, body.toString('utf8', event.dataStart, event.dataEnd));
  }

  matches(filter: Filter): boolean {
    return this.event === null || filter.matches(this.event);
  }

  /** Returns the same in a turn of the owner, after others had theirs. */
  async matchesInTurn(filter: Filter, ownerId: string): Promise<boolean> {
    const release = await turns().acquire(ownerId, NEVER);
    try {
      return this.matches(filter);
    } finally {
      await nextTurn();
      release();
    }
  }
}
