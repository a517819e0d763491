import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { abortLongTasks, settleBackground } from '@/lib/platform/background';
import type { AppError } from '@/lib/platform/errors';
import { forgetAll } from '@/lib/platform/globals';
import type { WhileAllowed } from '@/lib/platform/open-connections';
import { ChangeWatch, type Digests, type Watcher } from './change-watch';
import { openChangeStream } from './open-change-stream';
import { StreamCounts, type StreamPlace } from './stream-counts';

const EMPTY: Digests = { events: null, deliveries: null, incomingEvents: null, tunnelRequests: null };

beforeEach(() => {
  forgetAll();
  vi.useFakeTimers();
});
afterEach(async () => {
  abortLongTasks();
  await vi.advanceTimersByTimeAsync(10_000);
  await settleBackground();
  vi.useRealTimers();
  forgetAll();
});

/** A database whose digests the test sets, and a watch that polls it. */
function setUp() {
  const stored = new Map<string, Digests>();
  const read = vi.fn(
    async (ids: readonly string[]) => new Map(ids.map((id) => [id, stored.get(id) ?? EMPTY] as [string, Digests])),
  );
  const change = (id: string, part: Partial<Digests>) => stored.set(id, { ...(stored.get(id) ?? EMPTY), ...part });
  return { watch: new ChangeWatch(read), read, change };
}

function makeWatcher() {
  const seen: string[] = [];
  const watcher: Watcher = {
    ready: () => void seen.push('ready'),
    changed: (kinds) => void seen.push(kinds.join()),
    end: () => void seen.push('end'),
  };
  return { watcher, seen };
}

describe('the watch of a process', () => {
  it('reads nothing while nobody watches', async () => {
    const { watch, read } = setUp();
    await vi.advanceTimersByTimeAsync(5000);
    expect(read).not.toHaveBeenCalled();
    const stop = watch.watch('a', makeWatcher().watcher);
    await vi.advanceTimersByTimeAsync(5000);
    expect(read.mock.calls.length).toBeGreaterThan(5);
    stop();
    stop();
    const before = read.mock.calls.length;
    await vi.advanceTimersByTimeAsync(5000);
    expect([read.mock.calls.length, watch.projects]).toEqual([before, 0]);
  });

  it('tells a watcher that it is ready after the first poll, and then which kinds changed', async () => {
    const { watch, change } = setUp();
    const { watcher, seen } = makeWatcher();
    watch.watch('a', watcher);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual(['ready']);
    change('a', { events: '1', deliveries: '1' });
    change('b', { events: '1' });
    await vi.advanceTimersByTimeAsync(500);
    change('a', { tunnelRequests: '1' });
    await vi.advanceTimersByTimeAsync(2000);
    expect(seen).toEqual(['ready', 'events,deliveries', 'tunnelRequests']);
  });

  it('reads all projects at once, and one project once for all its watchers', async () => {
    const { watch, read } = setUp();
    const watchers = [makeWatcher(), makeWatcher(), makeWatcher()];
    for (const [index, { watcher }] of watchers.entries()) watch.watch(index === 0 ? 'a' : 'b', watcher);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(read.mock.calls.length).toBeLessThanOrEqual(22);
    expect(read.mock.calls.at(-1)).toEqual([['a', 'b']]);
    expect(watchers.map(({ seen }) => seen)).toEqual([['ready'], ['ready'], ['ready']]);
  });

  it('makes a watcher of a new project ready without waiting for the next poll', async () => {
    const { watch } = setUp();
    watch.watch('a', makeWatcher().watcher);
    await vi.advanceTimersByTimeAsync(100);
    const of = makeWatcher();
    const sameProject = makeWatcher();
    watch.watch('b', of.watcher);
    watch.watch('a', sameProject.watcher);
    await vi.advanceTimersByTimeAsync(1);
    expect([of.seen, sameProject.seen]).toEqual([['ready'], ['ready']]);
  });

  it('polls less and less while the database fails, keeps its watchers, and tells them what they missed', async () => {
    const { watch, read, change } = setUp();
    const { watcher, seen } = makeWatcher();
    watch.watch('a', watcher);
    await vi.advanceTimersByTimeAsync(0);
    const answer = read.getMockImplementation();
    read.mockRejectedValue(new Error('down'));
    const before = read.mock.calls.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(read.mock.calls.length - before).toBeLessThan(13);
    expect(seen).toEqual(['ready']);
    change('a', { events: '1' });
    if (answer !== undefined) read.mockImplementation(answer);
    await vi.advanceTimersByTimeAsync(8000);
    expect(seen).toEqual(['ready', 'events']);
  });

  it('spends at most a tenth of the time on polls, however often a new project is watched', async () => {
    const { watch, read } = setUp();
    const answer = read.getMockImplementation();
    read.mockImplementation(async (ids) => {
      await new Promise((resolve) => setTimeout(resolve, 70));
      return answer?.(ids) ?? new Map();
    });
    const startedMs = performance.now();
    watch.watch('a', makeWatcher().watcher);
    for (let n = 0; n < 100; n++) {
      const { watcher, seen } = makeWatcher();
      const stop = watch.watch(`new-${n}`, watcher);
      await vi.advanceTimersByTimeAsync(100);
      if (n % 20 !== 0) stop();
      else await vi.waitFor(() => expect(seen).toEqual(['ready']));
    }
    expect(read.mock.calls.length).toBeGreaterThan(10);
    expect(read.mock.calls.length * 70).toBeLessThan(0.11 * (performance.now() - startedMs));
  });

  it('ends all watchers when the process stops, and those that come later', async () => {
    const { watch } = setUp();
    const early = makeWatcher();
    const late = makeWatcher();
    watch.watch('a', early.watcher);
    await vi.advanceTimersByTimeAsync(100);
    abortLongTasks();
    await vi.advanceTimersByTimeAsync(0);
    expect(early.seen).toEqual(['ready', 'end']);
    watch.watch('a', late.watcher);
    await vi.advanceTimersByTimeAsync(0);
    expect([late.seen, watch.projects]).toEqual([['end'], 0]);
  });
});

