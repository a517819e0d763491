import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { abortLongTasks, settleBackground } from '@/lib/platform/background';
import { forgetAll } from '@/lib/platform/globals';
import type { Digests } from './change-watch';
import { ChangeWatch, type Watcher } from './change-watch';

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
    const [of, sameProject] = [makeWatcher(), makeWatcher()];
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
    const [early, late] = [makeWatcher(), makeWatcher()];
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
