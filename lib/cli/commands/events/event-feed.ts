import type { Page } from '@/lib/client';
import type { EventListItem } from '@/lib/events/schema';

/** Gets the pages of a list of events, newest first. */
export type ListEvents = (period: { from?: Date; to?: Date }) => AsyncIterable<Page<EventListItem>>;

/**
 * An event gets its time when the server receives it, and appears after it is stored: an older one may appear after a newer one. Each
 * poll therefore looks this far behind the newest event. A server takes seconds to store an event; the rest allows for clocks of
 * servers that differ.
 */
const WINDOW_MS = 60_000;
/** A poll stops at the first page that has nothing new, and looks through the entire window this often. */
const FULL_SCAN_MS = 10_000;
/** Events in memory at most. */
const MAX_HELD = 10_000;

/** Follows the events of a project: each once, none is missed, and oldest first within a poll. */
export class EventFeed {
  /** The times of the events of the window, by their ids. */
  readonly #seen = new Map<string, number>();
  /** The start of the window; null while there is no event. */
  #startMs: number | null = null;
  #scannedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly list: ListEvents,
    private readonly maxHeld = MAX_HELD,
  ) {}

  /** Begins after the events that there are now. */
  async skipPresent(): Promise<void> {
    for await (const { data } of this.list({})) {
      if (data[0] !== undefined) this.#moveWindow(timeOf(data[0]));
      break;
    }
    for await (const _skipped of this.poll()) {
      // Only remembered.
    }
  }

  /** Begins with the events since a time. */
  beginAt(from: Date): void {
    this.#startMs = from.getTime();
  }

  /** Yields the events that are new since the last poll. After an error the next poll yields what this one did not. */
  async *poll(): AsyncGenerator<EventListItem> {
    const startedAt = performance.now();
    const isFull = startedAt - this.#scannedAt >= FULL_SCAN_MS;
    yield* this.#oldestFirst(this.#startMs === null ? {} : { from: new Date(this.#startMs) }, !isFull);
    if (isFull) this.#scannedAt = startedAt;
  }

  /** Yields unseen events. More than fit into memory are read twice: first their times, then part by part. */
  async *#oldestFirst(period: { from?: Date; to?: Date }, isShort: boolean): AsyncGenerator<EventListItem> {
    let held: EventListItem[] = [];
    const parts: { from: Date; to?: Date }[] = [];
    let { to } = period;
    for await (const { data } of this.list(period)) {
      const unseen = data.filter(({ id }) => !this.#seen.has(id));
      held.push(...unseen);
      if (isShort && unseen.length === 0) break;
      const oldest = held.at(-1);
      if (held.length < this.maxHeld || oldest === undefined) continue;
      const from = new Date(oldest.createdAt);
      parts.push({ from, ...(to !== undefined && { to }) });
      held = [];
      to = from;
    }
    yield* this.#remembered(held);
    for (const part of parts.reverse()) yield* this.#oldestFirstOf(part);
  }

  async *#oldestFirstOf(part: { from: Date; to?: Date }): AsyncGenerator<EventListItem> {
    const held: EventListItem[] = [];
    for await (const { data } of this.list(part)) held.push(...data.filter(({ id }) => !this.#seen.has(id)));
    yield* this.#remembered(held);
  }

  *#remembered(newestFirst: EventListItem[]): Generator<EventListItem> {
    let newestMs = Number.NEGATIVE_INFINITY;
    for (const event of newestFirst.reverse()) {
      this.#seen.set(event.id, timeOf(event));
      newestMs = Math.max(newestMs, timeOf(event));
      yield event;
    }
    if (newestFirst.length > 0) this.#moveWindow(newestMs);
  }

  /**
   * Moves the window to the newest event. A server whose clock is ahead must not move it past the events of the others; it never
   * moves back, because what it left is forgotten.
   */
  #moveWindow(newestMs: number): void {
    const startMs = Math.max(this.#startMs ?? 0, Math.min(newestMs, Date.now()) - WINDOW_MS);
    this.#startMs = startMs;
    for (const [id, ms] of this.#seen) if (ms < startMs) this.#seen.delete(id);
  }
}

function timeOf({ createdAt }: EventListItem): number {
  return new Date(createdAt).getTime();
}
