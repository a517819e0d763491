import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Page } from '@/lib/client';
import type { EventListItem } from '@/lib/events/schema';
import { Feed } from './feed';

/** A server with events that are added, in any order; it lists newest first in pages of three. */
class Server {
  readonly events: EventListItem[] = [];
  requests = 0;
  failsAfter = Number.POSITIVE_INFINITY;
  nowMs = Date.now();

  /** Adds an event of some milliseconds ago. */
  add(name: string, agoMs = 0): void {
    const createdAt = new Date(this.nowMs - agoMs).toISOString();
    this.events.push({
      id: name,
      type: 'a',
      idempotencyKey: null,
      apiKeyId: null,
      clientAddress: null,
      customerId: null,
      customerUid: null,
      createdAt,
      fanOutStatus: 'COMPLETED' as const,
      deliveries: { pending: 0, queued: 0, retrying: 0, succeeded: 0, failed: 0 },
    });
  }

  readonly list = ({ from, to }: { from?: Date; to?: Date }) => this.#pages(from, to);

  async *#pages(from?: Date, to?: Date): AsyncGenerator<Page<EventListItem>> {
    const rows = this.events
      .filter(({ createdAt }) => (!from || new Date(createdAt) >= from) && (!to || new Date(createdAt) <= to))
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id));
    for (let i = 0; i === 0 || i < rows.length; i += 3) {
      this.requests += 1;
      if (this.requests > this.failsAfter) throw new Error('the server is away');
      yield { data: rows.slice(i, i + 3), nextCursor: null };
    }
  }
}

async function poll(feed: Feed<EventListItem>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of feed.poll()) ids.push(id);
  return ids;
}

/** Lets the feed scan its entire window again. */
function passTenSeconds(server: Server): void {
  vi.advanceTimersByTime(10_000);
  server.nowMs = Date.now();
}

describe('following events', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('begins after the present events, then yields each new one once, oldest first', async () => {
    const server = new Server();
    for (let i = 0; i < 7; i += 1) server.add(`old ${i}`, 100 - i);
    const feed = new Feed(server.list);
    await feed.skipPresent();
    expect(await poll(feed)).toEqual([]);
    for (let i = 0; i < 8; i += 1) server.add(`new ${i}`, 50 - i);
    expect(await poll(feed)).toEqual(Array.from({ length: 8 }, (_, i) => `new ${i}`));
    expect(await poll(feed)).toEqual([]);
  });

  it('begins at a given time, and not before it when nothing has happened since', async () => {
    const server = new Server();
    server.add('too old', 7_200_000);
    server.add('old', 1_800_000);
    const feed = new Feed(server.list);
    feed.beginAt(new Date(server.nowMs - 3_600_000));
    expect(await poll(feed)).toEqual(['old']);
    const empty = new Feed(server.list);
    empty.beginAt(new Date(server.nowMs - 60_000));
    expect([await poll(empty), await poll(empty)]).toEqual([[], []]);
    server.add('new');
    expect(await poll(empty)).toEqual(['new']);
  });

  it('yields the first event of a project', async () => {
    const server = new Server();
    const feed = new Feed(server.list);
    await feed.skipPresent();
    expect(await poll(feed)).toEqual([]);
    server.add('first');
    expect([await poll(feed), await poll(feed)]).toEqual([['first'], []]);
  });

  it('yields an event that is stored after newer ones', async () => {
    const server = new Server();
    const feed = new Feed(server.list);
    for (let i = 0; i < 6; i += 1) server.add(`present ${i}`, 40_000 + i);
    await feed.skipPresent();
    for (let i = 0; i < 6; i += 1) server.add(`new ${i}`, 6 - i);
    expect(await poll(feed)).toHaveLength(6);
    server.add('late', 30_000);
    passTenSeconds(server);
    expect([await poll(feed), await poll(feed)]).toEqual([['late'], []]);
  });

  it('needs one request while nothing happens, however many events the last minute had', async () => {
    const server = new Server();
    for (let i = 0; i < 30; i += 1) server.add(`present ${i}`, i);
    const feed = new Feed(server.list);
    await feed.skipPresent();
    server.requests = 0;
    expect(await poll(feed)).toEqual([]);
    expect(server.requests).toBe(1);
  });

  it('yields what it could not while the server was away', async () => {
    const server = new Server();
    const feed = new Feed(server.list);
    server.add('present', 3_600_000);
    await feed.skipPresent();
    for (let i = 0; i < 9; i += 1) server.add(`new ${i}`, 9 - i);
    server.failsAfter = server.requests + 2;
    await expect(poll(feed)).rejects.toThrow('the server is away');
    server.failsAfter = Number.POSITIVE_INFINITY;
    expect(await poll(feed)).toEqual(Array.from({ length: 9 }, (_, i) => `new ${i}`));
  });

  it('reads more events than fit into memory in parts, in order and without repeating one', async () => {
    const server = new Server();
    const feed = new Feed(server.list, 6);
    server.add('present', 3_600_000);
    await feed.skipPresent();
    // Two events at each time, so that parts share their ends.
    for (let i = 0; i < 40; i += 1)
      server.add(`new ${String(i).padStart(2, '0')}`, 100_000 - Math.floor(i / 2) * 4_000);
    expect(await poll(feed)).toEqual(Array.from({ length: 40 }, (_, i) => `new ${String(i).padStart(2, '0')}`));
    expect(await poll(feed)).toEqual([]);
  });

  it('follows other servers when the clock of one is ahead', async () => {
    const server = new Server();
    const feed = new Feed(server.list);
    server.add('present', 1_000);
    await feed.skipPresent();
    server.add('of the fast clock', -3_600_000);
    expect(await poll(feed)).toEqual(['of the fast clock']);
    server.add('of the right clock');
    passTenSeconds(server);
    expect([await poll(feed), await poll(feed)]).toEqual([['of the right clock'], []]);
  });
});
