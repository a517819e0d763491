import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventMessage } from '@/lib/delivery/engine/messages';
import type { OutboxEntry } from '@/lib/delivery/engine/types';
import { SECOND_MS } from '@/lib/platform/clock';
import { noteActive } from '@/lib/platform/pace';
import { setTestConfig } from '@/tests/setup/variables';
import { FilterSlices, FilterTurns, mayTryAtOnce, QuickFilters } from './filter-turns';

beforeAll(() => {
  setTestConfig();
  // The figures of owners outlive a test, so the clock must never go back.
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
});
afterAll(() => void vi.useRealTimers());

const COST_MS = 2;

/** Runs filters of one event, each of which takes the thread for COST_MS. */
function makeEvent(ownerId: string) {
  const entry: OutboxEntry = { id: 'row', takes: 1, unstored: 0, leaseEndsAt: Number.POSITIVE_INFINITY };
  const turns = new FilterTurns(ownerId, [entry], () => undefined);
  let spentMs = 0;
  let isStopped = false;
  const test = () => {
    vi.advanceTimersByTime(COST_MS);
    spentMs += COST_MS;
    return true;
  };
  void (async () => {
    while (!isStopped) await turns.run(test, entry);
    turns.end();
  })();
  return {
    spentMs: () => spentMs,
    stop: () => {
      isStopped = true;
    },
  };
}

/** Lets `ms` pass at least, of which the filters take what they get. */
async function pass(ms: number, active: readonly string[]): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    for (const owner of active) noteActive(owner);
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(1);
  }
}

describe('the filters of one event', () => {
  it('take a tenth of the thread while others have work, and all that they need while nobody has', async () => {
    const event = makeEvent('hostile');
    await pass(SECOND_MS, ['hostile', 'other']);
    const atFirst = event.spentMs();
    await pass(10 * SECOND_MS, ['hostile', 'other']);
    const beside = event.spentMs() - atFirst;
    expect(beside).toBeGreaterThan(800);
    expect(beside).toBeLessThan(1_200);
    await pass(3 * SECOND_MS, ['hostile']);
    const before = event.spentMs();
    await pass(SECOND_MS, ['hostile']);
    expect(event.spentMs() - before).toBeGreaterThan(500);
    event.stop();
    await pass(2 * SECOND_MS, []);
  });

  it('take turns with those of other owners while they rest', async () => {
    const events = ['a', 'b'].map(makeEvent);
    await pass(SECOND_MS, ['a', 'b']);
    const atFirst = events.map((event) => event.spentMs());
    await pass(10 * SECOND_MS, ['a', 'b']);
    for (const [at, event] of events.entries()) {
      expect(event.spentMs() - (atFirst[at] ?? 0)).toBeGreaterThan(800);
      event.stop();
    }
    await pass(2 * SECOND_MS, []);
  });

  it('of twenty owners share a third of the thread equally, and one who uses little waits for a slice at most', async () => {
    const owners = Array.from({ length: 20 }, (_, index) => `heavy ${index}`);
    const events = owners.map(makeEvent);
    await pass(SECOND_MS, owners);
    const atFirst = events.map((event) => event.spentMs());
    const startedAt = performance.now();
    const waitsMs: number[] = [];
    for (let round = 0; round < 100; round += 1) {
      const askedAt = performance.now();
      const light = new FilterSlices('light');
      void light.begin().then(() => {
        waitsMs.push(performance.now() - askedAt);
        light.end();
      });
      await pass(SECOND_MS / 10, [...owners, 'light']);
    }
    const spent = events.map((event, at) => event.spentMs() - (atFirst[at] ?? 0));
    const part = spent.reduce((sum, ms) => sum + ms, 0) / (performance.now() - startedAt);
    expect(part).toBeGreaterThan(0.25);
    expect(part).toBeLessThan(0.35);
    expect(Math.max(...spent) - Math.min(...spent)).toBeLessThan(30);
    expect(waitsMs).toHaveLength(100);
    expect(Math.max(...waitsMs)).toBeLessThanOrEqual(10);
    for (const event of events) event.stop();
    await pass(4 * SECOND_MS, []);
  });
});

