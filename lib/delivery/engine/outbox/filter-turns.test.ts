import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventMessage } from '@/lib/delivery/engine/messages';
import type { OutboxEntry } from '@/lib/delivery/engine/types';
import { SECOND_MS } from '@/lib/platform/clock';
import { noteActive } from '@/lib/platform/pace';
import { setTestConfig } from '@/tests/setup/variables';
import { FilterTurns, mayTryAtOnce, QuickFilters } from './filter-turns';

beforeAll(() => void setTestConfig());
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }));
afterEach(() => void vi.useRealTimers());

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
});
