import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WhileAllowed } from '@/lib/platform/open-connections';
import type { ChangeWatch, Watcher } from './change-watch';
import { openChangeStream } from './open-change-stream';
import { StreamCounts } from './stream-counts';

const LIMITS = { perCaller: 2, perOrganization: 3, perProcess: 4, projects: 3, projectsPerOrganization: 2 };
const READY = 'event: ready\ndata: {}\n\n';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A watch that the test drives. */
function setUp() {
  const watchers = new Set<Watcher>();
  const watch = {
    watch: (_id: string, watcher: Watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  } as unknown as ChangeWatch;
  const counts = new StreamCounts(LIMITS);
  const access = { end: () => {}, released: 0 };
  const whileAllowed: WhileAllowed = (end) => {
    access.end = end as () => void;
    return { isInDoubt: false, checked: async () => {}, release: () => void access.released++ };
  };
  const open = (callerId = 'ada', projectId = 'shop', lifeMs = 60_000, organizationId = 'acme') =>
    openChangeStream(
      { callerId, projectId, lifeMs, whileAllowed, organizationId, ownerId: organizationId },
      { watch, counts },
    ).getReader();
  return { watchers, counts, access, open };
}

type Reader = ReturnType<ReturnType<typeof setUp>['open']>;
const readText = async (reader: Reader) => {
  const { done, value } = await reader.read();
  return done ? null : new TextDecoder().decode(value);
};
const only = (watchers: Set<Watcher>) => [...watchers][0] as Watcher;

describe('a stream of changes', () => {
  it('sends ready and the kinds that changed, and nothing else', async () => {
    const { open, watchers } = setUp();
    const reader = open();
    only(watchers).ready();
    expect(await readText(reader)).toBe(READY);
    const next = readText(reader);
    only(watchers).changed(['events', 'deliveries']);
    expect(await next).toBe('event: change\ndata: {"kinds":["events","deliveries"]}\n\n');
  });

  it('holds one event for a client that reads slowly, and then sends all kinds at once', async () => {
    const { open, watchers } = setUp();
    const reader = open();
    only(watchers).ready();
    for (let n = 0; n < 1000; n++) only(watchers).changed(n % 2 === 0 ? ['events'] : ['deliveries']);
    expect(await readText(reader)).toBe(READY);
    expect(await readText(reader)).toBe('event: change\ndata: {"kinds":["events","deliveries"]}\n\n');
    const next = readText(reader);
    only(watchers).changed(['tunnelRequests']);
    expect(await next).toContain('["tunnelRequests"]');
  });

  it('sends a comment every 15 seconds, which a slow client does not collect', async () => {
    const { open } = setUp();
    const reader = open();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await readText(reader)).toBe(':\n\n');
    const next = readText(reader);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await next).toBe(':\n\n');
    const last = readText(reader);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await last).toBeNull();
  });

  it('ends after its time, and releases its place', async () => {
    const { open, watchers, counts } = setUp();
    const reader = open('ada', 'shop', 3000);
    await vi.advanceTimersByTimeAsync(3000);
    expect(await readText(reader)).toBeNull();
    expect([watchers.size, counts.open, vi.getTimerCount()]).toEqual([0, 0, 0]);
  });

  it('releases its place when the client disconnects', async () => {
    const { open, watchers, counts } = setUp();
    const reader = open();
    expect([watchers.size, counts.open]).toEqual([1, 1]);
    await reader.cancel();
    expect([watchers.size, counts.open, vi.getTimerCount()]).toEqual([0, 0, 0]);
  });

  it('ends when the process stops', async () => {
    const { open, watchers } = setUp();
    const reader = open();
    only(watchers).end();
    expect(await readText(reader)).toBeNull();
  });

  it('ends when its caller loses access, and stops watching the caller at its end', async () => {
    const { open, access, counts } = setUp();
    const reader = open();
    access.end();
    expect([await readText(reader), counts.open, access.released]).toEqual([null, 0, 1]);
    await open().cancel();
    expect(access.released).toBe(2);
  });
});

describe('a stream that makes room for that of another tenant', () => {
  it('ends without an error, and releases everything, while the others stay open', async () => {
    const { open, counts, watchers } = setUp();
    const [stays, ends] = [open('ada'), open('bob'), open('cleo')].slice(1) as [Reader, Reader];
    open('dan', 'blog', 60_000, 'two');
    open('eve', 'bank', 60_000, 'three');
    expect([counts.open, watchers.size]).toEqual([4, 4]);
    expect(await readText(ends)).toBeNull();
    const next = readText(stays);
    for (const watcher of watchers) watcher.ready();
    expect(await next).toBe(READY);
  });
});