describe('the work of twenty owners in the background', () => {
  const STEPS = 10;
  const entry: OutboxEntry = { id: 'row', takes: 1, unstored: 0, leaseEndsAt: Number.POSITIVE_INFINITY };

  /** Does work for each owner at once. @returns the most milliseconds that all together took in one pass of the event loop */
  async function longestPassMs(work: (turns: FilterTurns) => Promise<void>): Promise<number> {
    let isDone = false;
    let longest = 0;
    const owners = Array.from({ length: 20 }, (_, index) => `background ${index}`);
    const all = Promise.all(owners.map((owner) => work(new FilterTurns(owner, [entry], () => undefined)))).then(() => {
      isDone = true;
    });
    while (!isDone) {
      const before = performance.now();
      await new Promise((resolve) => setImmediate(resolve));
      longest = Math.max(longest, performance.now() - before);
    }
    await all;
    return longest;
  }

  it('takes about one slice in each pass of the event loop, also when each of them needs less', async () => {
    const longest = await longestPassMs(async (turns) => {
      for (let step = 0; step < STEPS; step += 1) {
        await turns.run(() => vi.advanceTimersByTime(3), entry);
        turns.end();
      }
    });
    expect(longest).toBeLessThanOrEqual(6);
  });

  it('makes deliveries in the same slices, and they count for no pace', async () => {
    noteActive('background 0');
    noteActive('background 1');
    const longest = await longestPassMs(async (turns) => {
      for (let step = 0; step < STEPS * 10; step += 1) {
        if (turns.shouldYield()) await turns.yield(entry);
        vi.advanceTimersByTime(3);
      }
      turns.end();
    });
    expect(longest).toBeLessThanOrEqual(6);
    expect(new QuickFilters('background 0').mustRest).toBe(false);
  });
});

describe('filters that are tried at once', () => {
  const messageOf = (bytes: number) =>
    eventMessage({ id: 'event', type: 'a', timestamp: '2026-01-01T00:00:00.000Z', data: `"${'x'.repeat(bytes)}"` });

  it('are few, and read few bytes together', () => {
    expect(mayTryAtOnce(messageOf(500), 10)).toBe(true);
    expect(mayTryAtOnce(messageOf(500), 11)).toBe(false);
    expect(mayTryAtOnce(messageOf(8_000), 1)).toBe(true);
    expect(mayTryAtOnce(messageOf(8_000), 2)).toBe(false);
    expect(mayTryAtOnce(messageOf(250_000), 0)).toBe(true);
    expect(mayTryAtOnce(messageOf(250_000), 1)).toBe(false);
  });

  it('count for the turns of their owner, who must take them when its filters have to rest', async () => {
    const quick = new QuickFilters('quick');
    const use = () => {
      quick.run(() => {
        vi.advanceTimersByTime(300);
        return true;
      });
      quick.end();
    };
    vi.advanceTimersByTime(60 * SECOND_MS);
    noteActive('quick');
    use();
    expect(quick.mustRest).toBe(false);
    noteActive('other');
    expect(quick.mustRest).toBe(true);
    expect(new QuickFilters('other').mustRest).toBe(false);
    vi.advanceTimersByTime(SECOND_MS);
    expect(quick.mustRest).toBe(false);
  });

  it('must take turns when their owner has used its share of what all owners have', () => {
    const owners = Array.from({ length: 20 }, (_, index) => `quick ${index}`);
    const filters = owners.map((owner) => new QuickFilters(owner));
    vi.advanceTimersByTime(60 * SECOND_MS);
    for (const owner of owners) noteActive(owner);
    for (const each of filters) {
      each.run(() => {
        vi.advanceTimersByTime(40);
        return true;
      });
      each.end();
    }
    expect(filters.at(-1)?.mustRest).toBe(true);
    expect(new QuickFilters('light').mustRest).toBe(false);
  });
});