describe('open streams', () => {
  const LIMITS = { perCaller: 2, perOrganization: 3, perProcess: 4, projects: 3, projectsPerOrganization: 2 };
  const READY = 'event: ready\ndata: {}\n\n';

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
});

describe('the number of open streams', () => {
  const LIMITS = { perCaller: 2, perOrganization: 6, perProcess: 12, projects: 6, projectsPerOrganization: 3 };

  /** Counts of a process, with the ends of its streams as the test sees them. */
  function setUp() {
    const counts = new StreamCounts(LIMITS);
    const ended: string[] = [];
    let opened = 0;
    /** Opens the stream of a new caller. By default an organization has an owner of its own. */
    const open = (organizationId: string, projectId = `${organizationId}-1`, changes: Partial<StreamPlace> = {}) => {
      const callerId = changes.callerId ?? `caller-${++opened}`;
      const place = { ownerId: `${organizationId}-owner`, ...changes, organizationId, projectId, callerId };
      const release = counts.add(place, () => {
        ended.push(`${organizationId} ${projectId}`);
        release();
      });
      return release;
    };
    return { counts, ended, open };
  }

  function refusal(open: () => unknown) {
    try {
      open();
    } catch (error) {
      const { code, message, options } = error as AppError;
      return { code, message, retryAfterSeconds: options.retryAfterSeconds };
    }
    return null;
  }

  describe('the number of streams is bounded', () => {
    it('for a caller, and another one still gets a stream', () => {
      const { open } = setUp();
      const callerId = 'ada';
      const release = open('acme', 'shop', { callerId });
      open('acme', 'shop', { callerId });
      const third = () => open('acme', 'shop', { callerId });
      expect(refusal(third)).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 10 });
      expect(refusal(() => open('acme', 'shop'))).toBeNull();
      release();
      release();
      expect([refusal(third), refusal(third)?.code]).toEqual([null, 'rate_limited']);
    });

    it('for an organization, in streams and in projects, and another one still gets a stream', () => {
      const { open, ended } = setUp();
      for (const project of ['a', 'b', 'c']) open('acme', project);
      expect(refusal(() => open('acme', 'd'))?.message).toMatch(/already watches 3 projects/);
      for (let n = 0; n < 3; n++) open('acme', 'a');
      expect(refusal(() => open('acme', 'a'))?.message).toMatch(/already has 6 streams/);
      expect(refusal(() => open('other'))).toBeNull();
      expect(ended).toEqual([]);
    });
  });

  describe('a process that is full', () => {
    /** Two organizations of one owner take everything. */
    const fill = (open: ReturnType<typeof setUp>['open']) => {
      for (const organization of ['one', 'two']) {
        for (let n = 0; n < 6; n++) open(organization, `${organization}-${n % 3}`, { ownerId: 'ann' });
      }
    };

    it('ends one project of the owner who watches the most, for each other tenant, until all have as much', () => {
      const { open, ended, counts } = setUp();
      fill(open);
      expect(refusal(() => open('three', 'three-1', { ownerId: 'ann' }))?.message).toMatch(/^Too many streams/);
      for (const organization of ['blog', 'shop', 'mail']) open(organization);
      expect(ended.map((end) => end.split(' ')[0])).toEqual(['one', 'one', 'two', 'two', 'one', 'one']);
      expect(counts.open).toBe(9);
      for (const organization of ['bank', 'taxi']) open(organization);
      expect(refusal(() => open('late'))).toMatchObject({ code: 'rate_limited' });
      expect(refusal(() => open('three', 'three-1', { ownerId: 'ann' }))).toMatchObject({ code: 'rate_limited' });
    });

    it('ends the oldest of the only streams after half a minute, for an owner without one', () => {
      const { open, ended, counts } = setUp();
      for (const organization of ['one', 'two', 'three', 'four', 'five', 'six']) open(organization);
      vi.advanceTimersByTime(29_999);
      expect(refusal(() => open('late'))).toMatchObject({ code: 'rate_limited' });
      vi.advanceTimersByTime(1);
      expect(refusal(() => open('two', 'two-2'))).toMatchObject({ code: 'rate_limited' });
      open('late');
      expect([ended, counts.open]).toEqual([['one one-1'], 6]);
    });

    it('ends the newest stream of the owner who has the most, for a tenant that has fewer', () => {
      const { open, ended, counts } = setUp();
      for (const project of ['a', 'b']) for (let n = 0; n < 3; n++) open('acme', project);
      for (const project of ['c', 'd']) for (let n = 0; n < 3; n++) open('blog', project);
      for (let n = 0; n < 4; n++) open('shop');
      expect(ended).toEqual(['acme b', 'blog d', 'acme b', 'blog d']);
      expect(refusal(() => open('shop'))).toMatchObject({ code: 'rate_limited' });
      expect(counts.open).toBe(12);
    });
  });
});
