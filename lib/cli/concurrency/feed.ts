import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '@/lib/cli/context';
import type { Page } from '@/lib/client';
import { Reconnecting } from './polling';

/** A row of a list that grows, such as an event or an entry of the audit log. */
interface FeedRow {
  id: string;
  createdAt: string;
}

/** Gets the pages of a list, newest first. */
type ListRows<T> = (period: { from?: Date; to?: Date }) => AsyncIterable<Page<T>>;

/**
 * A row gets its time when the server receives the request, and appears after it is stored: an older one may appear after a newer
 * one. Each poll therefore looks this far behind the newest row. A server takes seconds to store a row; the rest allows for clocks
 * of servers that differ.
 */
const WINDOW_MS = 60_000;
/** A poll stops at the first page that has nothing new, and looks through the entire window this often. */
const FULL_SCAN_MS = 10_000;
/** Rows in memory at most. */
const MAX_HELD = 10_000;

/** Follows a list: yields each new row once, misses none, and yields the oldest of a poll first. */
export class Feed<T extends FeedRow> {
  /** The times of the rows of the window, by their ids. */
  readonly #seen = new Map<string, number>();
  /** The start of the window; null while there is no row. */
  #startMs: number | null = null;
  #scannedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly list: ListRows<T>,
    private readonly maxRows = MAX_HELD,
  ) {}

  /** Begins after the rows that there are now. */
  async skipPresent(): Promise<void> {
    for await (const { data } of this.list({})) {
      if (data[0] !== undefined) this.#moveWindow(timeOf(data[0]));
      break;
    }
    for await (const _skipped of this.poll()) {
      // Only remembered.
    }
  }

  /** Begins with the rows since a time. */
  beginAt(from: Date): void {
    this.#startMs = from.getTime();
  }

  /** Yields the rows that are new since the last poll. After an error the next poll yields what this one did not. */
  async *poll(): AsyncGenerator<T> {
    const startedAt = performance.now();
    const isFull = startedAt - this.#scannedAt >= FULL_SCAN_MS;
    yield* this.#oldestFirst(this.#startMs === null ? {} : { from: new Date(this.#startMs) }, !isFull);
    if (isFull) this.#scannedAt = startedAt;
  }

  /** Yields unseen rows. More than fit into memory are read twice: first their times, then part by part. */
  async *#oldestFirst(period: { from?: Date; to?: Date }, isShort: boolean): AsyncGenerator<T> {
    let rows: T[] = [];
    const parts: { from: Date; to?: Date }[] = [];
    let { to } = period;
    for await (const { data } of this.list(period)) {
      const unseen = data.filter(({ id }) => !this.#seen.has(id));
      rows.push(...unseen);
      if (isShort && unseen.length === 0) break;
      const oldest = rows.at(-1);
      if (rows.length < this.maxRows || oldest === undefined) continue;
      const from = new Date(oldest.createdAt);
      parts.push({ from, ...(to !== undefined && { to }) });
      rows = [];
      to = from;
    }
    yield* this.#remembered(rows);
    for (const part of parts.reverse()) yield* this.#oldestFirstOf(part);
  }

  async *#oldestFirstOf(part: { from: Date; to?: Date }): AsyncGenerator<T> {
    const rows: T[] = [];
    for await (const { data } of this.list(part)) rows.push(...data.filter(({ id }) => !this.#seen.has(id)));
    yield* this.#remembered(rows);
  }

  *#remembered(newestFirst: T[]): Generator<T> {
    let newestMs = Number.NEGATIVE_INFINITY;
    for (const row of newestFirst.reverse()) {
      this.#seen.set(row.id, timeOf(row));
      newestMs = Math.max(newestMs, timeOf(row));
      yield row;
    }
    if (newestFirst.length > 0) this.#moveWindow(newestMs);
  }

  /**
   * Moves the window to the newest row. A server whose clock is ahead must not move it past the events of the others; it never
   * moves back, because what it left is forgotten.
   */
  #moveWindow(newestMs: number): void {
    const startMs = Math.max(this.#startMs ?? 0, Math.min(newestMs, Date.now()) - WINDOW_MS);
    this.#startMs = startMs;
    for (const [id, ms] of this.#seen) if (ms < startMs) this.#seen.delete(id);
  }
}

function timeOf({ createdAt }: FeedRow): number {
  return new Date(createdAt).getTime();
}

interface Followed<T> {
  list: ListRows<T>;
  /** Begins with the rows since then; without it, after the present ones. */
  from: Date | undefined;
  /** What a person waits for, such as "events". */
  what: string;
  pollMs: number;
}

/**
 * Shows the rows that are added to a list until the command is stopped.
 * @param show is called again, with the rows that it has not got, when the server was away
 */
export async function follow<T extends FeedRow>(
  context: Context,
  { list, from, what, pollMs }: Followed<T>,
  show: (rows: AsyncIterable<T>, connection: Reconnecting) => Promise<void>,
): Promise<never> {
  const feed = new Feed(list);
  const connection = new Reconnecting(context);
  if (from === undefined) await feed.skipPresent();
  else feed.beginAt(from);
  context.out.hint(`Waiting for ${what}. Press Ctrl-C to stop.`);
  for (;;) {
    await connection.run(() => show(feed.poll(), connection));
    await sleep(pollMs, undefined, { signal: context.signal });
  }
}
