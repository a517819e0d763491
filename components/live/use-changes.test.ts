import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttle } from './use-changes';

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
