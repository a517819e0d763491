import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Channel, createChannelLock, createWebLock, type Locks, type RunExclusive } from './refresh-lock';

/** Channels of several tabs: each receives the messages of the others. */
function tabs(count: number, delayMs = 1): Channel[] {
  const listeners: Set<(event: { data: unknown }) => void>[] = Array.from({ length: count }, () => new Set());
  return listeners.map((own) => ({
    postMessage: (data) => {
      for (const others of listeners) {
        if (others !== own) setTimeout(() => [...others].forEach((listen) => void listen({ data })), delayMs);
      }
    },
    addEventListener: (_type, listener) => void own.add(listener),
    removeEventListener: (_type, listener) => void own.delete(listener),
  }));
}

/** Imitates Web Locks: one holder, the others wait; `ifAvailable` never waits. */
function fakeLocks(): Locks {
  let tail: Promise<unknown> = Promise.resolve();
  let held = false;
  return {
    request: (_name, options, run) => {
      if (options.ifAvailable && held) return run(null);
      const result = tail.then(async () => {
        held = true;
        try {
          return await run({});
        } finally {
          held = false;
        }
      });
      if (options.ifAvailable) held = true;
      tail = result.catch(() => {});
      return result;
    },
  };
}

async function overlapOf(exclusives: RunExclusive[], holdMs: number): Promise<{ most: number; waited: boolean[] }> {
  let inside = 0;
  let most = 0;
  const waited = await Promise.all(
    exclusives.map((exclusive) =>
      exclusive(async (hadToWait) => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setTimeout(resolve, holdMs));
        inside -= 1;
        return hadToWait;
      }),
    ),
  );
  return { most, waited };
}

describe('the refresh lock', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  async function settle<T>(promise: Promise<T>): Promise<T> {
    const [result] = await Promise.all([promise, vi.advanceTimersByTimeAsync(60_000)]);
    return result;
  }

  it('by Web Locks: has one holder at a time and tells the others that they waited', async () => {
    const exclusive = createWebLock(fakeLocks());
    const { most, waited } = await settle(overlapOf([exclusive, exclusive, exclusive], 50));
    expect(most).toBe(1);
    expect(waited).toEqual([false, true, true]);
  });

  it('by Web Locks: passes on an error of the holder and releases the lock', async () => {
    const exclusive = createWebLock(fakeLocks());
    await expect(exclusive(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    await expect(exclusive(async () => 'next')).resolves.toBe('next');
  });

  it('by channel: lets one of several simultaneous claims go first', async () => {
    const exclusives = tabs(3).map((channel, index) => createChannelLock(channel, () => (index + 1) / 10));
    const { most, waited } = await settle(overlapOf(exclusives, 200));
    expect(most).toBe(1);
    expect(waited).toEqual([false, true, true]);
  });

  it('by channel: lets one of several consecutive claims go first, whatever their numbers', async () => {
    for (const claims of [
      [0.9, 0.5, 0.1],
      [0.1, 0.5, 0.9],
      [0.5, 0.1, 0.9],
    ]) {
      const exclusives = tabs(3).map((channel, index) => createChannelLock(channel, () => claims[index] ?? 0));
      const later = exclusives.map<RunExclusive>((exclusive, index) => async (run) => {
        await new Promise((resolve) => setTimeout(resolve, index * 25));
        return exclusive(run);
      });
      expect((await settle(overlapOf(later, 200))).most).toBe(1);
    }
  });

  it('by channel: runs two calls of one tab one after the other', async () => {
    const [channel] = tabs(1);
    if (channel === undefined) throw new Error('one tab');
    const exclusive = createChannelLock(channel);
    const { most, waited } = await settle(overlapOf([exclusive, exclusive], 200));
    expect(most).toBe(1);
    expect(waited).toEqual([false, true]);
    await expect(settle(exclusive(() => Promise.reject(new Error('refused'))))).rejects.toThrow('refused');
    await expect(settle(exclusive(async (hadToWait) => hadToWait))).resolves.toBe(false);
  });

  it('by channel: makes a later tab wait for the holder', async () => {
    const [first, second] = tabs(2).map((channel, index) => createChannelLock(channel, () => 1 - index * 0.5));
    if (first === undefined || second === undefined) throw new Error('two tabs');
    const order: string[] = [];
    const holder = first(async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      order.push('first');
    });
    await vi.advanceTimersByTimeAsync(100);
    const later = second(async () => void order.push('second'));
    await settle(Promise.all([holder, later]));
    expect(order).toEqual(['first', 'second']);
  });

  it('by channel: waits at most five seconds for a holder that crashed', async () => {
    const [dead, alive] = tabs(2);
    if (dead === undefined || alive === undefined) throw new Error('two tabs');
    let isAlive = true;
    dead.addEventListener('message', (event) => {
      const { kind, claim } = event.data as { kind: string; claim: number };
      if (isAlive && kind === 'claim') dead.postMessage({ kind: 'held', claim: 0, to: claim });
      isAlive = false;
    });
    const startedMs = Date.now();
    const enteredMs = await settle(createChannelLock(alive)(async () => Date.now()));
    expect(enteredMs - startedMs).toBeLessThan(6000);
  });
});
