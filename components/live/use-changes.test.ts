import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SlotLocks, takeStreamSlot, throttle } from './use-changes';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('runs at once, and then once at the end of each second in which it was called', async () => {
  const work = vi.fn(async () => {});
  const { run } = throttle(work, 1000);
  run();
  expect(work).toHaveBeenCalledTimes(1);
  for (let n = 0; n < 10; n++) run();
  expect(work).toHaveBeenCalledTimes(1);
  await pass(1000);
  expect(work).toHaveBeenCalledTimes(2);
  await pass(5000);
  expect(work).toHaveBeenCalledTimes(2);
  run();
  expect(work).toHaveBeenCalledTimes(3);
});

it('waits for slow work, so that its result is not dropped for a newer one', async () => {
  const work = vi.fn(() => new Promise((resolve) => setTimeout(resolve, 3500)));
  const { run } = throttle(work, 1000);
  for (let second = 0; second < 6; second++) {
    run();
    await pass(1000);
  }
  expect(work).toHaveBeenCalledTimes(2);
});

it('runs again after work that failed', async () => {
  const work = vi.fn(async () => Promise.reject(new Error('offline')));
  const { run } = throttle(work, 1000);
  run();
  await pass(1000);
  run();
  expect(work).toHaveBeenCalledTimes(2);
});

it('runs no more after it was canceled', async () => {
  const work = vi.fn(async () => {});
  const { run, cancel } = throttle(work, 1000);
  run();
  run();
  cancel();
  run();
  await pass(5000);
  expect(work).toHaveBeenCalledTimes(1);
});

describe('the slots for streams', () => {
  /** Web Locks of one browser. */
  function makeLocks(): SlotLocks {
    const held = new Set<string>();
    return {
      request: async (name, _options, hold) => {
        if (held.has(name)) return hold(null);
        held.add(name);
        await hold({ name });
        held.delete(name);
      },
    };
  }

  it('lets a browser have three streams at once, and another one when one ends', async () => {
    const locks = makeLocks();
    const windows = Array.from({ length: 4 }, () => new AbortController());
    const take = (index: number) => takeStreamSlot(locks, (windows[index] as AbortController).signal);
    for (const index of [0, 1, 2]) await take(index);
    await expect(take(3)).rejects.toThrow('all streams');
    windows[1]?.abort();
    await expect(take(3)).resolves.toBeUndefined();
  });

  it('holds nothing for a stream that was given up meanwhile', async () => {
    const locks = makeLocks();
    for (let n = 0; n < 10; n++) await takeStreamSlot(locks, AbortSignal.abort());
  });

  it('bounds nothing in a browser without locks', async () => {
    for (let n = 0; n < 10; n++) await takeStreamSlot(undefined, new AbortController().signal);
  });
});
