import type { EventListItem } from '@/lib/events/schema';

/** A transaction that began earlier may commit later: its event appears below those that are known. */
const OVERLAP_MS = 10_000;
const PAGE_ROWS = 100;

type List = (query: {
  limit: number;
  from?: Date;
}) => PromiseLike<{ data: EventListItem[] }> & AsyncIterable<EventListItem>;

/** Finds the events that were not there before: each once, in the order of their creation. */
export class NewEvents {
  /** Ids of the events of the overlap; older ones cannot appear again. */
  #seen = new Map<string, number>();
  /** Time of the newest known event, by the clock of the server; null while the project has none. */
  #newest: number | null = null;

  constructor(private readonly list: List) {}

  /** Skips the events that exist. */
  async start(): Promise<void> {
    const { data } = await this.list({ limit: 1 });
    const [newest] = data;
    if (newest === undefined) return;
    this.#newest = Date.parse(newest.createdAt);
    for await (const event of this.list(this.#query())) this.#remember(event);
  }

  /** Returns the new events since the last call. */
  async next(): Promise<EventListItem[]> {
    const found: EventListItem[] = [];
    for await (const event of this.list(this.#query())) if (!this.#seen.has(event.id)) found.push(event);
    for (const event of found) this.#remember(event);
    const horizon = (this.#newest ?? 0) - OVERLAP_MS;
    for (const [id, time] of this.#seen) if (time < horizon) this.#seen.delete(id);
    return found.reverse();
  }

  #query() {
    return { limit: PAGE_ROWS, ...(this.#newest === null ? {} : { from: new Date(this.#newest - OVERLAP_MS) }) };
  }

  #remember({ id, createdAt }: EventListItem): void {
    const time = Date.parse(createdAt);
    this.#seen.set(id, time);
    this.#newest = Math.max(this.#newest ?? 0, time);
  }
}
